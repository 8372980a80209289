/** The page: connects its panels. */
import { AnswerPanel } from './answer';
import { AnswerError, IS_STATIC, onTrouble } from './answers';
import { agentsOf, circumstances, isAbsent, originOf, pageOf } from './asked';
import { NO_FILE, decode, isSame, member, sizeOf, type RobotsFile } from './bytes';
import { Compare, hasFile } from './compare';
import { clipboard, copy, tableCases, tableCsv, tableMarkdown } from './copy';
import { announce, byId, count, element, refresh, replace, sentence, settled, visible } from './dom';
import { Editor } from './editor';
import { explain } from './explanation';
import { Grid, type NoCells, type Row } from './grid';
import { History } from './history';
import { Options } from './options';
import { Picker } from './picker';
import { printable } from './print';
import { withoutRefused } from './refused';
import { Latest, service, type FileFinding, type Outcome } from './service';
import { Site } from './site';
import { MOST_SITEMAP_BYTES, Sitemaps, isSitemap, namedSitemaps } from './sitemaps';
import { EMPTY, LONGEST_LINK, LONG_LINK, draftOf, empty, keep, restore, siteUrl, toFragment, urlsOf, type State } from './state';
import { during, emptyState, problem } from './states';
import { Summary } from './summary';
import { Table, type Filter } from './table';
import { WishForm, proof } from './wishes';
import { USAGES, bytes, outcomeWord, robotName } from './words';

const EXAMPLE = `# robots.txt of a newspaper
User-agent: *
Allow: /blog/
Disallow: /search
Disallow: /*?print=1
Content-Usage: train-ai=n, search=y

User-agent: GPTBot
User-agent: CCBot
Allow: /blog/press/
Disallow: /blog/
Disalow: /drafts/

User-agent: Googlebot
Disallow: drafts

Sitemap: https://www.example.com/sitemap.xml
`;
/** The example before its last change. */
const EXAMPLE_BEFORE = EXAMPLE.replace('Disallow: /search\n', '').replace('User-agent: CCBot\n', '');
const EXAMPLE_URLS = '/\n/blog/2026/spring\n/blog/press/kit\n/search?q=robots\n/drafts/1';

/** URLs for each request about the table; the first answer should be there at once. */
const FIRST_URLS = 100;
const MORE_URLS = 1000;
const MOST_FINDINGS = 200;
/** So many notes of one code are shown; the others are behind a line. */
const MOST_ALIKE = 3;
/** So many robots are counted one by one above the table. */
const MOST_COUNTED = 12;
/** So long findings of an earlier text stay, in milliseconds. */
const STALE = 700;
const SEVERITIES = ['error', 'warning', 'info'];

let state: State = empty();
const stateNow = () => state;
const save = settled(() => void keep(state), 400);

// The editor and its findings.

const summary = new Summary(stateNow);
const lintSignal = new Latest();
let linted: { findings: FileFinding[]; file: RobotsFile } | null = null;
const findingsPlace = byId('findings');

async function lint(): Promise<void> {
  const signal = lintSignal.next();
  const file = draftOf(state);
  if (!file.text.trim() && state.absence !== EMPTY) {
    linted = null;
    draft.show([], file);
    showFindings();
    void summary.run();
    return;
  }
  // Findings of an earlier text would mislead if the answer takes long.
  const late = setTimeout(() => {
    if (signal.aborted) return;
    byId('findings-title').textContent = 'Findings';
    byId('fix-all').hidden = true;
    refresh(findingsPlace, element('p', { class: 'note' }, 'Checking the file…'));
  }, STALE);
  const answer = await during(findingsPlace, () => service.lint({ ...member(file), ...pageOf(state) }, signal), () => void lint());
  clearTimeout(late);
  if (!answer || signal.aborted || !isSame(file, draft.file)) return;
  linted = { findings: answer.findings, file };
  draft.show(answer.findings, file);
  showFindings();
  // Not at the same time: a long file takes its time.
  void summary.run();
}

function fix(finding: FileFinding): void {
  if (!linted || !isSame(linted.file, draft.file) || !finding.fix) {
    announce('The file has just changed. Try again in a moment.');
    return;
  }
  const before = draft.file;
  draft.edit(finding.fix.edits);
  if (finding.line) draft.reveal(finding.line);
  // At once, so that the next fix can follow.
  void lint();
  done(`Fixed${finding.line ? `, line ${finding.line}` : ''}: ${finding.fix.title}.`, before);
}

