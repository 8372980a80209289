/** robots.txt files of many sites. The module says what to fetch, and what answers mean. */

import type { Decision } from './contract.js';
import { AbideError } from './error.js';
import { type Url, object, request, urlText } from './input.js';
import { ask } from './module.js';
import { type Agent, type PageOptions, Policy, type PolicyOptions, SiteRules } from './policy.js';

/** An `AbortSignal`. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** What is sent. Redirects are answers: whoever fetches does not follow them. */
export interface FetchOptions {
  headers: Record<string, string>;
  redirect: 'manual';
  // An `AbortSignal`, whose type not every program has.
  signal: any;
}

/** What is read of a `Response`. */
export interface FetchedResponse {
  readonly status: number;
  readonly type?: string;
  readonly redirected?: boolean;
  readonly headers: { forEach(visit: (value: string, name: string) => void): void };
  readonly body: {
    getReader(): {
      read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
      cancel(): Promise<unknown>;
    };
  } | null;
}

/** Sends one request, as the `fetch` of the platform does. */
export type Fetch = (url: string, options: FetchOptions) => PromiseLike<FetchedResponse>;

/** How files are fetched and kept, and what else a policy can be told. Times are in seconds. */
export interface RobotsCacheOptions
  extends Omit<
    PolicyOptions,
    'references' | 'robots_error' | 'robots_limit' | 'robots_location' | 'robots_status'
  > {
  /** The robot that asks [default: the one that `userAgent` names]. */
  agent?: Agent;
  /** Sends the requests [default: the `fetch` of the platform]. */
  fetch?: Fetch;
  /** How many bytes of files are kept [default: 64 MiB]. */
  memory?: number;
  /** How long one retrieval may take, with its redirects [default: 30]. */
  timeout?: number;
  /** The greatest lifetime of a file [default: a day, which is also the most]. */
  max_lifetime?: number;
  /** The least lifetime of a file [default: 5 minutes]. */
  min_lifetime?: number;
  /** How long a failing site is closed, before its last copy counts [default: 30 days]. */
  grace?: number;
  /** Whether URLs may name private addresses, and ports of other services [default: no]. */
  allow_private?: boolean;
}

/** How a question may be given up. */
export interface AskOptions {
  /** An `AbortSignal`. */
  signal?: Signal | undefined;
}

/** One byte more than is parsed shows whether the last line is complete. */
const MAX_READ_BYTES = 512_001;
const MAX_REASONS = 16;
/** Timers of a longer time ring at once. */
const MAX_TIMER_MILLIS = 2 ** 31 - 1;
const DEFAULT_MEMORY = 64 << 20;
/** What a site takes beside its file, about. */
const SITE_BYTES = 2048;

/** What the module says to do. */
interface Told {
  site: string;
  request: { walk: Walk; headers: [string, string][] } | null;
  until: string | null;
}

interface Walk {
  urls: string[];
  began: string;
}

/** What came of a request. */
interface Outcome {
  /** Members of the next question. */
  said: { status: number; headers: [string, string][] } | { failure: string };
  body?: Uint8Array;
  /** Whether it says nothing about the site. */
  isLocal?: boolean;
}

/** One site. */
interface Site {
  record: Uint8Array | undefined;
  policy: Policy | undefined;
  /** Until when the policy holds, in milliseconds. */
  until: number;
  flight: Flight | undefined;
}

/** A retrieval that goes on, and how many wait for it. */
interface Flight {
  policy: Promise<Policy>;
  controller: AbortController;
  waiting: number;
}

/** Codes of platforms, by what they mean for a site. The first one that fits counts. */
const FAILURES: readonly (readonly [string, RegExp])[] = [
  ['local', /^(EMFILE|ENFILE|ENOMEM|ENOBUFS|EADDRNOTAVAIL)$/],
  ['dns', /^(ENOTFOUND|EAI_)/],
  ['tls', /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/],
  ['timeout', /TIMEOUT$|^ETIMEDOUT$/],
  ['connect', /^(ECONN|EHOSTUNREACH|ENETUNREACH|EPIPE|UND_ERR_SOCKET)/],
];

/** The codes of an error, and of those that it came of. */
function codesOf(error: unknown): string[] {
  const [codes, reasons]: [string[], unknown[]] = [[], [error]];
  for (let at = 0; at < Math.min(reasons.length, MAX_REASONS); at += 1) {
    const reason = reasons[at];
    if (typeof reason !== 'object' || reason === null) continue;
    const { code, name, cause, errors } = reason as Record<string, unknown>;
    for (const word of [code, name === 'TimeoutError' ? 'TIMEOUT' : undefined]) {
      if (typeof word === 'string') codes.push(word);
    }
    reasons.push(cause, ...(Array.isArray(errors) ? errors : []));
  }
  return codes;
}

