/** Writes a robots.txt from wishes, over the page. */
import type { RobotsFile } from './bytes';
import { byId, element, replace, sentence } from './dom';
import { Latest, service } from './service';
import { listOf } from './state';
import { during } from './states';

const WISHES = {
  no_training: ['No AI training', 'Closes the site to robots that fetch for the training of AI models.'],
  no_ai_input: ['No AI answers', 'Closes the site to robots that fetch for the answers of AI.'],
  keep_search: ['Keep search', 'Lets in every robot that mainly searches.'],
  staging: ['Closed to all', 'For a copy of the site that nobody should find. It protects nothing: use a password.'],
} as const;

export class WishForm {
  private readonly latest = new Latest();
  private readonly dialog = byId<HTMLDialogElement>('wishes');
  private readonly problems = element('div', { 'aria-live': 'polite' });
  private readonly checks = new Map<string, HTMLInputElement>();
  private readonly block = element('input', { id: 'wish-block', type: 'text', placeholder: '@seo', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'wish-block-note' });
  private readonly delay = element('input', { id: 'wish-delay', type: 'text', inputmode: 'numeric', autocomplete: 'off' });
  private readonly sitemaps = element('textarea', { id: 'wish-sitemaps', rows: 2, spellcheck: 'false', placeholder: 'https://example.com/sitemap.xml' });

  constructor(private readonly written: (file: RobotsFile, summary: string, notes: string[]) => void) {
    const form = element('form', {
      onsubmit: (event) => {
        event.preventDefault();
        void this.write();
      },
    },
      element('fieldset', {}, element('legend', {}, 'What the file is for'),
        ...Object.entries(WISHES).map(([name, [label, meaning]]) => this.check(name, label, meaning))),
      element('label', { for: 'wish-block', class: 'title' }, 'Also closed to'), this.block,
      element('p', { class: 'note', id: 'wish-block-note' }, 'Names and kinds, such as AhrefsBot, @seo or @ai-training - @search.'),
      element('label', { for: 'wish-delay', class: 'title' }, 'Seconds between visits'), this.delay,
      element('label', { for: 'wish-sitemaps', class: 'title' }, 'Sitemaps'), this.sitemaps,
      this.problems,
      element('p', { class: 'copies' }, element('button', { type: 'submit', class: 'main-action' }, 'Write it'),
        element('button', { type: 'button', onclick: () => this.dialog.close() }, 'Cancel')));
    replace(byId('wishes-form'), form);
  }

  open(): void {
    replace(this.problems);
    this.dialog.showModal();
  }

  /** Whether there are wishes beside a closed site. */
  private others(are: boolean): void {
    const boxes = [...this.checks].filter(([name]) => name !== 'staging').map(([, box]) => box);
    for (const field of [...boxes, this.block, this.delay, this.sitemaps]) field.disabled = !are;
  }

  private check(name: string, label: string, meaning: string): HTMLElement {
    const box = element('input', { type: 'checkbox', 'aria-describedby': `wish-${name}` });
    box.checked = name === 'no_training' || name === 'keep_search';
    this.checks.set(name, box);
    // A site that is closed to all has no other wishes.
    if (name === 'staging') box.onchange = () => this.others(!box.checked);
    return element('div', {}, element('label', { class: 'check' }, box, label), element('p', { class: 'note', id: `wish-${name}` }, meaning));
  }

  private async write(): Promise<void> {
    const signal = this.latest.next();
    const delay = this.delay.disabled ? '' : this.delay.value.trim();
    if (delay && !/^\d{1,9}$/.test(delay)) {
      replace(this.problems, element('p', { class: 'problem' }, 'The seconds between visits are a whole number.'));
      this.delay.focus();
      return;
    }
    const wishes = this.checks.get('staging')?.checked ? { staging: true } : {
      ...Object.fromEntries([...this.checks].map(([name, { checked }]) => [name, checked])),
      ...(this.block.value.trim() ? { block: this.block.value.trim() } : {}),
      ...(delay ? { delay: Number(delay) } : {}),
      sitemaps: listOf(this.sitemaps.value),
    };
    replace(this.problems);
    const made = await during(this.problems, () => service.init(wishes, signal), () => void this.write());
    if (!made || signal.aborted) return;
    this.dialog.close();
    this.written({ text: made.robots, encoding: 'utf-8' }, made.summary, made.notes);
  }
}

/** What a file that was written does, and what no file can do. */
export function proof(summary: string, notes: string[]): (Node | null)[] {
  return [sentence(summary), notes.length > 0 ? element('details', {}, element('summary', {}, 'What to know'), element('ul', {}, ...notes.map((note) => element('li', {}, sentence(note))))) : null];
}
