/** Copies of what is shown: Markdown, JSON and cases for `abide test`. */
import { listOf, type State } from './state';
import { headersOf } from './asked';
import { csvCell } from './csv';
import { announce, element } from './dom';
import type { Row } from './grid';
import { answerFor, statementLine, type CellAnswer, type Decision, type Diff, type NamedClient, type Outcome, type Region } from './service';
import { PREFERENCE_USAGES, USAGES, outcomeWord, robotName } from './words';

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without a secure context browsers have no clipboard for pages, except for what is selected.
    const field = element('textarea', { class: 'hidden', 'aria-hidden': 'true', tabindex: '-1' });
    field.value = text;
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    if (!copied) {
      announce(`The browser does not allow this page to copy.`);
      return;
    }
  }
  announce(`Copied: ${what}`);
}

/** A button that copies, and says so. */
export function clipboard(label: string, text: () => string): HTMLElement {
  const button = element('button', {
    type: 'button',
    'aria-label': `Copy as ${label}`,
    onclick: async () => {
      await copy(text(), label);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = label; }, 1500);
    },
  }, label);
  return button;
}

/** Foreign text that cannot become Markdown: in backticks, longer than any inside. */
function mark(text: string): string {
  const flat = text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, ' ').replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 || flat.startsWith(' ') ? ' ' : '';
  return `${fence}${pad}${flat}${pad}${fence}`;
}

export function decisionMarkdown(url: string, robot: string, decision: Decision): string {
  const rows = Object.entries(decision.usages)
    .filter(([usage, { outcome }]) => usage === 'crawl' || PREFERENCE_USAGES.includes(usage) || outcome !== 'unspecified')
    .map(([usage, { outcome, evidence }]) => {
      const by = evidence[0];
      const who = by?.line ? `line ${by.line}${by.statement ? `: ${mark(by.statement)}` : ''}` : '';
      return `| ${USAGES[usage] ?? usage} | ${outcomeWord(outcome, usage)} | ${who} |`;
    });
  return [`${mark(robot)} on ${mark(url)}`, '', '| Usage | Outcome | Decided by |', '|---|---|---|', ...rows, ''].join('\n');
}

function cellAt(cells: Row[], row: number, column: number): CellAnswer | undefined {
  const all = cells[row];
  return Array.isArray(all) ? all[column] : undefined;
}

/** The table for people; `about` says what it is a table of. */
export function tableMarkdown(about: string, urls: string[], robots: string[], cells: Row[], usage: string): string {
  const rows = urls.map((url, row) => `| ${mark(url)} | ${robots.map((_, column) => {
    const cell = cellAt(cells, row, column);
    if (!cell) return wordAt(cells, row);
    const other = cell.differs ? `; Google: ${outcomeWord(cell.differs.outcome, usage)}` : '';
    const line = statementLine(cell);
    return `${outcomeWord(cell.outcome, usage)}${line ? ` (line ${line})` : ''}${other}`;
  }).join(' | ')} |`);
  return [about, '', `| URL | ${robots.map((robot) => mark(robot)).join(' | ')} |`, `|---${'|---'.repeat(robots.length)}|`, ...rows, ''].join('\n');
}

function wordAt(cells: Row[], row: number): string {
  const all = cells[row];
  return all && !Array.isArray(all) ? all.word : '';
}