/** Says what was changed, with a way back. */
function done(text: string, before: RobotsFile): void {
  const place = byId('fixed');
  place.hidden = false;
  refresh(place, sentence(text), ' ', element('button', { type: 'button', onclick: () => { draft.undo(before); announce('Undone'); } }, 'Undo'));
  announce(text);
}

function safeFixes(): FileFinding[] {
  return (linted?.findings ?? []).filter((finding) => finding.origin === 'robots.txt' && finding.fix?.safety === 'safe' && finding.fix.edits.length > 0);
}

async function fixAll(): Promise<void> {
  const before = draft.file;
  try {
    const { fixed, file } = await service.fixed(before);
    if (!isSame(draft.file, before)) return;
    draft.file = file;
    done(`${count(fixed, 'fix', 'fixes')} applied. No answer changed.`, before);
  } catch (error) {
    replace(findingsPlace, problem(error, () => void fixAll()));
  }
}

function showFindings(): void {
  const all = byId<HTMLButtonElement>('fix-all');
  const safe = safeFixes().length;
  all.hidden = safe === 0;
  all.textContent = `Apply ${count(safe, 'safe fix', 'safe fixes')}`;
  const findings = linted?.findings ?? [];
  summary.found(linted?.findings ?? null);
  byId('findings-title').textContent = findings.length > 0 ? `Findings (${findings.length})` : 'Findings';
  if (findings.length === 0) {
    refresh(findingsPlace, element('p', { class: 'note' }, linted ? 'None: the file says what it seems to mean.' : 'Shown as you type.'));
    return;
  }
  const worst = [...findings].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || (a.line ?? 0) - (b.line ?? 0));
  const shown = worst.slice(0, MOST_FINDINGS);
  const alike = (finding: FileFinding) => shown.filter(({ severity, code }) => severity === 'info' && code === finding.code);
  const rows = shown.flatMap((finding) => {
    const at = alike(finding).indexOf(finding);
    return at < MOST_ALIKE ? [findingRow(finding)] : at === MOST_ALIKE ? [foldedRow(alike(finding).slice(MOST_ALIKE))] : [];
  });
  refresh(findingsPlace, element('ul', {}, ...rows),
    findings.length > MOST_FINDINGS && element('p', { class: 'note' }, `and ${findings.length - MOST_FINDINGS} more`));
}

/** Notes of one code that say much the same. */
function foldedRow(findings: FileFinding[]): HTMLElement {
  return element('li', { class: 'finding' }, element('details', {},
    element('summary', { class: 'note' }, `${findings.length} more of `, element('code', {}, findings[0]!.code)),
    element('ul', {}, ...findings.map(findingRow))));
}

function findingRow(finding: FileFinding): HTMLElement {
  const fixable = finding.origin === 'robots.txt' && finding.fix && finding.fix.edits.length > 0 ? finding.fix : null;
  return element('li', { class: 'finding' },
    element('div', { class: 'text' },
      element('span', { class: `severity ${finding.severity}` }, finding.severity), ' ',
      finding.origin !== 'robots.txt' ? `${finding.origin}: ` : finding.line ? element('button', { type: 'button', class: 'link', onclick: () => draft.goTo(finding.line!) }, `line ${finding.line}`) : null, ' ',
      sentence(finding.message), ' ', element('button', { type: 'button', class: 'link note', 'aria-label': `What ${finding.code} means`, onclick: () => void explain(finding.code) }, finding.code),
      fixable && element('p', { class: 'note' }, 'Fix: ', sentence(fixable.title), fixable.safety !== 'safe' && ' (may change answers)')),
    fixable && element('button', {
      type: 'button',
      title: fixable.safety === 'safe' ? 'Changes no answer' : 'May change what robots may crawl, to what is probably meant',
      'aria-label': `Fix line ${finding.line ?? ''}: ${visible(fixable.title)}${fixable.safety === 'safe' ? '' : ' (may change answers)'}`,
      onclick: () => fix(finding),
    }, 'Fix'));
}

