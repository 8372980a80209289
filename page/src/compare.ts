/** The draft beside the file before it: what changes for whom. */
import { IS_STATIC } from './answers';
import { badge, lineButton } from './answer';
import { purposesOf } from './asked';
import { isSame, quoted, type LiveFile, type RobotsFile } from './bytes';
import { changesOf, clipboard, diffMarkdown, shownCauses } from './copy';
import { difference, runs } from './difference';
import { announce, byId, code, count, element, refresh, replace, sentence, settled, visible } from './dom';
import { Editor } from './editor';
import { Latest, service, type ShortAnswer, type Diff, type Matrix, type MatrixRobot, type NamedClient, type Region } from './service';
import { withoutRefused } from './refused';
import { EMPTY, beforeOf, draftOf, emptiness, urlsOf, type State } from './state';
import { during, emptyState } from './states';
import { KINDS, USAGES, instant, outcomeWord, robotName } from './words';

/** So many sets of URLs are shown for one cause. */
const MOST_REGIONS = 8;

/** So many URLs are sent with the files, and so many of those that change are shown. */
const MOST_URLS = 1000;
const MOST_CHANGED = 100;

/** So many places at which the files differ are named. */
const MOST_RUNS = 4;

const ACCESS = { allowed: 'allowed', partly: 'partly', closed: 'closed' };

function who(names: NamedClient[]): string {
  const all = names.map(({ agent, purpose }) => (agent ? visible(agent, 60) : purpose ? `robots with the purpose ${visible(purpose, 60)}` : 'any other robot'));
  return all.length > 6 ? `${all.slice(0, 5).join(', ')} and ${all.length - 5} more` : all.join(', ');
}

/** What is asked of a robot, without the usages that nothing is said about. */
function preferencesOf(robot: MatrixRobot | undefined): NonNullable<MatrixRobot['preferences']> {
  return (robot?.preferences ?? []).filter(({ outcome, exceptions }) => outcome !== 'unspecified' || exceptions);
}

/** For how many patterns of paths the answer is another. */
function exceptionsOf(one: NonNullable<MatrixRobot['preferences']>[number]): number {
  return (one.exceptions?.length ?? 0) + (one.more_exceptions ?? 0);
}

/** Whether a site served a file, which may be empty. */
export function hasFile({ absence }: LiveFile): boolean {
  return absence === '' || absence === EMPTY;
}

export class Compare {
  readonly before: Editor;
  private readonly latest = new Latest();
  private readonly changes = byId('changes');
  private readonly matrix = byId('matrix');
  private readonly soon = settled(() => void this.run(), 500);
  private asked = '';
  /** The last file of a site that Before had. */
  private live: LiveFile | null = null;
  private pair: [Matrix, Matrix] | null = null;
  private diff: Diff | null = null;
  /** The first line that differs, by the note about it, when it was last brought into view. */
  private readonly revealed = new Map<string, number>();

  constructor(private readonly state: () => State, private readonly draft: Editor, changed: () => void) {
    this.before = new Editor('robots.txt before the change', `Paste the file that is live now, or ${IS_STATIC ? 'open it' : 'enter its site'} above.`, () => {
      const state = this.state();
      ({ text: state.before, encoding: state.beforeEncoding } = this.before.file);
      this.showWhose();
      changed();
      this.edited();
    });
    byId('before-slot').append(this.before.host);
    byId('only-changed').addEventListener('change', () => this.showMatrix());
  }

  /** Compares with a file that a site served. */
  take(live: LiveFile): void {
    this.live = live;
    this.before.file = live.file;
    this.showWhose();
    this.edited();
  }

  /** Takes over a new state. */
  show(): void {
    const { beforeLive: [url, at] } = this.state();
    const file = beforeOf(this.state());
    if (url && at) this.take({ url, at, file, absence: emptiness(file) });
    else this.before.file = file;
    this.showWhose();
  }

  /** Says which site had this file, and when. */
  private showWhose(): void {
    const isLive = this.isLive && hasFile(this.live!);
    this.state().beforeLive = isLive ? [this.live!.url, this.live!.at] : [];
    replace(byId('before-whose'), ...(isLive ? ['live at ', code(this.live!.url), ` as of ${instant(this.live!.at)}`] : ['the live file, or what you paste']));
  }

