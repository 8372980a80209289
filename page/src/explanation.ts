/** What a code of findings means, over the page. */
import { append, byId, code, element, replace, visible } from './dom';
import { Latest, service } from './service';
import { during } from './states';

/** Text with `code` in backticks. */
function text(written: string): DocumentFragment {
  const made = document.createDocumentFragment();
  written.split('`').forEach((part, at) => append(made, at % 2 ? code(part) : visible(part, 4000)));
  return made;
}

/** The Markdown of the pages of codes: headings, blocks, lists and paragraphs. */
function blocks(markdown: string): HTMLElement[] {
  const made: HTMLElement[] = [];
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!;
    const until = (end: (line: string) => boolean) => {
      const from = at;
      while (at < lines.length && !end(lines[at]!)) at += 1;
      return lines.slice(from, at);
    };
    if (line.startsWith('```')) {
      at += 1;
      made.push(element('pre', { tabindex: '0', role: 'region', 'aria-label': `Example ${made.filter(({ tagName }) => tagName === 'PRE').length + 1}` }, until((one) => one === '```').map((one) => visible(one, 4000)).join('\n')));
      at += 1;
    } else if (line.startsWith('## ')) {
      made.push(element('h3', {}, text(line.slice(3))));
      at += 1;
    } else if (line === '' || line.startsWith('# ')) {
      at += 1;
    } else {
      const part = until((one) => one === '' || one.startsWith('```') || one.startsWith('## '));
      const items = part.join('\n').split(/^- /m);
      if (items[0] !== '') made.push(element('p', {}, text(items[0]!.replaceAll('\n', ' '))));
      if (items.length > 1) made.push(element('ul', {}, ...items.slice(1).map((item) => element('li', {}, text(item.replace(/\s*\n\s*/g, ' '))))));
    }
  }
  return made;
}

const latest = new Latest();

/** Opens the explanation of a code. */
export async function explain(name: string): Promise<void> {
  const dialog = byId<HTMLDialogElement>('explanation');
  const place = byId('explanation-text');
  byId('explanation-title').textContent = name;
  replace(place);
  if (!dialog.open) dialog.showModal();
  const signal = latest.next();
  const answer = await during(place, () => service.lintCode(name, signal), () => void explain(name));
  if (answer && !signal.aborted) replace(place, ...blocks(answer.markdown));
}
