/** The answer for one robot and one URL: what is decided, by which line, and what lost. */
import { absolute, applicationsOf, circumstances } from './asked';
import { quoted } from './bytes';
import { clipboard, decisionCase, decisionMarkdown } from './copy';
import { append, code, element, refresh, replace, sentence, visible } from './dom';
import type { Marks } from './editor';
import { withoutRefused } from './refused';
import { Latest, answerFor, service, type Decision, type Evidence, type KnownRobot, type Outcome, type Part, type Profile, type FileExplanation } from './service';
import type { State } from './state';
import { during } from './states';
import { KINDS, OUTCOME_SIGNS, PREFERENCE_USAGES, USAGES, USAGE_MEANINGS, VOCABULARIES, outcomeWord, robotName, standardReason } from './words';

/** So many lines that lost are shown for one usage. */
const MOST_LOST = 50;
const ROLES = { decided: 'decides', agreed: 'also matches', overridden: 'overridden', void: 'has no effect' };

/** Whether it is a tag that the robot never sees, because it may not fetch the page. */
function isNotSeen(evidence: Evidence): boolean {
  return evidence.notes?.includes('not-seen') ?? false;
}

interface Found { profile: Profile; decision: Decision; view: FileExplanation | null }

export function badge(outcome: Outcome, usage: string): HTMLElement {
  return element('span', { class: `badge ${outcome}` }, element('span', { 'aria-hidden': 'true' }, OUTCOME_SIGNS[outcome]), outcomeWord(outcome, usage));
}

/** A button that brings a line of the file into view. */
export function lineButton(line: number, goTo: (line: number) => void): HTMLElement {
  return element('button', { type: 'button', class: 'link', onclick: () => goTo(line) }, `line ${line}`);
}

function answers(decision: Decision): string {
  return JSON.stringify(Object.entries(decision.usages).map(([usage, { outcome, conditions }]) => [usage, outcome, conditions]));
}

export class AnswerPanel {
  private readonly latest = new Latest();
  private known: KnownRobot[] = [];
  /** What is shown, so that the same answer does not take the focus away. */
  private shown = '';

  constructor(
    private readonly place: HTMLElement,
    private readonly state: () => State,
    private readonly goTo: (line: number) => void,
    private readonly mark: (marks: Marks | null, decides: number | null) => void,
    /** What the page can say about documents that an answer needs. */
    private readonly documents: { name(urls: string[]): void; reveal(url: string): void },
  ) {}

  know(robots: KnownRobot[]): void {
    this.known = robots;
  }

  clear(text: HTMLElement): void {
    this.latest.next();
    replace(this.place, text);
    this.mark(null, null);
  }

  async show(url: string, robot: string): Promise<void> {
    const signal = this.latest.next();
    const state = this.state();
    const found = await during(this.place, () => withoutRefused(async () => {
      const common = { ...circumstances(state), ...applicationsOf(state) };
      const agent = robot.includes('>') ? robot.split('>') : robot;
      const decide = (profile: Profile) => service.decide({ ...common, url: absolute(url, state), agent, known_robots: true, profile }, signal);
      const explain = (profile: Profile) => service.explain({ ...common, urls: [url], agents: [robot], profile }, signal);
      const [careful, google, view] = await Promise.all([decide('careful'), decide('google'), explain('careful')]);
      const list: Found[] = [{ profile: 'careful', decision: careful, view }];
      if (answers(careful) !== answers(google)) list.push({ profile: 'google', decision: google, view: await explain('google') });
      return list;
    }), () => void this.show(url, robot));
    if (!found || signal.aborted) return;
    const shown = JSON.stringify([url, robot, state.usage, found]);
    if (shown !== this.shown || !this.place.querySelector('.verdict')) {
      this.render(url, robot, found);
    }
    this.shown = shown;
    this.mark(...this.marks(found[0]!));
    this.documents.name(licences(found[0]!.decision));
  }