  /** Whether Before has what a site served. */
  private get isLive(): boolean {
    return this.live !== null && isSame(this.before.file, this.live.file);
  }

  /** Why there is nothing to compare, if so. */
  private missing(before: RobotsFile, after: RobotsFile): HTMLElement | null {
    if (this.isLive && !hasFile(this.live!)) return emptyState('The site has no robots.txt, so there is nothing to compare.');
    if (!after.text.trim()) return emptyState('There is no draft yet', 'Write or paste it into After. To start from the live file, get it on Test and edit it there.');
    if (before.text.trim() || this.isLive) return null;
    return emptyState('What is live now?', IS_STATIC ? 'Paste that file into Before, or open it there.' : 'Enter the site above and choose “Compare with its live file”, or paste that file into Before.');
  }

  /** Something was typed in one of the editors. */
  edited(): void {
    if (this.state().tab === 'compare') this.soon();
  }

  async run(): Promise<void> {
    const [before, after] = [beforeOf(this.state()), draftOf(this.state())];
    const missing = this.missing(before, after);
    const urls = this.urls().slice(0, MOST_URLS);
    const asked = JSON.stringify([before, after, missing?.textContent, purposesOf(this.state()), urls]);
    this.showLines(before.text, after.text, !missing);
    if (asked === this.asked) return;
    this.asked = asked;
    const signal = this.latest.next();
    replace(byId('changes-copy'));
    if (missing) {
      this.pair = this.diff = null;
      replace(this.changes, missing);
      replace(this.matrix, emptyState('Shown once there are two files.'));
      return;
    }
    const again = () => { this.asked = ''; void this.run(); };
    const purposes = () => purposesOf(this.state());
    await Promise.all([
      during(this.changes, () => withoutRefused(() => service.diff(before, after, { ...purposes(), urls }, signal)), again).then((diff) => {
        if (signal.aborted) return;
        this.diff = diff;
        if (diff) this.showDiff(diff);
      }),
      during(this.matrix, () => withoutRefused(() => Promise.all([service.matrix(before, purposes(), signal), service.matrix(after, purposes(), signal)])), again).then((pair) => {
        if (!signal.aborted) this.pair = pair;
      }),
    ]);
    // Who changes is what the comparison says.
    if (!signal.aborted) this.showMatrix();
  }

  /** Marks the lines that only one of the files has, and leads to them. */
  private showLines(before: string, after: string, both: boolean): void {
    const lines = both ? difference(before, after) : { before: [], after: [] };
    this.before.mark({ removed: lines.before });
    this.draft.mark({ added: lines.after });
    for (const [id, own, editor] of [['before-note', lines.before, this.before], ['after-note', lines.after, this.draft]] as const) {
      const all = runs(own);
      const first = all[0]?.[0] ?? 0;
      if (first && first !== this.revealed.get(id) && !editor.view.hasFocus) editor.reveal(first);
      this.revealed.set(id, first);
      refresh(byId(id), own.length > 0 ? `${count(own.length, 'line')} only here: ` : both && lines.before.length + lines.after.length > 0 ? 'no line only here' : '',
        ...all.slice(0, MOST_RUNS).flatMap(([first, last], at) => [at > 0 && ', ',
          element('button', { type: 'button', class: 'link', onclick: () => editor.goTo(first) }, first === last ? `line ${first}` : `lines ${first}–${last}`)]),
        all.length > MOST_RUNS && ` and ${count(all.length - MOST_RUNS, 'more place')}`);
    }
  }

