/** Picks robots: known ones by name, operator or kind, and any other name. */
import { byId, element, replace, sentence, visible } from './dom';
import { refusal } from './refused';
import type { KnownRobot } from './service';
import { KINDS } from './words';

interface Choice { value: string; label: string; detail: string; search: string }

export class Picker {
  private choices: Choice[] = [];
  private readonly chips = element('div', { class: 'chips', role: 'list', 'aria-label': 'Chosen robots' });
  private readonly input = element('input', {
    id: 'robot', type: 'text', role: 'combobox', 'aria-expanded': 'false', 'aria-autocomplete': 'list', 'aria-controls': 'robot-list',
    autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', placeholder: 'Add a name, a kind or an operator',
    'aria-describedby': 'robots-problems robots-note',
  });
  private readonly list = element('div', { id: 'robot-list', class: 'combo-list', role: 'listbox', 'aria-label': 'Known robots', hidden: true });
  private readonly problems = element('div', { id: 'robots-problems' });
  private shown: Choice[] = [];
  private active = -1;

  constructor(private readonly agents: () => string[], private readonly changed: (agents: string[]) => void) {
    replace(byId('robots'),
      this.chips,
      element('div', { class: 'combo' }, this.input, this.list),
      this.problems,
      element('p', { class: 'note', id: 'robots-note' }, '* is any robot that the file does not name. Arrow keys choose, Enter adds.'));
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
    const kinds = new Map<string, number>();
    for (const robot of robots) {
      const kind = robot.kind === 'robot' ? robot.purposes[0]! : robot.kind;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    const sets = [...kinds].sort((a, b) => b[1] - a[1]).map(([kind, number]) => ({ kind, number }));
    const order = ['search', 'ai-training', 'ai-input', 'user-triggered', 'control-token'];
    sets.sort((a, b) => (order.indexOf(a.kind) + 1 || 99) - (order.indexOf(b.kind) + 1 || 99));
    sets.push({ kind: 'all', number: robots.length });
    this.choices = [
      ...sets.map(({ kind, number }) => ({ value: `@${kind}`, label: `@${kind}`, detail: `${KINDS[kind] ?? kind}: ${number} robots`, search: `@${kind} ${KINDS[kind] ?? ''}`.toLowerCase() })),
      { value: '*', label: '*', detail: 'any robot that the file does not name', search: '* any other robot' },
      ...robots.map((robot) => {
        const what = robot.kind === 'robot' ? robot.purposes.map((purpose) => KINDS[purpose] ?? purpose).join(', ') : KINDS[robot.kind]!;
        return { value: robot.token, label: robot.token, detail: `${robot.operator} · ${what}`, search: `${robot.token} ${robot.operator} ${what}`.toLowerCase() };
      }),
    ];
  }

  show(): void {
    const refused = this.agents().flatMap((agent) => refusal('agents', agent) ?? []);
    replace(this.problems, ...refused.map((why) => element('p', { class: 'wrong' }, sentence(`Not asked about: ${why}.`))));
    replace(this.chips, ...this.agents().map((agent) => element('span', { class: refusal('agents', agent) ? 'chip refused' : 'chip', role: 'listitem' },
      visible(agent, 60),
      element('button', { type: 'button', 'aria-label': `Remove ${visible(agent, 60)}`, onclick: () => this.remove(agent) }, '✕'))));
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
    const wanted = this.input.value.trim().toLowerCase();
    const rank = (choice: Choice) => (choice.value.toLowerCase().startsWith(wanted) ? 0 : choice.search.includes(wanted) ? 1 : 2);
    const chosen = new Set(this.agents());
    this.shown = this.choices.filter((choice) => !chosen.has(choice.value) && rank(choice) < 2)
      .sort((a, b) => (wanted ? rank(a) - rank(b) : 0)).slice(0, 60);
    this.active = -1;
    replace(this.list, ...this.shown.map((choice, at) => element('div', { role: 'option', id: `robot-${at}`, 'data-at': at, 'aria-selected': 'false' },
      element('strong', {}, choice.label), ' ', element('span', { class: 'note' }, choice.detail))));
    if (this.shown.length === 0) {
      replace(this.list, element('div', { role: 'option', class: 'none', 'aria-disabled': 'true', 'aria-selected': 'false' },
        wanted ? `No known robot. Enter adds “${visible(this.input.value.trim(), 40)}”.` : 'Type a name.'));
    }
    this.list.hidden = false;
    this.input.setAttribute('aria-expanded', 'true');
    this.input.removeAttribute('aria-activedescendant');
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
      const same = this.choices.find((one) => one.value.toLowerCase() === written.toLowerCase());
      if (choice && !this.list.hidden) this.add(choice.value);
      else if (written) this.add(same?.value ?? written);
    } else if (event.key === 'Escape') {
      this.close();
    } else if (event.key === 'Backspace' && !this.input.value) {
      const last = this.agents().at(-1);
      if (last) this.remove(last);
    }
  }
}
