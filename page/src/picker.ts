/** Picks robots: known ones by name, operator or kind, and any other name. Enter takes the first match. */
import { byId, count, element, refresh, replace, sentence, visible } from './dom';
import { refusal } from './refused';
import type { KnownRobot } from './service';
import { nearest } from './spelling';
import { KINDS } from './words';

interface Choice { value: string; label: string; detail: string; search: string }

/** The kinds that one click adds. */
const PRESETS = ['search', 'ai-input', 'ai-training', 'ads', 'preview'];

/** So many known robots are offered at once. */
const MOST_CHOICES = 60;

export class Picker {
  private choices: Choice[] = [];
  private readonly chips = element('div', { class: 'chips', role: 'list', 'aria-label': 'Chosen robots' });
  private readonly input = element('input', {
    id: 'robot', type: 'text', role: 'combobox', 'aria-expanded': 'false', 'aria-autocomplete': 'list', 'aria-controls': 'robot-list',
    autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', placeholder: 'Add a name, a kind or an operator',
    'aria-describedby': 'robots-problems robots-note',
  });
  private readonly list = element('div', { id: 'robot-list', class: 'combo-list', role: 'listbox', 'aria-label': 'Known robots', hidden: true });
  private readonly presets = element('div', { class: 'presets', role: 'group', 'aria-label': 'Kinds of robots' });
  private readonly problems = element('div', { id: 'robots-problems' });
  private shown: Choice[] = [];
  /** The names of the known robots, by their lower case. */
  private tokens = new Map<string, string>();
  private active = -1;

  constructor(private readonly agents: () => string[], private readonly changed: (agents: string[]) => void) {
    replace(byId('robots'),
      this.chips,
      element('div', { class: 'combo' }, this.input, this.list),
      this.presets,
      this.problems,
      element('p', { class: 'note', id: 'robots-note' }, '* is any robot that the file does not name. Enter adds the first match, arrow keys choose another.'));
    this.input.addEventListener('input', () => this.open());
    this.input.addEventListener('focus', () => { if (this.input.value) this.open(); });
    this.input.addEventListener('blur', () => this.close());
    this.input.addEventListener('keydown', (event) => this.key(event));
    this.input.addEventListener('click', () => this.open());
    this.list.addEventListener('mousedown', (event) => {
      event.preventDefault();
      const option = (event.target as Element).closest('[role="option"]');
      const choice = option && this.shown[Number(option.getAttribute('data-at'))];
      if (choice) this.add(choice.value);
    });
    this.show();
  }

  know(robots: KnownRobot[]): void {
    // A robot with several purposes is in the set of each.
    const kinds = new Map<string, number>();
    const operators = new Map<string, string[]>();
    // Who writes the name of a product means the robots of its operator.
    const products = new Map<string, string>();
    for (const { operator, products: own } of robots) if (own) products.set(operator, `${products.get(operator) ?? ''} ${own.join(' ')}`);
    for (const { token, operator, kind, purposes } of robots) {
      for (const set of new Set(kind === 'robot' ? purposes : [...purposes, kind])) kinds.set(set, (kinds.get(set) ?? 0) + 1);
      operators.set(operator, [...(operators.get(operator) ?? []), token]);
    }
    this.tokens = new Map(robots.map(({ token }) => [token.toLowerCase(), token]));
    const sets = [...kinds].sort((a, b) => b[1] - a[1]).map(([kind, number]) => ({ kind, number }));
    const order = ['search', 'ai-training', 'ai-input', 'user-triggered', 'control-token'];
    sets.sort((a, b) => (order.indexOf(a.kind) + 1 || 99) - (order.indexOf(b.kind) + 1 || 99));
    sets.push({ kind: 'all', number: robots.length });
    this.choices = [
      ...sets.map(({ kind, number }) => ({ value: `@${kind}`, label: `@${kind}`, detail: `${KINDS[kind] ?? kind}: ${count(number, 'robot')}`, search: `${KINDS[kind] ?? ''} @${kind} ${kind}`.toLowerCase() })),
      { value: '*', label: '*', detail: 'any robot that the file does not name', search: 'any other robot *' },
      ...robots.map((robot) => {
        const what = robot.kind === 'robot' ? robot.purposes.map((purpose) => KINDS[purpose] ?? purpose).join(', ') : KINDS[robot.kind]!;
        return { value: robot.token, label: robot.token, detail: `${robot.operator} · ${what}`, search: `${robot.token} ${robot.operator} ${what}${products.get(robot.operator) ?? ''}`.toLowerCase() };
      }),
      ...[...operators].filter(([, tokens]) => tokens.length > 1).map(([operator, tokens]) => (
        { value: tokens.join(','), label: operator, detail: `${count(tokens.length, 'robot')}: ${tokens.join(', ')}`, search: `${operator}${products.get(operator) ?? ''}`.toLowerCase() })),
    ];
    this.show();
  }