  private showDiff(diff: Diff): void {
    replace(byId('changes-copy'), element('span', { class: 'note' }, 'Copy as'),
      clipboard('Markdown', () => diffMarkdown(diff)), clipboard('JSON', () => JSON.stringify(diff, null, 2)));
    const same = isSame(beforeOf(this.state()), draftOf(this.state()));
    const causes = shownCauses(diff);
    refresh(this.changes,
      element('p', { class: 'headline' }, same ? 'The draft is the live file so far. Edit it, and this shows what changes.' : sentence(diff.headline)),
      diff.also.length > 0 && element('ul', { class: 'also' }, ...diff.also.map((text) => element('li', {}, sentence(text)))),
      diff.affected && element('p', { class: 'note' }, sentence(diff.affected)),
      ...diff.not_compared.map((text) => element('p', { class: 'notice' }, sentence(text))),
      this.ofUrls(diff),
      ...causes.slice(0, 100).map((cause) => this.cause(diff, cause)),
      causes.length > 100 && element('p', { class: 'note' }, `and ${causes.length - 100} more causes; copy as JSON to see them all`),
      ...diff.clients.filter((client) => client.crawl_delay).map((client) => element('p', {},
        `Crawl-delay for ${who(client.names)}: ${client.crawl_delay!.old ?? 'none'} → ${client.crawl_delay!.new ?? 'none'} (seconds)`)),
      ...diff.clients.flatMap((client) => client.directives.slice(0, 20).map((one) => element('p', {},
        `Application ${visible(one.application)} for ${who(client.names)}, such as `, code(one.witness), ': ',
        code(JSON.stringify(one.old.directives)), ' → ', code(JSON.stringify(one.new.directives))))),
      diff.sitemaps && element('p', {}, 'Sitemaps: ', code(diff.sitemaps.old.join(' ') || 'none', 1000), ' → ', code(diff.sitemaps.new.join(' ') || 'none', 1000)));
    announce(same ? '' : diff.headline);
  }

  private urls(): string[] {
    return urlsOf(this.state().urls).filter((url) => /^(\/|https?:\/\/)/i.test(url));
  }

  /** Which of the URLs that were entered get another answer. */
  private ofUrls({ urls, omitted }: Diff): HTMLElement | null {
    if (!urls || urls.count === 0) return null;
    const changed = urls.changed.length + (omitted?.urls ?? 0);
    const shown = urls.changed.slice(0, MOST_CHANGED);
    const all = this.urls().length;
    return element('section', { class: 'cause' },
      element('h3', {}, changed === 0 ? 'None of your URLs gets another answer' : `${count(changed, 'URL')} of your ${urls.count.toLocaleString('en')} ${changed === 1 ? 'gets' : 'get'} another answer`),
      shown.length > 0 && element('ul', {}, ...shown.map(({ url, changes }) => element('li', {}, code(url), ' ',
        changes.map(({ names, what }) => `${what} for ${who(names)}`).join('; ')))),
      changed > shown.length && element('p', { class: 'note' }, `and ${changed - shown.length} more`),
      all > urls.count && element('p', { class: 'notice' }, `Only the first ${urls.count.toLocaleString('en')} of ${all.toLocaleString('en')} URLs were compared.`));
  }

  /**
   * What the comparison says of a robot: a change with an example, that there is none, or nothing. What it does not
   * list by name has the answer of any other robot.
   */
  private changeOf(): (name: string) => Region | boolean | null {
    const { diff } = this;
    if (!diff) return () => null;
    const listed = new Map(diff.clients.flatMap((client) => client.names.filter(({ purpose }) => !purpose || diff.clients.length === 1)
      .map(({ agent }) => [(agent ?? '*').toLowerCase(), client] as const)));
    const isWhole = diff.left_out === 0 && !diff.omitted?.clients;
    return (name) => {
      const client = listed.get(name.toLowerCase()) ?? (isWhole ? listed.get('*') : undefined);
      if (!client) return null;
      return client.regions[0] ?? (client.crawl_delay !== null || client.directives.length > 0 || client.action_requests !== null || !client.complete);
    };
  }

  private cause(diff: Diff, cause: Diff['causes'][number]): HTMLElement {
    // Sets of URLs that look the same for several robots are shown once.
    const alike = new Map<string, { region: Region; names: NamedClient[] }>();
    for (const { names, region: it } of changesOf(diff, cause)) {
      const key = JSON.stringify([it.usage, it.witness, it.old, it.new]);
      const known = alike.get(key) ?? { region: it, names: [] };
      known.names.push(...names);
      alike.set(key, known);
    }
    const all = [...alike.values()];
    const sets = new Set(all.map(({ names }) => who(names)));
    const shown = all.slice(0, MOST_REGIONS);
    return element('section', { class: 'cause' },
      element('h3', {}, sentence(cause.sentence)),
      element('p', { class: 'note' }, 'For ', sentence(cause.whom)),
      ...shown.map(({ region: { usage, witness, old, new: now }, names }) => element('div', { class: 'change' },
        element('div', {}, element('span', { class: 'note' }, 'such as '), code(witness)),
        element('div', { class: 'from-to' }, element('span', {}, USAGES[usage] ?? usage),
          badge(old.outcome, usage), element('span', {}, element('span', { 'aria-hidden': 'true' }, '→'), element('span', { class: 'hidden' }, 'becomes')), badge(now.outcome, usage)),
        element('div', { class: 'sides' },
          sets.size > 1 && element('div', { class: 'note' }, `for ${who(names)}`),
          this.side('before', old, this.before), this.side('after', now, this.draft)))),
      all.length > shown.length && element('p', { class: 'note' }, `and ${count(all.length - shown.length, 'more set of URLs', 'more sets of URLs')}`));
  }