/** The last text that was formatted. */
let formatted = NO_FILE;

async function format(): Promise<void> {
  const before = draft.file;
  if (!before.text.trim()) return;
  try {
    const { changed, file } = await service.fmt(before);
    if (!isSame(draft.file, before)) return;
    if (changed) draft.file = file;
    if (!changed) announce('The file has the canonical format already.');
    if (changed) done('Formatted. No answer changed.', before);
    formatted = file;
    sizeSoon();
  } catch (error) {
    replace(findingsPlace, problem(error, () => void format()));
  }
}

const lintSoon = settled(() => void lint(), 300);
const askSoon = settled(() => void ask(), 350);
const sizeSoon = settled(() => {
  const file = draftOf(state);
  byId('draft-size').textContent = file.text
    ? `${count(draft.lines, 'line')}, ${bytes(sizeOf(file))}${isSame(file, formatted) ? ', formatted' : ''}` : '';
  options.showAcap();
  byId('named-sitemaps').hidden = IS_STATIC || namedSitemaps(file.text).length === 0;
}, 200);

const draft = new Editor('robots.txt, your draft', `Paste a robots.txt here, or ${IS_STATIC ? 'open a file' : 'get the live file of a site'} above.`, () => {
  ({ text: state.robots, encoding: state.encoding } = draft.file);
  if (state.tab !== 'compare') draft.mark(null);
  edited();
}, fix);

function edited(): void {
  byId('fixed').hidden = true;
  if (state.robots.trim()) state.absence = '';
  tie();
  save();
  sizeSoon();
  lintSoon();
  if (state.tab === 'test') askSoon();
  compare.edited();
}

// The table of outcomes.

const tableSignal = new Latest();
let table = new Table();
const tablePlace = byId('table');
const grid = new Grid((url, robot, row) => {
  state.row = row;
  state.column = robot;
  save();
  answerSoon();
  void url;
});
const answerSoon = settled(() => {
  const chosen = grid.selection;
  if (!chosen) return;
  const row = table.cells[table.urls.indexOf(chosen.url)];
  if (row && !Array.isArray(row)) answer.clear(noAnswer(chosen.url, row));
  else void answer.show(chosen.url, chosen.robot);
}, 120);

const options = new Options(stateNow, () => {
  save();
  lintSoon();
  askSoon();
});
const answer = new AnswerPanel(byId('answer'), stateNow, (line) => draft.goTo(line), (marks, decides) => {
  draft.mark(marks);
  if (decides) draft.reveal(decides);
}, options);

function noQuestion(): HTMLElement {
  return emptyState('Who decides?', 'Select an outcome in the table: this shows which line decides, what it overrides, and why.');
}

/** A host without a scheme, as people write it. */
const HOST = /^[a-z\d-]+(\.[a-z\d-]+)+(:\d+)?([/?]|$)/i;

function noAnswer(url: string, { word, why, site: other }: NoCells): HTMLElement {
  const made = emptyState(`No answer: ${word}`, `${visible(url)}: ${visible(why)}`);
  if (HOST.test(url)) {
    made.append(element('button', {
      type: 'button',
      onclick: () => {
        const field = byId<HTMLTextAreaElement>('urls');
        field.value = state.urls = state.urls.split('\n').map((line) => (HOST.test(line.trim()) ? `https://${line.trim()}` : line)).join('\n');
        save();
        void ask();
      },
    }, 'Write https:// before each such line'));
  }
  if (other) {
    made.append(element('button', {
      type: 'button',
      onclick: () => {
        byId<HTMLInputElement>('site').value = state.site = other;
        void site.get(true);
      },
    }, 'Get the robots.txt of that site'));
  }
  return made;
}

/** Which URLs are of another site than the one above, whose robots.txt does not decide there. */
function elsewhere(): (url: string) => NoCells | null {
  if (!siteUrl(state.site)) return () => null;
  const here = originOf(state);
  return (url) => {
    const origin = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).origin : here;
    return origin === here ? null
      : { word: 'other site', why: `the robots.txt of ${origin} decides here, and not that of ${here}. To judge it by this file anyway, clear the site above.`, site: origin };
  };
}

