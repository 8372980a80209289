/** The file in one line: who may crawl the home page, and how many findings there are. */
import { AnswerError } from './answers';
import { isAbsent } from './asked';
import { byId, count, element, replace, visible } from './dom';
import { Latest, service, type FileFinding, type Matrix, type MatrixRobot } from './service';
import { draftOf, type State } from './state';

/** The kinds that most sites care about, and what the line calls them. */
const KINDS = { search: 'Search', 'ai-training': 'AI training', 'ai-input': 'AI answers' } as const;
/** So many robots that may not crawl are named. */
const MOST_NAMES = 3;

export class Summary {
  private readonly latest = new Latest();
  private readonly place = byId('summary');
  private kinds: Matrix['kinds'] = [];
  private findings: FileFinding[] | null = null;

  constructor(private readonly state: () => State) {}

  /** Takes over the findings, which come sooner than the rest. */
  found(findings: FileFinding[] | null): void {
    this.findings = findings;
    this.show();
  }

  async run(): Promise<void> {
    const signal = this.latest.next();
    const file = draftOf(this.state());
    this.kinds = [];
    if (!file.text.trim() || isAbsent(this.state())) {
      this.show();
      return;
    }
    try {
      const agents = Object.keys(KINDS).map((kind) => `@${kind}`);
      ({ kinds: this.kinds } = await service.matrix(file, { agents }, signal));
    } catch (error) {
      // Where an answer is missing, the page says why.
      if (!(error instanceof AnswerError) && !signal.aborted) throw error;
    }
    if (!signal.aborted) this.show();
  }

  private show(): void {
    const parts = Object.entries(KINDS).flatMap(([name, word]) => {
      const kind = this.kinds.find(({ kind }) => kind === name);
      return kind ? [this.kind(word, kind)] : [];
    });
    this.place.hidden = parts.length === 0;
    replace(this.place, ...parts, parts.length > 0 && this.findings && element('span', {}, severities(this.findings)));
  }

  private kind(word: string, { robots, counts }: Matrix['kinds'][number]): HTMLElement {
    const following = robots.length - counts.not_following;
    const closed = robots.filter((robot) => robot.follows_robots_txt !== false && isClosed(robot)).map(({ name }) => name);
    const open = following - closed.length;
    const who = open === following ? `all ${open}` : open === 0 ? `none of ${following}` : `${open} of ${following}`;
    const not = open > 0 && closed.length > 0 && closed.length <= MOST_NAMES ? `, not ${closed.map((name) => visible(name, 40)).join(', ')}` : '';
    return element('span', {}, element('strong', {}, `${word}: `), `${who} may crawl the home page${not}`);
  }
}

/** Whether a robot may not crawl the home page: what else it may crawl opens no site. */
function isClosed({ access, decided_by: by }: MatrixRobot): boolean {
  // The line that decides about `/`, or else that of the group.
  const isOpen = !by || /^\s*(acap-)?(allow|user|crawler)/i.test(by.statement);
  return access === 'closed' || (access === 'partly' && !isOpen);
}

function severities(findings: FileFinding[]): string {
  const number = (severity: string) => findings.filter((one) => one.severity === severity).length;
  const [errors, warnings] = [number('error'), number('warning')];
  const parts = [errors > 0 && count(errors, 'error'), warnings > 0 && count(warnings, 'warning')].filter(Boolean);
  return parts.join(', ') || 'no error, no warning';
}