  private side(label: string, { decided_by }: ShortAnswer, editor: Editor): HTMLElement {
    const group = decided_by?.reason === 'no-rule-matches';
    return element('div', {}, element('span', { class: 'note' }, `${label}: `),
      decided_by?.line
        ? [group ? 'no rule matches in the group of ' : '', lineButton(decided_by.line, (line) => editor.goTo(line)), ' ', decided_by.statement ? code(quoted(decided_by.statement, editor.file.text, decided_by.line)) : '']
          .reduce((made, part) => { made.append(part); return made; }, document.createDocumentFragment())
        : 'no line decides');
  }

  private showMatrix(): void {
    if (!this.pair) return;
    const [before, after] = this.pair;
    const only = byId<HTMLInputElement>('only-changed').checked;
    const old = new Map(before.kinds.flatMap((kind) => kind.robots.map((robot) => [robot.name, robot] as const)));
    const now = new Map(after.kinds.flatMap((kind) => kind.robots.map((robot) => [robot.name, robot] as const)));
    const kinds = new Map<string, Set<string>>();
    for (const kind of [...after.kinds, ...before.kinds]) {
      const names = kinds.get(kind.kind) ?? new Set();
      for (const robot of kind.robots) names.add(robot.name);
      kinds.set(kind.kind, names);
    }
    // A robot that the file does not name has the answer of any other robot.
    const other = (map: Map<string, MatrixRobot>, name: string) => map.get(name) ?? map.get('*');
    let changed = 0;
    const bodies: HTMLElement[] = [];
    const seen = new Set<string>();
    const changeOf = this.changeOf();
    const isChanged = (name: string) => {
      const change = changeOf(name);
      return change === null ? this.summary(other(old, name)) !== this.summary(other(now, name)) : change !== false;
    };
    const key = (name: string) => {
      const [one, two] = [other(old, name), other(now, name)];
      const change = changeOf(name);
      const witness = typeof change === 'object' && change ? `${change.usage} ${change.witness} ${change.old.outcome} ${change.new.outcome}` : change;
      return `${this.summary(one)} ${this.summary(two)} ${one?.follows_robots_txt === false || two?.follows_robots_txt === false} ${witness}`;
    };
    const common = key('*');
    const likeOthers = new Map<string, string[]>();
    for (const [kind, names] of kinds) {
      if (kind === 'every-other') continue;
      const alike = [...names].filter((name) => key(name) === common);
      if (alike.length > 0) likeOthers.set(kind, alike);
    }
    for (const [kind, names] of kinds) {
      // Robots with the same answers, before and after, share a row.
      const rows = new Map<string, { names: string[]; one: MatrixRobot | undefined; two: MatrixRobot | undefined; differs: boolean; change: ReturnType<typeof changeOf> }>();
      for (const name of names) {
        if (seen.has(name)) continue;
        seen.add(name);
        const [one, two] = [other(old, name), other(now, name)];
        const differs = isChanged(name);
        if (differs) changed += 1;
        else if (only) continue;
        if (kind !== 'every-other' && likeOthers.get(kind)?.includes(name)) continue;
        const same = key(name);
        const row = rows.get(same) ?? { names: [], one, two, differs, change: changeOf(name) };
        row.names.push(name);
        rows.set(same, row);
      }
      if (rows.size === 0) continue;
      bodies.push(element('tbody', { class: 'kind' },
        element('tr', {}, element('th', { colspan: 3, scope: 'rowgroup' }, KINDS[kind] ?? kind)),
        ...[...rows.values()].map((row) => element('tr', { class: row.differs ? 'changed' : '' },
          element('th', { scope: 'row' }, this.names(row.names), kind === 'every-other' && this.alike(likeOthers), row.differs && element('span', { class: 'hidden' }, ' (changes)')),
          element('td', {}, this.access(row.one, this.before)), element('td', {}, this.access(row.two, this.draft, row.one), this.example(row.change))))));
    }
    if (bodies.length === 0) {
      replace(this.matrix, emptyState('No robot gets another answer.', 'Clear the box above to see all robots.'));
      return;
    }
    refresh(this.matrix, element('p', { class: 'note' }, `${count(changed, 'robot changes', 'robots change')}, of ${seen.size}. Allowed: every URL; closed: none; partly: anything between.`),
      element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of robots' },
        element('table', {}, element('thead', {}, element('tr', {}, ...['Robot', 'Before', 'After'].map((head) => element('th', { scope: 'col' }, head)))), ...bodies)));
  }

  /** A URL for which the answer changes: the access alone may be the same on both sides. */
  private example(change: Region | boolean | null): HTMLElement | null {
    if (!change || change === true) return null;
    const { usage, witness, old, new: now } = change;
    const word = usage === 'crawl' ? '' : `${USAGES[usage] ?? usage}: `;
    return element('p', { class: 'note new' }, 'such as ', code(witness, 80), `: ${word}${outcomeWord(old.outcome, usage)} → ${outcomeWord(now.outcome, usage)}`);
  }

  private names(names: string[]): HTMLElement {
    const shown = names.map((name) => visible(robotName(name), 80));
    if (shown.length <= 4) return element('span', {}, shown.join(', '));
    return element('details', {}, element('summary', {}, `${shown.slice(0, 2).join(', ')} and ${shown.length - 2} more`), shown.slice(2).join(', '));
  }

  /** The known robots that have the answer of any other robot, by kind. */
  private alike(kinds: Map<string, string[]>): HTMLElement | null {
    const number = [...kinds.values()].flat().length;
    if (number === 0) return null;
    return element('details', {}, element('summary', {}, `and ${count(number, 'known robot')} with the same answer`),
      ...[...kinds].map(([kind, names]) => element('p', { class: 'note' }, element('strong', {}, `${KINDS[kind] ?? kind}: `), names.map((name) => visible(name, 80)).join(', '))));
  }

  private summary(robot: MatrixRobot | undefined): string {
    if (!robot) return '';
    return JSON.stringify([robot.access, robot.exceptions, robot.exception?.path, robot.exception?.decided_by?.statement, robot.access === 'partly' ? '' : robot.decided_by?.statement.toLowerCase().startsWith('user-agent') ? '' : robot.decided_by?.statement,
      preferencesOf(robot).map((one) => [one.usage, one.outcome, exceptionsOf(one)])]);
  }

  /** How much of the site a robot may crawl, and what it may be used for; what `earlier` had otherwise stands out. */
  private access(robot: MatrixRobot | undefined, editor: Editor, earlier = robot): HTMLElement {
    if (!robot) return element('span', { class: 'note' }, 'not named');
    const stated = (one: MatrixRobot | undefined) => preferencesOf(one)
      .map((one) => `${USAGES[one.usage]}: ${outcomeWord(one.outcome, one.usage)}${exceptionsOf(one) ? `, another answer for ${count(exceptionsOf(one), 'path')}` : ''}`);
    const before = stated(earlier);
    const more = (one: MatrixRobot | undefined) => (one && one.exceptions > 1 ? ` and ${count(one.exceptions - 1, 'more rule')}` : '');
    const how = (isNew: boolean) => (isNew ? 'note new' : 'note');
    const by = robot.exception?.decided_by ?? robot.decided_by;
    return element('div', {},
      element('span', { class: `badge ${robot.access}` }, ACCESS[robot.access] + (robot.proven ? '' : ' (not proven)')), ' ',
      by && lineButton(by.line, (line) => editor.goTo(line)), ' ', by && code(quoted(by.statement, editor.file.text, by.line), 80),
      more(robot) && element('span', { class: how(more(robot) !== more(earlier)) }, more(robot)),
      robot.follows_robots_txt === false && element('p', { class: 'note' }, 'does not follow robots.txt, its operator documents'),
      ...stated(robot).map((text) => element('p', { class: how(!before.includes(text)) }, text)));
  }
}