async function ask(): Promise<void> {
  const signal = tableSignal.next();
  const urls = urlsOf(state.urls);
  const agents = agentsOf(state);
  byId('urls-note').textContent = urls.length > 1 ? `${count(urls.length, 'URL')}, one on each line.` : 'One on each line, paths or whole URLs. Paste as many as you like.';
  if ((!state.robots.trim() && !isAbsent(state)) || urls.length === 0 || agents.length === 0) {
    replace(byId('table-note'));
    replace(byId('totals'));
    replace(tablePlace, urls.length === 0
      ? emptyState('Which URLs?', 'Enter paths such as /blog/, or paste whole URLs, for example from a log.')
      : agents.length === 0
        ? emptyState('Which robots?', state.agents.length > 0 ? 'None of the names can be read: see under “Robots”.' : 'Add names such as GPTBot, or kinds such as @search.')
        : emptyState('Which robots.txt?', `${IS_STATIC ? 'Open a file' : 'Enter a site above'}, paste a file into the editor, or choose “Show an example”.`));
    answer.clear(noQuestion());
    return;
  }
  const request = (part: string[]) => ({ agents: agentsOf(state), urls: part, usage: state.usage, profiles: ['careful', 'google'], ...circumstances(state) });
  const isElsewhere = elsewhere();
  const cells: Row[] = urls.map((url) => isElsewhere(url) ?? undefined);
  const here = urls.flatMap((_, at) => (cells[at] ? [] : [at]));
  if (here.length === 0) {
    table = new Table(urls, agents, cells);
    showTable(true);
    return;
  }
  for (let from = 0, size = FIRST_URLS; from < here.length; from += size, size = MORE_URLS) {
    const part = here.slice(from, from + size);
    const got = await during(tablePlace, () => withoutRefused(async () => (agentsOf(state).length > 0
      ? service.table(request(part.map((at) => urls[at]!)), signal) : null)), () => void ask());
    if (signal.aborted) return;
    if (agentsOf(state).length === 0) {
      void ask();
      return;
    }
    if (!got) {
      replace(byId('table-note'));
      replace(byId('totals'));
      answer.clear(emptyState('No answer yet', 'The table above says why.'));
      return;
    }
    if (from === 0) table = new Table(urls, agents, cells);
    table.add(part, got);
    showTable(from === 0);
  }
}

/** Which rows the page shows: those that a robot may not have, or one of the other filters. */
function filter(): Filter {
  const { value } = byId<HTMLSelectElement>('filter');
  const column = value.startsWith(OF_ROBOT) ? table.robots.indexOf(value.slice(OF_ROBOT.length)) : -1;
  return column >= 0 ? column : value.startsWith(OF_ROBOT) ? 'all' : value as Filter;
}

/** How the value of a filter for one robot begins. */
const OF_ROBOT = 'robot ';

/** The filters for single robots: those of the table. */
function showFilters(): void {
  const group = byId<HTMLOptGroupElement>('filter-robots');
  const names = table.robots;
  if (names.join('\n') === [...group.children].map((one) => one.getAttribute('value')!.slice(OF_ROBOT.length)).join('\n')) return;
  const select = byId<HTMLSelectElement>('filter');
  const { value } = select;
  replace(group, ...names.map((name) => element('option', { value: `${OF_ROBOT}${name}` }, visible(robotName(name), 60))));
  select.value = value;
  if (select.value !== value) select.value = 'all';
}

/** How many URLs each robot may not have; a number leads to them. */
function totals(): HTMLElement | null {
  if (table.answered < 2) return null;
  const counted = table.robots.map((name, column): [string, number] => [name, table.disallowed[column] ?? 0]);
  const row = ([name, number]: [string, number]) => element('li', {}, `${visible(robotName(name), 60)}: `, number === 0 ? 'none'
    : element('button', {
      type: 'button',
      class: 'link',
      onclick: () => {
        byId<HTMLSelectElement>('filter').value = `${OF_ROBOT}${name}`;
        showTable(true);
        announce(`The table shows ${count(number, 'URL')}.`);
      },
    }, `${number.toLocaleString('en')} disallowed`));
  const [first, rest] = [counted.slice(0, MOST_COUNTED), counted.slice(MOST_COUNTED)];
  return element('div', { class: 'totals' }, element('span', { class: 'note' }, `Of ${count(table.answered, 'URL')}`),
    element('ul', {}, ...first.map(row)),
    rest.length > 0 && element('details', {}, element('summary', {}, `and ${count(rest.length, 'more robot')}`), element('ul', {}, ...rest.map(row))));
}

