/** The linter, the formatter, the comparison, conversions, tests and the matrix. */

import type {
  Convert,
  Diff,
  FileExplanation,
  FileFinding,
  KnownRobot,
  Matrix,
  Profile,
  Request,
  Safety,
  Test,
} from './contract.js';
import {
  type Body,
  type Fields,
  type Instant,
  type Url,
  file,
  instant,
  listed,
  object,
  optionalFile,
  request,
  urlText,
} from './input.js';
import { ask } from './module.js';

/** One or several: names, sets such as `@ai-training`, or whole `User-Agent` lines. */
export type Agents = string | readonly string[];

/** How a file is linted. */
export interface LintOptions {
  /** The name of the file in findings; it also says what the file is [default: robots.txt]. */
  file?: string;
  /** The field `Content-Type` that the file is served with. */
  media_type?: string;
  /** Codes to report, such as `bom` or `pattern-*`; also those that `config` ignores [default: all]. */
  select?: string | readonly string[];
  /** Codes not to report. */
  ignore?: string | readonly string[];
  /** Whether a closed site is meant to be closed [default: what `config` says]. */
  allow_closed?: boolean;
  /** Purposes that exist [default: every well-formed one]. */
  purposes?: readonly string[];
  /** The text of an `abide.toml`. */
  config?: string;
  /** The text of a TOML, JSON or CSV file with a registry. */
  registry?: string;
  /** The instant of the check [default: now]. */
  now?: Instant;
}

/** How a file and a response are linted. */
export interface ResponseLintOptions extends LintOptions {
  /** Field lines of a response of the site, which is linted too. */
  headers?: Fields;
  /** The page of that response. */
  html?: Body;
  /** Its final DOM, serialised. */
  rendered_html?: string;
  /** The URL or path of that response [default: /]. */
  url?: string;
}

function lintRequest(options: unknown): { json: string; html: string | Uint8Array | undefined } {
  const { html, now, select, ignore, ...rest } = object(options);
  const own = { now: instant(now), select: listed(select), ignore: listed(ignore) };
  return { json: request(rest, own), html: optionalFile(html, '/html') };
}

/**
 * Finds mistakes in a robots.txt, a `tdmrep.json` or an RSL licence, and in the response of a page;
 * then the file may be `null`.
 */
export function lint(robots: Body | null, options?: ResponseLintOptions): FileFinding[] {
  const { json, html } = lintRequest(options);
  return JSON.parse(ask('lint', json, robots === null ? undefined : file(robots, '/robots'), html).text);
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

function written<B extends Body>(like: B, bytes: Uint8Array): Written<B> {
  return (typeof like === 'string' ? new TextDecoder().decode(bytes) : bytes) as Written<B>;
}

/** Applies the fixes of the linter. */
export function fix<B extends Body>(robots: B, options?: FixOptions): Fixed<Written<B>> {
  const { json, html } = lintRequest(options);
  const answer = ask('fix', json, file(robots, '/robots'), html);
  const { fixed, findings } = JSON.parse(answer.text) as Fixed<never>;
  return { robots: written(robots, answer.bytes), fixed, findings };
}

/** Formats a robots.txt without changing what it means. */
export function fmt<B extends Body>(robots: B): Written<B> {
  return written(robots, ask('fmt', '{}', file(robots, '/robots')).bytes);
}

/** What is explained. */
export interface ExplainOptions
  extends Pick<
    Request,
    | 'purposes'
    | 'applications'
    | 'registry'
    | 'acap'
    | 'references'
    | 'rendered_html'
    | 'html'
    | 'version'
    | 'nonstandard_token'
    | 'readings'
    | 'preferences'
    | 'robots_status'
    | 'robots_location'
    | 'robots_error'
  > {
  /** Absolute URLs, or paths. More than eight are counted. */
  urls?: Url | readonly Url[];
  /** How to read what the specifications leave open [default: careful]. */
  profile?: Profile;
  /** Whether to leave out what operators document about their robots. */
  literal?: boolean;
  /** Field lines of the page's response. */
  headers?: Fields;
  /** The time of the decision [default: now]. */
  now?: Instant;
  first_indexed?: Instant;
  first_copied?: Instant;
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
  const json = request(rest, { agents: listed(agents), urls: urlList(urls), now: instant(now) });
  return JSON.parse(ask('explain', json, robots === null ? undefined : file(robots, '/robots')).text);
}

/** What is compared. */
export interface DiffOptions {
  /** Robots [default: all known robots, and those that the files name]. */
  agents?: Agents;
  /** Purposes that the robots claim. */
  purposes?: readonly string[];
  /** URLs to look up. */
  urls?: Url | readonly Url[];
  /** Whether to leave out what operators document about their robots. */
  literal?: boolean;
}

/** Shows what changes for whom from one robots.txt to another, for all URLs there can be. */
export function diff(before: Body, after: Body, options?: DiffOptions): Diff {
  const { agents, urls, ...rest } = object(options);
  const json = request(rest, { agents: listed(agents), urls: urlList(urls) });
  return JSON.parse(ask('diff', json, file(before, '/before'), file(after, '/after')).text);
}

/** Whose access is shown. */
export interface MatrixOptions {
  /** Robots [default: all known robots, those that the file names, and every other robot]. */
  agents?: Agents;
  /** Purposes that the robots claim. */
  purposes?: readonly string[];
  /** How to read what the specifications leave open [default: careful]. */
  profile?: Profile;
  /** Whether to leave out what operators document about their robots. */
  literal?: boolean;
  /** Whether to answer for training, AI input and search too [default: if the file states any]. */
  preferences?: boolean;
}

/** Shows which robots may crawl a site. */
export function matrix(robots: Body, options?: MatrixOptions): Matrix {
  const { agents, ...rest } = object(options);
  const json = request(rest, { agents: listed(agents) });
  return JSON.parse(ask('matrix', json, file(robots, '/robots')).text);
}

/** How a file is tested. */
export interface TestOptions {
  /** Whether to leave out what operators document about their robots. */
  literal?: boolean;
}

/** Tests what a site expects of its robots.txt. `cases` is the text of a TOML file. */
export function test(robots: Body, cases: string, options?: TestOptions): Test {
  const json = request(object(options), { cases });
  return JSON.parse(ask('test', json, file(robots, '/robots')).text);
}

/** A format that files and tags are converted to. */
export type Form =
  | 'acap'
  | 'robots'
  | 'content-usage'
  | 'content-signal'
  | 'tdmrep'
  | 'robots-tag'
  | 'x-robots-tag'
  | 'meta';

/** What is converted in place of a file, and how. */
export interface ConvertOptions {
  /** Field lines with robots tags. */
  headers?: Fields;
  /** A page with robots meta elements. */
  html?: Body;
  /** Revision of `Content-Usage` whose words count: 08 or 07 [default: 08]. */
  revision?: string;
}

/** Converts a robots.txt, or robots tags, to another specification, or says why not. */
export function convert(robots: Body | null, to: Form, options?: ConvertOptions): Convert {
  const { html, ...rest } = object(options);
  const json = request(rest, { to });
  const body = robots === null ? undefined : file(robots, '/robots');
  return JSON.parse(ask('convert', json, body, optionalFile(html, '/html')).text);
}

/** The table of known robots: names, operators, purposes and documented behaviour. */
export function knownRobots(): KnownRobot[] {
  return JSON.parse(ask('knownRobots', '').text);
}
