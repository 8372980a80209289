/** A robots.txt, compiled for one robot. */

/// <reference lib="esnext.disposable" preserve="true" />

import type { Decision, Preferences, Request } from './contract.js';
import { AbideError } from './error.js';
import {
  type Body,
  type Fields,
  type Instant,
  type Url,
  file,
  instant as instantOf,
  isBroken,
  object,
  optionalFile,
  request,
  urlText,
} from './input.js';
import { FAILED, type Instance, bounded, current, failed } from './module.js';

/** A name, `*`, names in order of preference, or a whole `User-Agent` line. */
export type Agent = Request['agent'];

/** Members of a request that are about its client, its file, and what fetching that gave. */
const CLIENT = [
  'purposes',
  'applications',
  'registry',
  'acap',
  'preferences',
  'profile',
  'readings',
  'nonstandard_token',
  'known_robots',
  'robots_status',
  'robots_error',
  'robots_location',
  'robots_limit',
  'references',
] as const satisfies readonly (keyof Request)[];

/** What a policy can be told beside its file and its robot: members of a request. */
export type PolicyOptions = Pick<Request, (typeof CLIENT)[number]>;

/** What a decision can be told about a page: members of a request. */
export interface PageOptions extends Pick<Request, 'rendered_html' | 'version'> {
  /** Field lines of the page's response. */
  headers?: Fields;
  /** The page's source. */
  html?: Body;
  /** The time of the decision [default: now]. */
  now?: Instant;
  /** When the page was first indexed, for limits in days. */
  first_indexed?: Instant;
  /** When the page was first copied, for limits in days. */
  first_copied?: Instant;
  /** The documents `tdmrep` and `rsl`, if they belong to this page. */
  preferences?: Preferences;
}

/** Members of a request that are about its page, or that are arguments. */
const PAGE = ['headers', 'html', 'rendered_html', 'now', 'first_indexed', 'first_copied', 'version'];
const ARGUMENTS = ['id', 'url', 'agent', 'robots', 'robots_base64'];

/** What a cache knows of a site: a question to the module, and the record of the site. */
export class SiteRules {
  constructor(
    readonly question: string,
    readonly record: Uint8Array,
  ) {}
}

/** A compiled policy: the number of the instance that has it, and its own number there. */
interface Compiled {
  generation: number;
  number: number;
}

/** The generation of what no instance has. */
const NOWHERE = 0;

/**
 * Frees what nobody can reach any more. Workers before the compatibility date 2025-05-05 have none:
 * there, memory is freed when the instance is replaced.
 */
const forgotten =
  typeof FinalizationRegistry === 'undefined' ? undefined : new FinalizationRegistry<Compiled>(release);

function release(compiled: Compiled): void {
  const module = current();
  if (module?.generation === compiled.generation) module.exports.release(compiled.number);
  compiled.generation = NOWHERE;
}

/**
 * A robots.txt, compiled for one robot. It never changes.
 *
 * Its memory is freed when nobody can reach it any more, or earlier by `free()` or `using`.
 */
export class Policy {
  readonly #request: string;
  readonly #file: string | Uint8Array | SiteRules | undefined;
  readonly #compiled: Compiled = { generation: NOWHERE, number: 0 };
  #isFreed = false;