  private marks({ view, decision }: Found): [Marks, number | null] {
    const usage = this.state().usage;
    const marks = { applies: [] as number[], void: [] as number[], matches: [] as number[], decides: [] as number[] };
    for (const line of view?.lines ?? []) {
      if (line.state === 'head' || line.state === 'counts' || line.state === 'control-token') marks.applies.push(line.line);
      if (line.state === 'void') marks.void.push(line.line);
    }
    for (const part of view?.pages?.[0]?.parts ?? []) {
      const competes = part.reason !== 'other-group' && (part.usages ?? [usage]).includes(usage);
      if (part.line && competes) marks.matches.push(part.line);
    }
    const evidence = answerFor(decision, usage)?.evidence[0];
    const decides = evidence?.role === 'decided' && evidence.line && inFile(evidence) ? evidence.line : null;
    if (decides) marks.decides.push(decides);
    return [marks, decides];
  }

  private render(url: string, robot: string, found: Found[]): void {
    const careful = found[0]!;
    const page = careful.view?.pages?.[0];
    const state = this.state();
    // What is asked about training is no less of an answer than what is asked about crawling.
    const stated = (page?.preferences ?? []).filter(({ outcome }) => outcome !== 'unspecified');
    const crawl = page ? visible(page.verdict, 2000) : `${robotName(robot)}, ${visible(url)}`;
    const about = state.usage === 'crawl' ? null : this.about(url, robot, careful);
    const also = [...(about ? [crawl] : []), ...stated.filter(({ usage }) => usage !== state.usage).map(({ text }) => visible(text, 2000).replace(':', () => ` for ${visible(robotName(robot), 80)}:`))];
    refresh(this.place,
      element('p', { class: 'verdict' }, about ?? crawl),
      also.length > 0 && element('ul', { class: 'stated' }, ...also.map((text) => element('li', {}, text))),
      this.who(robot),
      found.length > 1
        ? element('div', { class: 'notice' }, 'The specifications can be read in two ways here: abide’s careful profile and Google’s parser give different answers.')
        : null,
      found.length > 1
        ? element('div', { class: 'profiles' }, ...found.map((one) => element('section', {}, element('h3', {}, one.profile === 'careful' ? 'Careful profile' : 'Google profile'), this.usages(one))))
        : this.usages(careful),
      this.context(careful),
      element('div', { class: 'context copies' },
        element('span', { class: 'note' }, 'Copy as'),
        clipboard('Markdown', () => decisionMarkdown(url, robot, careful.decision)),
        clipboard('JSON', () => JSON.stringify(found.map((one) => one.decision), null, 2)),
        clipboard('test case', () => decisionCase(url, robot, careful.decision, state))));
  }

  /** The answer for the usage of the table, if that is not crawling. */
  private about(url: string, robot: string, { decision, view }: Found): string {
    const { usage } = this.state();
    const said = view?.pages?.[0]?.preferences?.find((one) => one.usage === usage)?.text;
    const outcome = answerFor(decision, usage)?.outcome ?? 'unspecified';
    const by = answerFor(decision, usage)?.evidence[0];
    const who = by?.role !== 'decided' ? '' : by.line && inFile(by) ? ` by line ${by.line}` : by.field ? ` by ${by.field}` : by.source.includes('meta') ? ' by the page' : '';
    const answer = said ? visible(said, 2000) : `${USAGES[usage] ?? usage}: ${outcomeWord(outcome, usage)}${who}.`;
    return `${visible(url)} for ${visible(robotName(robot), 80)}, ${answer.replace(/^[A-Z](?=[a-z])/, (sign) => sign.toLowerCase())}`;
  }

  private who(robot: string): HTMLElement | null {
    const known = this.known.find((one) => one.token.toLowerCase() === robot.toLowerCase());
    if (!known) return null;
    const kinds = known.kind === 'robot' ? known.purposes.map((purpose) => KINDS[purpose] ?? purpose).join(', ') : KINDS[known.kind];
    const safe = known.documentation && /^https?:\/\//.test(known.documentation) ? known.documentation : null;
    return element('p', { class: 'note' }, `${visible(known.token)} is a robot of ${visible(known.operator)} for: ${kinds}. `,
      known.follows_robots_txt === false && element('strong', {}, 'Its operator documents that it does not follow robots.txt. '),
      known.kind === 'robot' && known.purposes[0] === 'ai-training' && 'What it may not crawl, it does not get for training. ',
      safe && element('a', { href: safe, rel: 'noreferrer noopener', target: '_blank' }, 'Documentation'));
  }