  show(): void {
    const refused = this.agents().flatMap((agent) => refusal('agents', agent) ?? []);
    replace(this.problems, ...refused.map((why) => element('p', { class: 'wrong' }, sentence(`Not asked about: ${why}.`))),
      ...this.agents().map((agent) => this.misspelt(agent)));
    refresh(this.presets, ...PRESETS.map((kind) => this.preset(`@${kind}`, KINDS[kind]!)));
    replace(this.chips, ...this.agents().map((agent) => element('span', { class: refusal('agents', agent) ? 'chip refused' : 'chip', role: 'listitem' },
      visible(agent, 60),
      element('button', { type: 'button', 'aria-label': `Remove ${visible(agent, 60)}`, onclick: () => this.remove(agent) }, '✕'))));
  }

  /** A button that adds a kind, or takes it away. */
  private preset(set: string, label: string): HTMLElement {
    const isChosen = this.agents().includes(set);
    return element('button', {
      type: 'button',
      'aria-pressed': String(isChosen),
      onclick: () => {
        this.changed(isChosen ? this.agents().filter((agent) => agent !== set) : [...this.agents(), set]);
        this.show();
      },
    }, label);
  }

  /** A name that is almost that of a known robot. */
  private misspelt(agent: string): HTMLElement | null {
    if (this.tokens.has(agent.toLowerCase()) || /[@*>/]/.test(agent)) return null;
    const meant = nearest(agent, [...this.tokens.values()]);
    return meant ? element('p', { class: 'note' }, `“${visible(agent, 60)}” is no known robot. Did you mean `, element('button', {
      type: 'button',
      class: 'link',
      onclick: () => {
        this.changed([...new Set(this.agents().map((one) => (one === agent ? meant : one)))]);
        this.show();
        this.input.focus();
        this.close();
      },
    }, meant), '?') : null;
  }

  private remove(agent: string): void {
    this.changed(this.agents().filter((one) => one !== agent));
    this.show();
    this.input.focus();
    this.close();
  }

  private add(text: string): void {
    const given = text.startsWith('Mozilla/') ? [text] : text.split(',');
    const names = given.map((name) => name.trim()).filter(Boolean);
    this.changed([...new Set([...this.agents(), ...names])]);
    this.input.value = '';
    this.show();
    this.close();
  }

  private open(): void {
    const written = this.input.value.trim();
    this.shown = this.matches(written);
    this.active = -1;
    replace(this.list, ...this.shown.map((choice, at) => element('div', { role: 'option', id: `robot-${at}`, 'data-at': at, 'aria-selected': 'false' },
      element('strong', {}, choice.label), ' ', element('span', { class: 'note' }, choice.detail))));
    if (this.shown.length === 0) {
      replace(this.list, element('div', { role: 'option', class: 'none', 'aria-disabled': 'true', 'aria-selected': 'false' }, 'Type a name.'));
    }
    this.list.hidden = false;
    this.input.setAttribute('aria-expanded', 'true');
    this.input.removeAttribute('aria-activedescendant');
    if (written) this.move(1);
  }

  /** What can be added for a text, the best first. The text itself is a name too. */
  private matches(written: string): Choice[] {
    const wanted = written.toLowerCase();
    const rank = ({ label, search }: Choice) => (label.toLowerCase().startsWith(wanted) || search.startsWith(wanted) ? 0 : search.includes(wanted) ? 1 : 2);
    const chosen = new Set(this.agents());
    const exact = this.choices.find(({ value }) => value.toLowerCase() === wanted);
    const found = this.choices.filter((choice) => choice !== exact && !chosen.has(choice.value) && rank(choice) < 2)
      .sort((a, b) => rank(a) - rank(b)).slice(0, MOST_CHOICES);
    if (!wanted) return found;
    if (exact) return [exact, ...found];
    const own = (detail: string): Choice => ({ value: written, label: visible(written, 60), detail, search: '' });
    if (found.length > 0) return [...found, own('exactly this name')];
    const meant = nearest(written, [...this.tokens.values()]);
    const near = this.choices.filter(({ value }) => value === meant).map((choice) => ({ ...choice, detail: `Did you mean this? ${choice.detail}` }));
    return [own('no known robot; adds this name'), ...near];
  }

  private close(): void {
    this.list.hidden = true;
    this.active = -1;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
  }

  private move(by: number): void {
    if (this.list.hidden) this.open();
    if (this.shown.length === 0) return;
    this.list.children[this.active]?.setAttribute('aria-selected', 'false');
    this.active = (this.active + by + this.shown.length + (this.active < 0 && by < 0 ? 1 : 0)) % this.shown.length;
    const option = this.list.children[this.active]!;
    option.setAttribute('aria-selected', 'true');
    option.scrollIntoView({ block: 'nearest' });
    this.input.setAttribute('aria-activedescendant', option.id);
  }

  private key(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      this.move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const choice = this.shown[this.active];
      const written = this.input.value.trim();
      if (choice && !this.list.hidden) this.add(choice.value);
      else if (written) this.add(this.tokens.get(written.toLowerCase()) ?? written);
    } else if (event.key === 'Escape') {
      this.close();
    } else if (event.key === 'Backspace' && !this.input.value) {
      const last = this.agents().at(-1);
      if (last) this.remove(last);
    }
  }
}