function showTable(first: boolean): void {
  showFilters();
  const rows = table.rows(filter());
  const open = byId('totals').querySelector('details')?.open ?? false;
  refresh(byId('totals'), totals());
  const more = byId('totals').querySelector('details');
  if (more) more.open = open;
  const numbers = new Map<Outcome, number>(state.usage === 'crawl' ? [['permitted', 0], ['prohibited', 0]] : []);
  for (const [outcome, number] of table.counts) numbers.set(outcome, number);
  const [wrong, other] = [table.without('not a URL'), table.without('other site')];
  replace(byId('table-note'),
    `${count(table.urls.length, 'URL')} × ${count(table.robots.length, 'robot')}: `,
    [...numbers].map(([outcome, number]) => `${number.toLocaleString('en')} ${outcomeWord(outcome, state.usage)}`).join(', ') || 'no answer',
    table.differ > 0 ? `; careful and Google profiles differ in ${table.differ.toLocaleString('en')}` : '',
    other > 0 ? `. ${count(other, 'URL belongs', 'URLs belong')} to another site, whose own robots.txt decides there` : '',
    wrong > 0 ? `. ${count(wrong, 'line is', 'lines are')} no path or URL` : '', '. Select an outcome to see who decided.', leftOut());
  if (rows.length === 0) {
    replace(tablePlace, emptyState('No URL is like that', 'Choose “all URLs” to see the table again.'));
    return;
  }
  if (!tablePlace.contains(grid.host)) replace(tablePlace, grid.host, copies());
  grid.fill(table.urls, table.robots, table.cells, state.usage, rows, table.differ > 0);
  if (first) {
    grid.place(state.row, state.column);
    answerSoon();
  }
}

/** What was entered and does not count in the table, because it is refused. */
function leftOut(): HTMLElement | null {
  const refused = state.agents.length - agentsOf(state).length;
  const parts: [string, () => void][] = [...(refused > 0 ? [['Robots', () => byId('robot').focus()] as [string, () => void]] : []), ...options.leftOut];
  if (parts.length === 0) return null;
  return element('span', { class: 'wrong' }, ' Not everything that you entered counts: see ',
    ...parts.flatMap(([name, go], at) => [at > 0 && ', ', element('button', { type: 'button', class: 'link', onclick: go }, name)]), '.');
}

/** What the table is about, for those who only have a copy of it. */
function aboutTable(): string {
  const [url, at] = state.live;
  const of = siteUrl(state.site) ? ` of ${originOf(state)}` : '';
  return `${USAGES[state.usage] ?? state.usage}, by ${url && at ? `${url} as of ${at}` : `a draft of the robots.txt${of}, on ${new Date().toISOString().slice(0, 10)}`}`;
}

function copies(): HTMLElement {
  return element('p', { class: 'copies' }, element('span', { class: 'note' }, 'Copy as'),
    clipboard('CSV', () => tableCsv(table.urls, table.robots, table.cells, state.usage)),
    clipboard('Markdown', () => tableMarkdown(aboutTable(), table.urls, table.robots, table.cells, state.usage)),
    clipboard('JSON', () => JSON.stringify({ urls: table.urls, robots: table.robots, cells: table.cells }, null, 1)),
    clipboard('test cases', () => tableCases(table.urls, table.robots, table.cells, state.usage, state)));
}

// The other panels.

const picker = new Picker(() => state.agents, (agents) => {
  state.agents = agents;
  save();
  askSoon();
});

// A live file takes the place of another one, but not of a draft.

let taken = NO_FILE;

function take(file: RobotsFile): void {
  taken = file;
  draft.file = file;
}

/** Says beside what was fetched whether the editor has it. */
function tie(): void {
  const isLive = site.live !== null && isSame(draft.file, site.live.file) && (state.robots.trim() !== '' || isAbsent(state));
  state.live = isLive ? [site.live!.url, site.live!.at] : [];
  if (isLive) byId('offer').hidden = true;
  // On Compare the two are beside each other.
  site.differs(state.tab === 'test' && !isLive && state.robots.trim() !== '' && byId('offer').hidden === true);
}