  /**
   * @param robots the file; `null` if it could not be had: then `robots_status` or `robots_error`
   *   says why
   */
  constructor(robots: Body | null, agent: Agent, options?: PolicyOptions) {
    this.#file = robots instanceof SiteRules ? robots : ownFile(robots);
    this.#request = policyRequest(agent, options);
    this.#module();
    forgotten?.register(this, this.#compiled, this);
  }

  /** @internal */
  static ofSite(rules: SiteRules, agent: Agent, options: PolicyOptions): Policy {
    return new Policy(rules as unknown as Body, agent, options);
  }

  /** The instance that has the policy: the current one, which compiles it again if it is new. */
  #module(): Instance {
    const before = current();
    if (before !== undefined && before.generation === this.#compiled.generation) return before;
    if (this.#isFreed) {
      throw new AbideError('invalid-request', '', 'the policy was freed', 'make a new policy');
    }
    const module = bounded();
    try {
      const source = this.#file;
      const isSite = source instanceof SiteRules;
      const pieces = isSite ? [source.question, source.record] : [source];
      const [json = 0, first = 0, second = 0] = module.write([this.#request, ...pieces]);
      const { compile, compile_site } = module.exports;
      const number = isSite ? compile_site(json, first, second) : compile(json, first);
      if (number === FAILED) module.refuse();
      this.#compiled.number = number;
    } catch (cause) {
      throw failed(cause);
    }
    this.#compiled.generation = module.generation;
    return module;
  }

  /** Whether the robot may crawl this URL, or a path that begins with `/`. */
  allows(url: Url): boolean {
    const text = urlText(url, '/url');
    const module = this.#module();
    let answer;
    try {
      answer = module.exports.allows(this.#compiled.number, module.writeText(text));
      if (answer === FAILED) module.refuse();
    } catch (cause) {
      throw failed(cause);
    }
    return answer === 1;
  }

  /** Whether the robot may crawl each of many URLs. `null` for one that cannot be read. */
  allowsMany(urls: Iterable<Url | null | undefined>): (boolean | null)[] {
    if (typeof urls !== 'object' || urls === null || !(Symbol.iterator in urls)) {
      const message = 'in "urls": expected a list of URLs';
      throw new AbideError('invalid-url', '/urls', message);
    }
    const all = Array.isArray(urls) ? (urls as unknown[]) : Array.from<unknown>(urls);
    if (all.length === 0) return [];
    const texts = all.every((url) => typeof url === 'string') ? all : all.map(manyText);
    // One look at all of them costs less than one at each.
    const joined = texts.join('\0');
    const module = this.#module();
    let bytes = isBroken(joined) ? undefined : this.#manyAnswers(module, joined);
    if (bytes?.length !== all.length) bytes = this.#manyAnswers(module, all.map(manyText).join('\0'));
    const answers = new Array<boolean | null>(bytes.length);
    for (let at = 0; at < bytes.length; at += 1) answers[at] = bytes[at] === 2 ? null : bytes[at] === 1;
    return answers;
  }

  /** A byte for each URL of a list, with NUL between them. */
  #manyAnswers(module: Instance, joined: string): Uint8Array {
    try {
      const length = module.writeText(joined);
      if (module.exports.allows_many(this.#compiled.number, length) === FAILED) module.refuse();
      return module.answer().bytes;
    } catch (cause) {
      throw failed(cause);
    }
  }

  /** Decides about a page, with evidence. */
  decide(url: Url, page?: PageOptions): Decision {
    const given = object(page);
    const { html, ...rest } = given;
    const source = optionalFile(html, '/html');
    const own = { url: urlText(url, '/url'), now: instantOf(rest.now) };
    const { now: _, ...others } = rest;
    const ofClient = CLIENT.filter((name) => name !== 'preferences');
    const question = request(others, own, ofClient);
    const module = this.#module();
    try {
      const [json = 0, bytes = 0] = module.write([question, source]);
      if (module.exports.decide(this.#compiled.number, json, bytes) === FAILED) module.refuse();
      return JSON.parse(module.answer().text) as Decision;
    } catch (cause) {
      throw failed(cause);
    }
  }

  /** Frees the memory of the policy, which cannot be asked any more. */
  free(): void {
    release(this.#compiled);
    // A cache has the policy for others too, for whom it is compiled again.
    if (this.#file instanceof SiteRules) return;
    this.#isFreed = true;
    forgotten?.unregister(this);
  }

  /** Frees the memory of the policy at the end of a block, with `using`. */
  [Symbol.dispose](): void {
    this.free();
  }
}

/** A copy of a file, whose bytes the caller may change. */
function ownFile(robots: Body | null): string | Uint8Array | undefined {
  const given = robots === null ? undefined : file(robots, '/robots');
  return typeof given === 'string' ? given : given?.slice();
}

/** The text of a URL among many: one that no URL is stands for what cannot be read. */
function manyText(url: unknown, at: number): string {
  if (url === null || url === undefined) return '';
  const href = typeof url === 'object' && 'href' in url ? url.href : url;
  const text = typeof href === 'string' ? href : urlText(url, `/urls/${at}`);
  return text.includes('\0') || isBroken(text) ? '' : text;
}

/** The request of a policy. Its URL does not matter. */
function policyRequest(agent: unknown, options: unknown): string {
  const given = object(options);
  const own: Record<string, unknown> = { url: '/', agent };
  // What a robot sends need not be a name of RFC 9309, and no name has blanks.
  const isLine = typeof agent === 'string' && /[/( ]/.test(agent.trim());
  if (isLine && given.nonstandard_token === undefined) own.nonstandard_token = true;
  const { nonstandard_token: known, ...rest } = given;
  const all = known === undefined ? rest : given;
  return request(all, own, [...PAGE, ...ARGUMENTS.filter((name) => !(name in own))]);
}

/** The last robot that one question was about: the next one is often about the same. */
let last = { agent: '*', request: policyRequest('*', undefined) };

/**
 * Whether a robot may crawl a URL, or a path that begins with `/`. For one question; for several,
 * `Policy` is faster.
 */
export function allows(robots: Body, agent: Agent, url: Url): boolean {
  const text = urlText(url, '/url');
  const body = file(robots, '/robots');
  const json = agent === last.agent ? last.request : policyRequest(agent, undefined);
  if (typeof agent === 'string') last = { agent, request: json };
  const module = bounded();
  let answer;
  try {
    const [asked = 0, about = 0, bytes = 0] = module.write([json, text, body]);
    answer = module.exports.allows_once(asked, about, bytes);
    if (answer === FAILED) module.refuse();
  } catch (cause) {
    throw failed(cause);
  }
  return answer === 1;
}

/** Asks about a page once. */
function decideOnce(policy: Policy, url: Url, page: PageOptions | undefined): Decision {
  try {
    return policy.decide(url, page);
  } finally {
    policy.free();
  }
}

/** The robots tags of a page that bind a robot, by rule. A rule without a value is `true`. */
export function tags(agent: Agent, page: PageOptions): Decision['tags'] {
  return decideOnce(new Policy('', agent), '/', page).tags;
}

/** What a site asks about training, AI input and search, of a robot that wants this page. */
export function preferences(
  robots: Body | null,
  agent: Agent,
  url: Url,
  options?: PolicyOptions & PageOptions,
): NonNullable<Decision['preferences']> {
  const given = object(options);
  const ofPage = Object.entries(given).filter(([name]) => PAGE.includes(name));
  const others = Object.entries(given).filter(([name]) => !PAGE.includes(name));
  const client = { preferences: {}, ...Object.fromEntries(others) };
  const policy = new Policy(robots, agent, client);
  return decideOnce(policy, url, Object.fromEntries(ofPage)).preferences ?? {};
}