/** The table for spreadsheets: a row for each URL, a column for each robot. */
export function tableCsv(urls: string[], robots: string[], cells: Row[], usage: string): string {
  const rows = urls.map((url, row) => [url, ...robots.map((_, column) => {
    const cell = cellAt(cells, row, column);
    return cell ? outcomeWord(cell.outcome, usage) : wordAt(cells, row) || null;
  })]);
  return [['URL', ...robots], ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** A TOML string. */
function toml(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function expected(outcome: Outcome): string {
  return outcome === 'permitted' ? 'allowed' : outcome === 'prohibited' ? 'disallowed' : outcome;
}

function circumstancesOf(state: State): string[] {
  const purposes = listOf(state.purposes);
  const headers = headersOf(state.headers).map(([name, value]) => `${name}: ${value}`);
  return [
    ...(purposes.length > 0 ? [`purposes = [${purposes.map(toml).join(', ')}]`] : []),
    ...(headers.length > 0 ? [`header = [${headers.map(toml).join(', ')}]`] : []),
    ...(state.vocabularies.length > 0 ? [`vocabularies = [${state.vocabularies.map(toml).join(', ')}]`] : []),
  ];
}

/** What a run of the cases needs beside them. */
function remarks(state: State): string {
  const flags = [...(state.tdmrep.trim() ? ['--tdmrep tdmrep.json'] : []),
    ...state.rsl.filter(([, text]) => text.trim()).map(([url]) => `--rsl ${JSON.stringify(`${url}=FILE`)}`)];
  const lost = [...(state.html.trim() || state.rendered.trim() ? ['the HTML of the page'] : []), ...(state.use ? ['the level of use'] : []),
    ...(state.acapNames.trim() || state.acapPurposes.trim() ? ['the names and purposes for ACAP'] : [])];
  return [...(flags.length > 0 ? [`# Run with ${flags.join(' ')}`] : []),
    ...(lost.length > 0 ? [`# These outcomes also depend on what a case cannot say: ${lost.join(', ')}.`] : [])].map((line) => `${line.replace(/[\r\n]/g, ' ')}\n`).join('');
}

export function decisionCase(url: string, robot: string, decision: Decision, state: State): string {
  const outcomes = ['crawl', ...PREFERENCE_USAGES].map((usage) => [usage, answerFor(decision, usage)?.outcome ?? 'unspecified'] as const);
  const stated = outcomes.filter(([usage, outcome]) => usage === 'crawl' || outcome !== 'unspecified');
  const expectations = stated.map(([usage, outcome]) => `${usage} = ${toml(expected(outcome))}`);
  return remarks(state) + ['[[case]]', `name = ${toml(`${robotName(robot)} on ${url}`)}`, `agent = ${toml(robot)}`, `url = ${toml(url)}`,
    ...circumstancesOf(state), `expect = { ${expectations.join(', ')} }`, ''].join('\n');
}

/** One case for each robot and outcome, with all URLs that have it. */
export function tableCases(urls: string[], robots: string[], cells: Row[], usage: string, state: State): string {
  const cases: string[] = [];
  robots.forEach((robot, column) => {
    const byOutcome = new Map<Outcome, string[]>();
    urls.forEach((url, row) => {
      const outcome = cellAt(cells, row, column)?.outcome;
      if (!outcome) return;
      const list = byOutcome.get(outcome) ?? [];
      list.push(url);
      byOutcome.set(outcome, list);
    });
    for (const [outcome, list] of byOutcome) {
      cases.push(['[[case]]', `name = ${toml(`${robotName(robot)}: ${(USAGES[usage] ?? usage).toLowerCase()} ${outcomeWord(outcome, usage)}`)}`,
        `agent = ${toml(robot)}`, `urls = [\n${list.map((url) => `  ${toml(url)},`).join('\n')}\n]`,
        ...circumstancesOf(state), `expect = { ${usage} = ${toml(expected(outcome))} }`, ''].join('\n'));
    }
  });
  return remarks(state) + cases.join('\n');
}

/** So many sets of URLs are copied for one cause. */
const MOST_REGIONS = 100;

type Cause = Diff['causes'][number];

/** Whether a set of URLs is `/robots.txt`, which no rule disallows: an example that explains nothing. */
const isExempt = (region: Region) => region.witness === '/robots.txt';

/** The causes to show: not those of `/robots.txt` alone, if something else changes for the same robots. */
export function shownCauses(diff: Diff): Cause[] {
  const exempt = (cause: Cause) => cause.regions.every(({ clients, region }) => isExempt(diff.clients[clients]!.regions[region]!));
  const others = new Set(diff.causes.filter((cause) => !exempt(cause)).flatMap((cause) => cause.regions.map(({ clients }) => clients)));
  return diff.causes.filter((cause) => !exempt(cause) || !cause.regions.every(({ clients }) => others.has(clients)));
}

/** The changes of a cause; first those that open what was closed. `/robots.txt` only if there is no other URL. */
export function changesOf(diff: Diff, cause: Cause): { names: NamedClient[]; region: Region }[] {
  const opens = ({ region }: { region: Region }) => Number(region.usage === 'crawl' && region.new.outcome === 'permitted');
  const all = cause.regions.map(({ clients, region }) => ({ names: diff.clients[clients]!.names, region: diff.clients[clients]!.regions[region]! }));
  const others = all.filter(({ region }) => !isExempt(region));
  return (others.length > 0 ? others : all).sort((one, other) => opens(other) - opens(one));
}

export function diffMarkdown(diff: Diff): string {
  const text = (sentence: string) => sentence.split('`').map((part, at) => (at % 2 ? mark(part) : part.replace(/[<>&*_[\]\\@#|]/g, (sign) => `\\${sign}`))).join('');
  const causes = shownCauses(diff).flatMap((cause) => [
    `- ${text(cause.sentence)}: ${text(cause.whom)}`,
    ...changesOf(diff, cause).slice(0, MOST_REGIONS).map(({ names, region: it }) => {
      const whom = names.map(({ agent, purpose }) => (agent ? mark(agent) : purpose ? `robots with the purpose ${mark(purpose)}` : 'any other robot')).join(', ');
      return `  - ${USAGES[it.usage] ?? it.usage}: ${outcomeWord(it.old.outcome, it.usage)} → ${outcomeWord(it.new.outcome, it.usage)} for ${whom}, such as ${mark(it.witness)}`;
    }),
    ...(changesOf(diff, cause).length > MOST_REGIONS ? [`  - and ${changesOf(diff, cause).length - MOST_REGIONS} more; the JSON has them all`] : []),
  ]);
  return [`**${text(diff.headline)}**`, '', ...diff.also.map((line) => `${text(line)}\n`), ...causes, ''].join('\n');
}