function offer(file: RobotsFile, absence: string): void {
  const place = byId('offer');
  const close = () => { place.hidden = true; };
  const current = draft.file;
  if (!current.text.trim() || isSame(current, taken) || isSame(current, file)) {
    close();
    take(file);
    state.absence = absence;
    tie();
    save();
    return;
  }
  place.hidden = false;
  tie();
  const compareButton = element('button', { type: 'button', onclick: () => { close(); compare.take(site.live!); openTab('compare'); } }, 'Compare the two');
  if (absence) {
    replace(place, element('p', {}, 'The editor has a draft, and the answers below are about that.'),
      element('p', { class: 'copies' },
        absence === EMPTY && compareButton, element('button', {
        type: 'button',
        onclick: () => {
          close();
          take(file);
          state.absence = absence;
          tie();
          save();
          void ask();
        },
      }, 'Clear it to see the answers for the site')));
    return;
  }
  replace(place, element('p', {}, 'The editor has a draft that is not the live file.'),
    element('p', { class: 'copies' },
      compareButton,
      element('button', { type: 'button', onclick: () => { close(); take(file); draft.view.focus(); } }, 'Replace the draft')));
}

/** Puts URLs into their field, as if they were typed. */
function setUrls(text: string): void {
  state.urls = text;
  byId<HTMLTextAreaElement>('urls').value = text;
  save();
}

const sitemaps = new Sitemaps((urls) => {
  setUrls(urls.join('\n'));
  void ask();
});

/** A page of the site that is typed in place of its address is one of the URLs too. */
function takePage(): void {
  const url = siteUrl(state.site);
  const { pathname, search } = new URL(url ?? 'https://site.example/');
  const path = pathname + search;
  if (path === '/' || path === '/robots.txt') return;
  const urls = urlsOf(state.urls);
  if (urls.includes(path) || urls.includes(url!)) return;
  setUrls(urls.length === 1 && urls[0] === '/' ? path : [...urls, path].join('\n'));
}

const wishForm = new WishForm((file, text, notes) => {
  const before = draft.file;
  openTab('test');
  draft.file = file;
  state.absence = '';
  const place = byId('fixed');
  place.hidden = false;
  refresh(place, ...proof(text, notes), ' ',
    before.text.trim() !== '' && element('button', { type: 'button', onclick: () => { draft.undo(before); announce('Undone'); } }, 'Undo'));
  announce(text);
});

const site = new Site(() => state.site, offer);
const compare = new Compare(stateNow, draft, save);
const history = IS_STATIC ? null : new History(stateNow, (live, where) => {
  if (where === 'draft') {
    site.keep(live);
    take(live.file);
    state.absence = live.absence;
    tie();
  } else compare.take(live);
  openTab(where === 'draft' ? 'test' : 'compare');
}, save);

/** A history needs a service. */
const TABS: readonly State['tab'][] = IS_STATIC ? ['test', 'compare'] : ['test', 'compare', 'history'];

function openTab(wanted: State['tab']): void {
  const tab = TABS.includes(wanted) ? wanted : 'test';
  state.tab = tab;
  byId('offer').hidden = true;
  for (const one of TABS) {
    const button = byId(`tab-${one}`);
    button.setAttribute('aria-selected', String(one === tab));
    button.tabIndex = one === tab ? 0 : -1;
    byId(`panel-${one}`).hidden = one !== tab;
  }
  // There is one draft: it moves to the panel that shows it.
  byId(tab === 'compare' ? 'after-slot' : 'draft-slot').append(draft.host);
  draft.view.requestMeasure();
  const others = tab === 'history';
  for (const id of ['or', 'example', 'write']) byId(id).hidden = others;
  byId('site-status').hidden = others;
  // On Compare each side has its own.
  byId('open').hidden = tab !== 'test';
  byId('get').textContent = others ? 'Show its history' : tab === 'compare' ? 'Compare with its live file' : 'Get its robots.txt';
  if (tab === 'test') void ask();
  draft.mark(null);
  tie();
  if (tab === 'compare') {
    byId<HTMLTextAreaElement>('compare-urls').value = state.urls;
    if (!state.before && site.live && hasFile(site.live)) compare.take(site.live);
    void compare.run();
  }
  if (tab === 'history') void history?.run();
  save();
}

