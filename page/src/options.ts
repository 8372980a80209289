/** The form for what a request can say beyond URL and robot. */
import { acapOf, hasAcap, isHeader } from './asked';
import { byId, count, element, refresh, replace, sentence, visible } from './dom';
import { refusal } from './refused';
import { listOf, type State } from './state';
import { VOCABULARIES } from './words';

type TextMember = 'purposes' | 'applications' | 'headers' | 'html' | 'rendered' | 'tdmrep' | 'use' | 'acapNames' | 'acapPurposes';

export class Options {
  private readonly fields = new Map<TextMember, HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>();
  private readonly checks = new Map<string, HTMLInputElement>();
  private readonly acap: HTMLElement[];
  private readonly licences = element('div', { class: 'licences' });
  /** The licence documents that the file or the page names. */
  private named: string[] = [];

  constructor(private readonly state: () => State, private readonly changed: () => void) {
    const use = element('select', { id: 'option-use' },
      element('option', { value: '' }, 'not stated'), ...['immediate', 'reference', 'full'].map((level) => element('option', { value: level }, level)));
    this.acap = [
      this.field('ACAP: names of the crawler', 'acapNames', this.line('acapNames', 'ExampleSearch'), 'Shown because the file has ACAP records.'),
      this.field('ACAP: purposes', 'acapPurposes', this.line('acapPurposes', ''), 'As ACAP-usage-purpose fields have them.'),
    ];
    replace(byId('options'),
      this.part('The page'),
      this.field('Response headers', 'headers', this.area('headers', 'X-Robots-Tag: noindex'), 'One on each line, as curl -i prints them.'),
      this.field('HTML', 'html', this.area('html', '<meta name="robots" content="noindex">'), 'The source. It is read for robots elements, and never shown or run.'),
      this.field('HTML after scripts ran', 'rendered', this.area('rendered', ''), 'The final page, if it differs from the source.'),
      this.part('The site'),
      this.field('tdmrep.json', 'tdmrep', this.area('tdmrep', '[{"location": "/", "tdm-reservation": 1}]'), 'What is at /.well-known/tdmrep.json. Empty: the site has no such file.'),
      this.licences,
      this.part('The robot'),
      this.field('Purposes', 'purposes', this.line('purposes', 'EXAMPLE-PURPOSE-1'), 'User-Agent-Purpose tokens that the robot claims.'),
      this.field('Applications', 'applications', this.line('applications', 'examplesearch'), 'Whose App-Directives to show.'),
      this.field('Level of use', 'use', this.keepField('use', use), 'The level at which the robot means to use content.'),
      ...this.acap,
      element('fieldset', { class: 'wide' },
        element('legend', {}, 'Preferences that count'),
        element('div', { class: 'checks' }, ...Object.entries(VOCABULARIES).map(([value, label]) => this.check(value, label))),
        element('p', { class: 'note' }, 'None selected: all of them.')));
    this.show();
  }

  private part(title: string): HTMLElement {
    return element('h3', { class: 'wide' }, title);
  }