  private usages(found: Found): HTMLElement {
    const answers = new Map(Object.entries(found.decision.usages));
    const silent = (usage: string) => answers.get(usage)?.outcome === 'unspecified' && answers.get(usage)?.evidence.length === 0;
    const always = ['crawl', ...PREFERENCE_USAGES].filter((usage) => answers.has(usage) && (usage === 'crawl' || !silent(usage)));
    const quiet = PREFERENCE_USAGES.filter(silent);
    const more = [...answers].filter(([usage, { outcome, evidence }]) => usage !== 'crawl' && !PREFERENCE_USAGES.includes(usage) && (outcome !== 'unspecified' || evidence.some(isNotSeen))).map(([usage]) => usage);
    const asked = this.state().usage;
    const first = [...always, ...more].filter((usage) => usage === asked);
    const others = (all: string[]) => all.filter((usage) => usage !== asked).map((usage) => this.usage(usage, found));
    return element('div', { class: 'usages' },
      ...first.map((usage) => this.usage(usage, found)), ...others(always), quiet.length > 0 && this.quiet(quiet, found), ...others(more));
  }

  /** The preferences that nothing states, in one row. */
  private quiet(usages: string[], { decision: { usages: { crawl } }, view }: Found): HTMLElement {
    const forOthers = (view?.lines ?? []).filter(({ state, text }) => state === 'others' && /^\s*content-(usage|signal)\s*:/i.test(text));
    const own = view?.lines.find(({ state }) => state === 'head');
    const names = usages.map((usage) => USAGES[usage]!);
    return element('div', { class: 'usage' },
      element('div', { class: 'what' }, names.join(', ')),
      element('div', { class: 'why' }, badge('unspecified', 'train'), ' ',
        element('span', { class: 'note' }, `the site neither allows nor disallows ${usages.length === 1 ? 'this' : 'these'} for this robot`,
          crawl.outcome === 'prohibited' && ', and it may not fetch the URL in the first place'),
        forOthers.length > 0 && element('ul', { class: 'lost' }, ...forOthers.slice(0, MOST_LOST).map(({ line, text }) => element('li', {},
          element('span', { class: 'note' }, 'does not apply: '), lineButton(line, this.goTo), ' ', code(text.trim()), ' ',
          element('span', { class: 'note' }, own ? `is in another group: this robot follows the group that begins on line ${own.line}` : 'is in a group for other robots'))))));
  }

  private usage(usage: string, { decision, view }: Found): HTMLElement {
    const { outcome, conditions, evidence } = answerFor(decision, usage)!;
    const parts = view?.pages?.[0]?.parts ?? [];
    const decided = evidence[0];
    // Lines of other groups never competed, so they come last.
    const lost = evidence.slice(decided?.role === 'decided' ? 1 : 0)
      .sort((a, b) => Number(a.reason === 'other-group') - Number(b.reason === 'other-group'));
    return element('div', { class: 'usage' },
      element('div', { class: 'what', title: USAGE_MEANINGS[usage] ?? '' }, USAGES[usage] ?? usage),
      element('div', { class: 'why' },
        badge(outcome, usage), ' ',
        decided && decided.role === 'decided' ? this.evidence(decided, usage, parts) : null,
        evidence.some(isNotSeen) || (decided && decision.usages.crawl.outcome === 'prohibited' && (decided.field || decided.source.includes('meta'))) ? element('p', { class: 'notice' }, 'This robot may not fetch the page, so it never sees this. Allow the page if it should.') : null,
        ...conditions.map((condition) => element('p', {}, `Condition: ${condition.kind.replaceAll('-', ' ')} `, code(condition.value))),
        lost.length > 0 && element('ul', { class: 'lost' }, ...lost.slice(0, MOST_LOST).map((one) => element('li', {},
          element('span', { class: 'note' }, `${one.reason === 'other-group' ? 'does not apply' : ROLES[one.role]}: `), this.evidence(one, usage, parts)))),
        lost.length > MOST_LOST && element('p', { class: 'note' }, `and ${lost.length - MOST_LOST} more; copy as JSON to see them all`)));
  }