function showAll(): void {
  const [url, at] = state.live;
  const file = draftOf(state);
  site.keep(url && at ? { url, at, file, absence: state.absence } : null);
  if (url) taken = file;
  draft.file = file;
  compare.show();
  byId<HTMLInputElement>('site').value = state.site;
  byId<HTMLTextAreaElement>('urls').value = state.urls;
  byId<HTMLSelectElement>('usage').value = state.usage;
  picker.show();
  options.show();
  sitemaps.clear();
  sizeSoon();
  openTab(state.tab);
  void lint();
}

/** The editor that takes the file that is opened. */
let opensInto = draft;

function openFile(file: File): void {
  if (file.size > 5 * 1024 * 1024) {
    announce('This file has more than 5 MiB; robots.txt files are read up to 500 KiB.');
    return;
  }
  void file.arrayBuffer().then((buffer) => {
    opensInto.file = decode(new Uint8Array(buffer));
    opensInto.view.focus();
  });
}

function listen(): void {
  // The fragment is the state of the page, so links within it must not change it.
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault();
    byId('main').focus();
  });
  byId('skip-findings').addEventListener('click', (event) => {
    event.preventDefault();
    byId('urls').focus();
  });
  byId('skip-table').addEventListener('click', (event) => {
    event.preventDefault();
    openTab('test');
    byId('table').scrollIntoView({ block: 'center' });
    if (tablePlace.contains(grid.host)) grid.focus();
    else byId('urls').focus();
  });
  const tabs = document.querySelector('[role="tablist"]')!;
  for (const tab of TABS) byId(`tab-${tab}`).addEventListener('click', () => openTab(tab));
  tabs.addEventListener('keydown', (event) => {
    const key = (event as KeyboardEvent).key;
    const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    const next = TABS[(TABS.indexOf(state.tab) + by + TABS.length) % TABS.length]!;
    openTab(next);
    byId(`tab-${next}`).focus();
  });
  byId('site').addEventListener('input', () => { state.site = byId<HTMLInputElement>('site').value; state.absence = ''; save(); });
  byId('site').addEventListener('change', () => {
    if (state.tab !== 'test') return;
    takePage();
    askSoon();
  });
  byId('site-form').addEventListener('submit', async (event) => {
    event.preventDefault();
    if (state.tab === 'history') await history?.run(true);
    else if (state.tab === 'compare') {
      const live = await site.get(false);
      if (live) compare.take(live);
    } else {
      takePage();
      await site.get(true);
      askSoon();
    }
  });
  byId('example').addEventListener('click', () => {
    byId('offer').hidden = true;
    take({ text: EXAMPLE, encoding: 'utf-8' });
    if (state.tab === 'compare' && !state.before.trim()) compare.before.file = { text: EXAMPLE_BEFORE, encoding: 'utf-8' };
    if (urlsOf(state.urls).length < 2) {
      state.urls = EXAMPLE_URLS;
      byId<HTMLTextAreaElement>('urls').value = EXAMPLE_URLS;
    }
  });
  const file = byId<HTMLInputElement>('file');
  for (const [id, editor] of [['open', draft], ['open-after', draft], ['open-before', compare.before]] as const) {
    byId(id).addEventListener('click', () => {
      opensInto = editor;
      file.click();
    });
  }
  file.addEventListener('change', () => {
    const chosen = file.files?.[0];
    if (chosen) openFile(chosen);
    file.value = '';
  });
  byId('urls').addEventListener('input', () => {
    const { value } = byId<HTMLTextAreaElement>('urls');
    if (isSitemap(value)) {
      setUrls('');
      void sitemaps.open(value);
      return;
    }
    // A sitemap that was pasted has just gone from the field.
    if (value === state.urls) return;
    state.urls = value;
    sitemaps.clear();
    save();
    askSoon();
  });
  const sitemapFile = byId<HTMLInputElement>('sitemap-file');
  byId('open-sitemap').addEventListener('click', () => sitemapFile.click());
  sitemapFile.addEventListener('change', () => {
    const chosen = sitemapFile.files?.[0];
    sitemapFile.value = '';
    if (!chosen) return;
    if (chosen.size > MOST_SITEMAP_BYTES) announce('This file has more than 50 MiB, the most that a sitemap may have.');
    else void chosen.arrayBuffer().then((buffer) => sitemaps.open(new Uint8Array(buffer)));
  });
  byId('named-sitemaps').addEventListener('click', () => void sitemaps.get(namedSitemaps(state.robots)));
  byId('write').addEventListener('click', () => wishForm.open());
  byId('compare-urls').addEventListener('input', () => {
    setUrls(byId<HTMLTextAreaElement>('compare-urls').value);
    compare.edited();
  });
  printable(() => grid, draft);
  byId('usage').addEventListener('change', () => {
    state.usage = byId<HTMLSelectElement>('usage').value;
    save();
    void ask();
  });
  byId('filter').addEventListener('change', () => showTable(true));
  byId('format').addEventListener('click', () => void format());
  byId('fix-all').addEventListener('click', () => void fixAll());
  byId('draft-slot').addEventListener('keydown', (event) => {
    if (event.shiftKey && event.altKey && event.code === 'KeyF') {
      event.preventDefault();
      void format();
    }
  });
  byId('swap').addEventListener('click', () => {
    const before = compare.before.file;
    if (state.live.length > 0) compare.take(site.live!);
    else compare.before.file = draft.file;
    draft.file = before;
  });
  byId('explanation-close').addEventListener('click', () => byId<HTMLDialogElement>('explanation').close());
  byId('share').addEventListener('click', () => void share());
  window.addEventListener('hashchange', () => void load());
  document.addEventListener('token', () => void known());
  document.addEventListener('refused', () => {
    picker.show();
    options.note();
    if (table.urls.length > 0 && tablePlace.contains(grid.host)) showTable(false);
  });
}

