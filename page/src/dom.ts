/** Builds elements. Text becomes text nodes: nothing here parses HTML. */

export type Child = Node | string | number | null | undefined | false;
type Value = string | number | boolean | null | undefined | EventListener;

/** An element with attributes, listeners (`onclick`) and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : String(value));
  }
  append(made, ...children);
  return made;
}

export function append(parent: Node, ...children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, ...children);
}

const STOPS = 'button, a, summary, input, [tabindex="0"]';

/** Shows something new in place of something old. A focus within stays at the same place of the order. */
export function refresh(parent: HTMLElement, ...children: Child[]): void {
  const active = document.activeElement;
  const at = active && active !== parent && parent.contains(active) ? [...parent.querySelectorAll(STOPS)].indexOf(active) : null;
  replace(parent, ...children);
  if (at === null) return;
  const stops = parent.querySelectorAll<HTMLElement>(STOPS);
  const next = stops[Math.min(Math.max(at, 0), stops.length - 1)];
  if (next) next.focus({ preventScroll: true });
  else {
    parent.tabIndex = -1;
    parent.focus({ preventScroll: true });
  }
}

/** The element of index.html with this id. */
export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no #${id}`);
  return found as T;
}

const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu;

/** Foreign text on one line: what is no UTF-8, cannot be seen, or reorders what can, appears as an escape. */
export function visible(text: string, limit = 300): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut.replace(HIDDEN, (sign) => {
    const unit = sign.charCodeAt(0);
    // A byte that is not UTF-8.
    const code = unit >= 0xdc80 && unit < 0xdd00 ? unit - 0xdc00 : unit;
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** Foreign text in the type of files. */
export function code(text: string, limit?: number): HTMLElement {
  return element('code', {}, visible(text, limit));
}

/** Text with `code` in backticks, as sentences of the service have it. */
export function sentence(text: string): DocumentFragment {
  const made = document.createDocumentFragment();
  const parts = text.split('`');
  // An odd backtick is part of what is quoted.
  if (parts.length % 2 === 0) parts.splice(0, parts.length, text);
  parts.forEach((part, at) => append(made, at % 2 ? code(part) : visible(part, 4000)));
  return made;
}

/** "1 rule", "2 rules", "1,240 rules". */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}

/** Calls back once nothing more came for a while. */
export function settled(callback: () => void, wait: number): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(callback, wait);
  };
}

let said = 0;

/** Tells a screen reader what changed without moving the focus. */
export function announce(text: string): void {
  const region = byId('announce');
  said += 1;
  region.textContent = said % 2 ? text : `${text}\u00a0`;
}