  private evidence(evidence: Evidence, usage: string, parts: Part[]): DocumentFragment {
    const made = document.createDocumentFragment();
    const part = parts.find((one) => one.source === evidence.source && one.reason === evidence.reason
      && (one.line ?? one.field_line) === evidence.line && ((one.usages ?? []) as string[]).includes(usage));
    // A length is only of use beside another one.
    const why = (part?.why ?? standardReason(evidence.reason, evidence.cause)).replace(/^(the only rule that matches) \(\d+ bytes?\)$/, '$1').replace(/^rule \S+, field line (\d+), member \d+$/, (_, field) => (field === '1' ? '' : `field ${field} of this name`));
    const group = evidence.source === 'default' && evidence.line;
    if (evidence.line && inFile(evidence)) append(made, group ? 'in the group of ' : evidence.role === 'decided' ? 'by ' : '', lineButton(evidence.line, this.goTo), ' ');
    else if (evidence.locator) {
      const member = evidence.member ? `${evidence.source === 'tdmrep' ? 'rule' : 'content'} ${evidence.member} of ` : '';
      append(made, evidence.role === 'decided' && 'by ', member, !evidence.statement?.includes(evidence.locator) && code(evidence.locator), ' ');
    } else if (evidence.field) append(made, evidence.role === 'decided' && 'by ', 'the response field ', code(evidence.field), ' ');
    else if (evidence.source.includes('meta')) append(made, evidence.role === 'decided' && 'by ', 'the page ');
    if (evidence.statement) append(made, code(quoted(evidence.statement, this.state().robots, inFile(evidence) ? evidence.line : null)), ' ');
    append(made, element('span', { class: 'note' },
      evidence.vocabulary && evidence.source !== evidence.vocabulary ? `${VOCABULARIES[evidence.vocabulary] ?? evidence.vocabulary}, ` : '', visible(why)));
    return made;
  }

  /** A document that the answer depends on, and that was not entered. */
  private needed(url: string, isHere: boolean): HTMLElement {
    return element('p', { class: 'notice' }, 'The answer depends on ', code(url, 2000), ', which this page does not have. ',
      isHere && element('button', { type: 'button', class: 'link', onclick: () => this.documents.reveal(url) }, 'Paste it'));
  }

  private context({ decision, view }: Found): HTMLElement {
    const applications = Object.entries(decision.applications);
    const tags = Object.entries(decision.tags);
    const documented = decision.known_robot;
    return element('div', { class: 'context' },
      view && element('p', {}, sentence(view.summary)),
      ...(view?.pages?.[0]?.findings ?? []).map((finding) => element('p', { class: 'notice' }, sentence(finding))),
      documented && element('p', {}, `${visible(documented.operator)} documents: `, sentence(documented.applied.join(' '))),
      ...applications.map(([id, application]) => element('p', {}, 'Application ', code(id), ': ',
        code(Object.keys(application.directives).length > 0 ? JSON.stringify(application.directives) : 'no directives'))),
      tags.length > 0 && element('p', {}, 'Robots tags that bind this robot: ', code(tags.map(([tag, value]) => (value === true ? tag : `${tag}: ${value}`)).join(', '))),
      ...decision.action_requests.map((request) => element('p', {}, `The site asks for ${request.action} of `, code(request.path), '.')),
      ...decision.diagnostics.filter(({ code, line }) => !line && /^(tdmrep|licence)-/.test(code)).map(({ message }) => element('p', { class: 'notice' }, sentence(message))),
      ...decision.needs.map((url) => this.needed(url, licences(decision).includes(url) || url.endsWith('/.well-known/tdmrep.json'))));
  }
}

/** The licence documents that apply, by URL. */
function licences(decision: Decision): string[] {
  return (decision.preferences?.rsl?.documents ?? []).flatMap(({ url }) => (url ? [url] : []));
}

/** Whether the line of a piece of evidence is one of robots.txt itself. */
function inFile(evidence: Evidence): boolean {
  const isLicenceLine = /^\s*license\s*:/i.test(evidence.statement ?? '');
  return (!evidence.locator || isLicenceLine) && !evidence.field
    && ['robots.txt', 'acap', 'default', 'content-usage', 'content-signal', 'control-token', 'rsl'].includes(evidence.source);
}
