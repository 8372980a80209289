/** The linter, the formatter, the comparison, conversions, tests and the matrix. */

import type {
  Convert,
  ConvertRequest,
  Diff,
  DiffRequest,
  ExplainBody,
  FileExplanation,
  FileFinding,
  Findings,
  FormattedFile,
  KnownRobot,
  KnownRobots,
  LintRequest,
  Matrix,
  MatrixRequest,
  Safety,
  Test,
  TestRequest,
} from './contract.js';
import {
  type Agents,
  type Body,
  type Options,
  file,
  fromBase64,
  instant,
  listed,
  object,
  optionalFile,
  request,
  urlText,
} from './input.js';
import { ask } from './module.js';

/** How a file is linted. */
export type LintOptions = Options<LintRequest, 'fix' | 'all' | 'headers' | 'html' | 'rendered_html' | 'url'>;
/** How a file and a response are linted. */
export type ResponseLintOptions = Options<LintRequest, 'fix' | 'all'>;
/** What is explained. */
export type ExplainOptions = Options<Omit<ExplainBody, 'html'>, 'agents'> & Pick<ExplainBody, 'html'>;
/** What is compared. */
export type DiffOptions = Options<DiffRequest, 'before' | 'after' | 'all'>;
/** Whose access is shown. */
export type MatrixOptions = Options<MatrixRequest>;
/** How a file is tested. */
export type TestOptions = Options<TestRequest, 'cases'>;
/** What is converted in place of a file, and how. */
export type ConvertOptions = Options<ConvertRequest, 'to'>;
/** A format that files and tags are converted to. */
export type Form = ConvertRequest['to'];

/** The JSON of a request of a tool. Files are arguments. */
function asked(options: Record<string, unknown>, own: Record<string, unknown>): string {
  return request(options, own, ['robots', 'robots_base64', 'all']);
}

/** The answer to a request of the linter, with all findings. */
function linted(robots: Body | null, options: unknown, fix?: unknown): Findings {
  const { html, now, select, ignore, ...rest } = object(options);
  const own = { fix, now: instant(now), select: listed(select), ignore: listed(ignore), all: true };
  const json = asked(rest, own);
  return JSON.parse(ask('lint', json, given(robots), optionalFile(html, '/html')).text);
}

/** A file that may be `null`. */
function given(robots: Body | null): string | Uint8Array | undefined {
  return robots === null ? undefined : file(robots, '/robots');
}

/**
 * Finds mistakes in a robots.txt, a `tdmrep.json` or an RSL licence, and in the response of a page;
 * then the file may be `null`.
 */
export function lint(robots: Body | null, options?: ResponseLintOptions): FileFinding[] {
  return linted(robots, options).findings;
}

/** How a file is fixed. */
export interface FixOptions extends LintOptions {
  /** Which fixes to apply: by default those that change no robot's answer. */
  safety?: Safety;
}

/** A fixed file. */
export interface Fixed<B> {
  /** The new file: text if the old one was given as text, else bytes. */
  robots: B;
  /** How many findings were fixed. */
  fixed: number;
  /** The findings that are left. */
  findings: FileFinding[];
}

/** The form of a new file: that of the old one. */
type Written<B> = B extends string ? string : Uint8Array;

function written<B extends Body>(like: B, text: string | undefined, base64 = ''): Written<B> {
  if (typeof like === 'string' && text !== undefined) return text as Written<B>;
  const bytes = text === undefined ? fromBase64(base64) : new TextEncoder().encode(text);
  return (typeof like === 'string' ? new TextDecoder().decode(bytes) : bytes) as Written<B>;
}

/** Applies the fixes of the linter. */
export function fix<B extends Body>(robots: B, options?: FixOptions): Fixed<Written<B>> {
  const { safety = 'safe', ...rest } = object(options);
  const { fixed = 0, findings, robots: text, robots_base64 } = linted(robots, rest, safety);
  return { robots: written(robots, text, robots_base64), fixed, findings };
}

/** Formats a robots.txt without changing what it means. */
export function fmt<B extends Body>(robots: B): Written<B> {
  const answer: FormattedFile = JSON.parse(ask('fmt', '{}', file(robots, '/robots')).text);
  return written(robots, answer.formatted, answer.formatted_base64);
}

/** URLs as a list of texts. */
function urlList(urls: unknown): unknown {
  if (urls === undefined) return undefined;
  const all = Array.isArray(urls) ? urls : [urls];
  return all.map((url, at) => urlText(url, `/urls/${at}`));
}

/** Shows a robots.txt as robots read it, and which lines decide about pages: one entry a robot. */
export function explain(
  robots: Body | null,
  agents: Agents,
  options?: ExplainOptions,
): FileExplanation[] {
  const { urls, now, ...rest } = object(options);
  const own = { agents: listed(agents), urls: urlList(urls), now: instant(now) };
  // For one robot the answer is an object.
  return [JSON.parse(ask('explain', asked(rest, own), given(robots)).text)].flat();
}

/** Shows what changes for whom from one robots.txt to another, for all URLs there can be. */
export function diff(before: Body, after: Body, options?: DiffOptions): Diff {
  const { agents, urls, ...rest } = object(options);
  const own = { before: {}, after: {}, agents: listed(agents), urls: urlList(urls), all: true };
  const json = asked(rest, own);
  return JSON.parse(ask('diff', json, file(before, '/before'), file(after, '/after')).text);
}

/** Shows which robots may crawl a site. */
export function matrix(robots: Body, options?: MatrixOptions): Matrix {
  const { agents, ...rest } = object(options);
  const json = asked(rest, { agents: listed(agents) });
  return JSON.parse(ask('matrix', json, file(robots, '/robots')).text);
}

/** Tests what a site expects of its robots.txt. `cases` is the text of a TOML file. */
export function test(robots: Body, cases: string, options?: TestOptions): Test {
  const json = asked(object(options), { cases });
  return JSON.parse(ask('test', json, file(robots, '/robots')).text);
}

/** Converts a robots.txt, or robots tags, to another specification, or says why not. */
export function convert(robots: Body | null, to: Form, options?: ConvertOptions): Convert {
  const { html, ...rest } = object(options);
  const json = asked(rest, { to });
  return JSON.parse(ask('convert', json, given(robots), optionalFile(html, '/html')).text);
}

/** The table of known robots: names, operators, purposes and documented behaviour. */
export function knownRobots(): KnownRobot[] {
  return (JSON.parse(ask('known-robots', '').text) as KnownRobots).robots;
}