async function share(): Promise<void> {
  const fragment = await toFragment(state);
  const button = byId('share');
  if (fragment.length > LONGEST_LINK) {
    announce('The file is too large for a link. Copy the file itself.');
    button.textContent = 'Too large for a link';
  } else {
    const long = fragment.length > LONG_LINK;
    await copy(`${location.href.split('#')[0]}#${fragment}`, `a link to this page as it is now${long ? `, of ${bytes(fragment.length)}: some programs cut such links` : ''}`);
    button.textContent = long ? `Copied: ${bytes(fragment.length)} long` : 'Copied';
  }
  setTimeout(() => { button.textContent = 'Copy link'; }, 2000);
}

async function load(): Promise<void> {
  const restored = await restore();
  if (restored) state = restored;
  showAll();
  if (!restored) banner('This link is damaged, so the page is as it was.', true);
}

async function known(): Promise<void> {
  try {
    const { robots } = await service.known();
    picker.know(robots);
    answer.know(robots);
  } catch (error) {
    // Names can still be typed; a problem is shown where an answer is missing.
    if (!(error instanceof AnswerError)) throw error;
  }
}

function banner(text: string, closable: boolean): void {
  const place = byId('banner');
  place.hidden = false;
  replace(place, element('span', {}, sentence(text)), closable
    ? element('button', { type: 'button', onclick: () => { place.hidden = true; } }, 'Close')
    : element('button', { type: 'button', onclick: () => { void known(); void lint(); openTab(state.tab); } }, 'Try again'));
}

function theme(): void {
  const select = byId<HTMLSelectElement>('theme');
  select.value = localStorage.getItem('abide-theme') ?? '';
  const apply = () => {
    if (select.value) document.documentElement.dataset.theme = select.value;
    else delete document.documentElement.dataset.theme;
    localStorage.setItem('abide-theme', select.value);
  };
  select.addEventListener('change', apply);
  apply();
}

let offline = false;
onTrouble((trouble) => {
  byId('loading').hidden = true;
  if (!trouble && offline) byId('banner').hidden = true;
  if (trouble) banner(trouble, false);
  offline = trouble !== null;
});

replace(byId('usage'), ...Object.entries(USAGES).map(([value, label]) => element('option', { value }, label)));
answer.clear(noQuestion());
theme();
listen();
void known();
void load();