function failureOf(error: unknown, isInBody: boolean): Outcome {
  const codes = codesOf(error);
  const found = FAILURES.find(([, pattern]) => codes.some((code) => pattern.test(code)))?.[0];
  if (found === 'local') return { said: { failure: 'network' }, isLocal: true };
  if (isInBody && found !== 'timeout') return { said: { failure: 'truncated' } };
  return { said: { failure: found ?? 'network' } };
}

/** The beginning of a body, as far as it is read. */
async function bodyOf(response: FetchedResponse): Promise<Uint8Array> {
  const body = new Uint8Array(MAX_READ_BYTES);
  let length = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined && length < MAX_READ_BYTES) {
    const { done, value } = await reader.read();
    if (done) return body.slice(0, length);
    const piece = value?.subarray(0, MAX_READ_BYTES - length) ?? new Uint8Array();
    body.set(piece, length);
    length += piece.length;
  }
  // Whoever sends more than is read may go on for ever.
  reader?.cancel().catch(() => {});
  return body.slice(0, length);
}

function redirectHidden(): AbideError {
  const message = 'the platform hides where a redirect leads, or has followed it: redirects cannot be judged';
  return new AbideError('redirect-hidden', '', message, 'fetch in Node, Deno, Bun or a Worker, not in a browser');
}

/** The promise, unless the signal comes first. */
function until<T>(promise: PromiseLike<T>, signal: Signal | undefined): Promise<T> {
  if (signal === undefined) return Promise.resolve(promise);
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).then(() => signal.removeEventListener('abort', abort));
  });
}

/**
 * The robots.txt files of many sites. Each is fetched once, and kept as long as RFC 9309 and the
 * response say. A site whose file cannot be had is closed; a site that has none is open.
 */
export class RobotsCache {
  readonly #userAgent: string;
  readonly #agent: Agent;
  readonly #options: PolicyOptions;
  readonly #settings: Record<string, unknown>;
  readonly #fetch: Fetch;
  readonly #memory: number;
  readonly #timeout: number;
  /** Sites by their origins, the last one asked last. */
  readonly #sites = new Map<string, Site>();
  #bytes = 0;