  private line(member: TextMember, hint: string): HTMLInputElement {
    return this.keepField(member, element('input', { type: 'text', id: `option-${member}`, placeholder: hint, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' }));
  }

  private area(member: TextMember, hint: string): HTMLTextAreaElement {
    return this.keepField(member, element('textarea', { id: `option-${member}`, rows: 3, placeholder: hint, autocapitalize: 'off', spellcheck: 'false' }));
  }

  private keepField<T extends HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(member: TextMember, field: T): T {
    field.addEventListener('input', () => {
      this.state()[member] = field.value;
      this.note();
      this.changed();
    });
    field.setAttribute('aria-describedby', `option-${member}-note`);
    this.fields.set(member, field);
    return field;
  }

  private field(label: string, member: TextMember, field: HTMLElement, note: string): HTMLElement {
    return element('div', {},
      element('label', { for: `option-${member}`, class: 'title' }, label), field, element('p', { id: `option-${member}-note` }, element('span', { class: 'wrong', hidden: true }), element('span', { class: 'note' }, note)));
  }

  private check(value: string, label: string): HTMLElement {
    const box = element('input', {
      type: 'checkbox',
      onchange: () => {
        this.state().vocabularies = [...this.checks].filter(([, one]) => one.checked).map(([name]) => name);
        this.note();
        this.changed();
      },
    });
    this.checks.set(value, box);
    return element('label', { class: 'check' }, box, label);
  }

  /** Says which fields do not count, and how much is set while the form is closed. */
  note(): void {
    const state = this.state();
    const set = [...this.fields.keys()].filter((member) => state[member].trim()).length
      + state.rsl.filter(([, text]) => text.trim()).length + (state.vocabularies.length > 0 ? 1 : 0);
    const wrong = this.wrong();
    for (const [member, field] of this.fields) {
      const why = wrong.get(member);
      const place = byId(`option-${member}-note`).querySelector<HTMLElement>('.wrong')!;
      place.hidden = !why;
      replace(place, why && sentence(why));
      if (why) field.setAttribute('aria-invalid', 'true');
      else field.removeAttribute('aria-invalid');
    }
    const note = byId('more-note');
    note.classList.toggle('wrong', wrong.size > 0);
    note.textContent = [set > 0 ? `${set} set` : '', wrong.size > 0 ? `${wrong.size} to correct` : ''].filter(Boolean).join(', ')
      || 'headers, HTML, tdmrep.json, licences, purposes';
  }

  /** The fields that do not count as they are, and why. */
  private wrong(): Map<TextMember, string> {
    const state = this.state();
    const wrong = new Map<TextMember, string>();
    const lines = state.headers.split(/\r?\n/).filter((line) => line.trim() && !isHeader(line) && !/^HTTP\/\d/i.test(line));
    if (lines.length > 0) wrong.set('headers', `Not counted: \`${lines[0]!.slice(0, 80)}\`${lines.length > 1 ? ` and ${count(lines.length - 1, 'more line')}` : ''}. A header is a name, a colon and a value.`);
    for (const member of ['html', 'rendered'] as const) {
      if (state[member].trim() && !/<[a-z!]/i.test(state[member])) wrong.set(member, 'This has no HTML element, so it says nothing to robots.');
    }
    const acap = acapOf(state);
    const refused: [TextMember, string | undefined][] = [
      ['purposes', refusal('purposes', listOf(state.purposes))],
      ['applications', refusal('applications', listOf(state.applications))],
      ['acapNames', acap ? refusal('acap', acap) : undefined],
    ];
    for (const [member, why] of refused) if (why) wrong.set(member, `Not counted: ${why}.`);
    return wrong;
  }

  /** The names of the fields whose values are left out of every answer. */
  get leftOut(): [string, () => void][] {
    const names: Partial<Record<TextMember, string>> = { purposes: 'Purposes', applications: 'Applications', acapNames: 'ACAP' };
    return [...this.wrong().keys()].flatMap((member): [string, () => void][] => {
      const name = names[member];
      return name ? [[name, () => {
        byId<HTMLDetailsElement>('more').open = true;
        this.fields.get(member)!.focus();
      }]] : [];
    });
  }

  /** Takes over a new state. */
  show(): void {
    const state = this.state();
    for (const [member, field] of this.fields) field.value = state[member];
    for (const [value, box] of this.checks) box.checked = state.vocabularies.includes(value);
    this.showAcap();
    this.showLicences();
    this.note();
  }

  /** Takes over which licence documents apply to what is selected. */
  name(urls: string[]): void {
    if (urls.join(' ') === this.named.join(' ')) return;
    this.named = urls;
    this.showLicences();
  }

  /** Opens the form at a document that is missing: a licence, or the tdmrep.json. */
  reveal(url: string): void {
    byId<HTMLDetailsElement>('more').open = true;
    const field = [...this.licences.querySelectorAll('textarea')].find((one) => one.dataset.url === url) ?? byId('option-tdmrep');
    field.focus();
  }

  /** A field for each licence document that is named or was entered. */
  private showLicences(): void {
    const entered = new Map(this.state().rsl);
    const urls = [...new Set([...this.named, ...entered.keys()])];
    refresh(this.licences, ...urls.map((url, at) => {
      const field = element('textarea', { id: `licence-${at}`, rows: 3, autocapitalize: 'off', spellcheck: 'false', 'data-url': url, 'aria-describedby': `licence-${at}-note` });
      field.value = entered.get(url) ?? '';
      field.addEventListener('input', () => {
        const others = this.state().rsl.filter(([one]) => one !== url);
        this.state().rsl = field.value.trim() ? [...others, [url, field.value]] : others;
        this.note();
        this.changed();
      });
      return element('div', {}, element('label', { for: `licence-${at}`, class: 'title' }, 'Licence ', element('code', {}, visible(url))), field,
        element('p', { class: 'note', id: `licence-${at}-note` }, this.named.includes(url)
          ? 'The RSL document at this address, which the file or the page names.'
          : 'Nothing that is selected names this document, so it does not count now.'));
    }));
  }

  showAcap(): void {
    const has = hasAcap(this.state().robots);
    for (const field of this.acap) field.hidden = !has;
  }
}