  /** @param userAgent what requests send, such as `ExampleBot/1.0 (+https://bot.example/)` */
  constructor(userAgent: string, options?: RobotsCacheOptions) {
    const { agent, fetch, memory, timeout, max_lifetime, min_lifetime, grace, allow_private, ...rest } =
      object(options) as RobotsCacheOptions;
    if (typeof userAgent !== 'string' || !/^[\x20-\x7e]+$/.test(userAgent)) {
      const message = 'in "userAgent": expected what requests send as User-Agent, in ASCII';
      throw new AbideError('invalid-agent', '/userAgent', message);
    }
    for (const [name, value] of Object.entries({ memory, timeout })) {
      if (value !== undefined && !(typeof value === 'number' && value > 0)) {
        throw new AbideError('invalid-request', `/${name}`, `in "${name}": expected a number above 0`);
      }
    }
    if (fetch !== undefined && typeof fetch !== 'function') {
      throw new AbideError('invalid-request', '/fetch', 'in "fetch": expected a function');
    }
    this.#userAgent = userAgent;
    this.#agent = agent ?? userAgent;
    this.#options = rest;
    this.#settings = { max_lifetime, min_lifetime, grace, allow_private };
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#memory = memory ?? DEFAULT_MEMORY;
    this.#timeout = Math.min((timeout ?? 30) * 1000, MAX_TIMER_MILLIS);
    // Mistakes show here, not at the first question.
    new Policy('', this.#agent, this.#options).free();
    this.#ask('https://settings.invalid/', Date.now(), undefined);
  }

  /** How many sites are kept. */
  get sites(): number {
    return this.#sites.size;
  }

  /** Whether the robot may fetch this URL. */
  async allows(url: Url, options?: AskOptions): Promise<boolean> {
    const asked = requested(url);
    return (await this.policy(asked, options)).allows(asked);
  }

  /** Decides about a page, with evidence. Its `retrieval` says how robots.txt was fetched. */
  async decide(url: Url, page?: PageOptions, options?: AskOptions): Promise<Decision> {
    const asked = requested(url);
    return (await this.policy(asked, options)).decide(asked, page);
  }

  /** The current rules of the site of this URL. */
  async policy(url: Url, options?: AskOptions): Promise<Policy> {
    const { signal } = object(options) as AskOptions;
    if (signal?.aborted) throw signal.reason;
    const origin = new URL(requested(url)).origin.replace(/\.(?=:\d+$|$)/, '');
    const site = this.#sites.get(origin) ?? { record: undefined, policy: undefined, until: 0, flight: undefined };
    this.#sites.delete(origin);
    this.#sites.set(origin, site);
    if (site.policy !== undefined && Date.now() < site.until) return site.policy;
    return this.#awaited(origin, site, signal);
  }

  /** The flight of a site, which ends when nobody waits for it any more. */
  async #awaited(origin: string, site: Site, signal: Signal | undefined): Promise<Policy> {
    const flight = (site.flight ??= this.#flight(origin, site));
    flight.waiting += 1;
    try {
      return await until(flight.policy, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0 && site.flight === flight) {
        flight.controller.abort();
        this.#landed(origin, site, flight);
      }
    }
  }

  #flight(origin: string, site: Site): Flight {
    const controller = new AbortController();
    // It is no flight yet when it begins.
    const policy = Promise.resolve().then(() => this.#retrieved(origin, site, controller));
    const flight = { policy, controller, waiting: 0 };
    const ended = (): void => this.#landed(origin, site, flight);
    policy.then(ended, ended);
    return flight;
  }

  /** A site of which nothing became known is forgotten. */
  #landed(origin: string, site: Site, flight: Flight): void {
    if (site.flight === flight) site.flight = undefined;
    const isEmpty = site.record === undefined && site.flight === undefined;
    if (isEmpty && this.#sites.get(origin) === site) this.#sites.delete(origin);
  }

  #question(url: string, now: number, said: object = {}): string {
    return request(this.#settings, { url, now: new Date(now).toISOString(), ...said });
  }

  /** Asks the module what to do about a site. */
  #ask(
    url: string,
    now: number,
    record: Uint8Array | undefined,
    said?: object,
    body?: Uint8Array,
  ): { told: Told; record: Uint8Array } {
    const { text, bytes } = ask('retrieval', this.#question(url, now, said), record, body);
    return { told: JSON.parse(text), record: bytes };
  }

  async #retrieved(origin: string, site: Site, controller: AbortController): Promise<Policy> {
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      controller.abort();
    }, this.#timeout);
    let isLocal = false;
    let { told, record } = this.#ask(origin, Date.now(), site.record);
    try {
      while (told.request !== null) {
        const { walk, headers } = told.request;
        const came = await this.#sent(walk.urls.at(-1) ?? origin, headers, controller.signal, () => isLate);
        isLocal = came.isLocal ?? false;
        ({ told, record } = this.#ask(origin, Date.now(), record, { walk, ...came.said }, came.body));
      }
    } finally {
      clearTimeout(late);
    }
    const rules = new SiteRules(this.#question(origin, Date.now()), record);
    const policy = Policy.ofSite(rules, this.#agent, this.#options);
    // What this machine lacks says nothing about the site: the next question tries again.
    if (!isLocal) this.#keep(origin, site, record, policy, told.until);
    return policy;
  }

  #keep(origin: string, site: Site, record: Uint8Array, policy: Policy, end: string | null): void {
    if (this.#sites.get(origin) === site) this.#bytes += sizeOf(record) - sizeOf(site.record);
    Object.assign(site, { record, policy, until: end === null ? 0 : Date.parse(end) });
    for (const [oldest, { record: old, flight }] of this.#sites) {
      if (this.#bytes <= this.#memory) break;
      if (flight !== undefined && oldest !== origin) continue;
      this.#sites.delete(oldest);
      this.#bytes -= sizeOf(old);
    }
  }

  /** Sends one request. */
  async #sent(
    url: string,
    fields: [string, string][],
    signal: Signal,
    isLate: () => boolean,
  ): Promise<Outcome> {
    const headers = Object.fromEntries([['User-Agent', this.#userAgent], ...fields]);
    let isInBody = false;
    try {
      const sending = this.#fetch(url, { headers, redirect: 'manual', signal });
      const response = await until(sending, signal);
      if (response.type === 'opaqueredirect' || response.redirected) throw redirectHidden();
      isInBody = true;
      const body = await until(bodyOf(response), signal);
      const lines: [string, string][] = [];
      response.headers.forEach((value, name) => lines.push([name, value]));
      return { said: { status: response.status, headers: lines }, body };
    } catch (error) {
      if (isLate()) return { said: { failure: 'timeout' } };
      if (signal.aborted || error instanceof AbideError) throw error;
      return failureOf(error, isInBody);
    }
  }
}

function sizeOf(record: Uint8Array | undefined): number {
  return record === undefined ? 0 : SITE_BYTES + 2 * record.length;
}

/** The URL that is sent, which is the one that rules are matched against. */
function requested(url: unknown): string {
  const text = urlText(url, '/url');
  try {
    const asked = new URL(text);
    if (/^https?:$/.test(asked.protocol)) {
      asked.hash = '';
      return asked.href;
    }
  } catch {
    // Said below.
  }
  throw new AbideError('invalid-url', '/url', 'in "url": expected an http or https URL', 'give the whole URL');
}
