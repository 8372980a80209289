/**
 * A drop-in for the package `robots-parser`: the same functions, and the answers of RFC 9309.
 * `docs/javascript.md` lists where these differ.
 */

import { AbideError } from './error.js';
import { isBroken } from './input.js';
import { Policy } from './policy.js';

/** What `robots-parser` returns. */
export interface Robot {
  /** Whether a robot may crawl a URL; `undefined` if it is not of the site of the file. */
  isAllowed(url: string, ua?: string): boolean | undefined;
  /** The opposite of `isAllowed`. */
  isDisallowed(url: string, ua?: string): boolean | undefined;
  /** The line that decides, from 1; -1 if none does. */
  getMatchingLineNumber(url: string, ua?: string): number;
  /** The delay between requests that the file asks for, in seconds. */
  getCrawlDelay(ua?: string): number | undefined;
  /** The values of all `Sitemap` lines. */
  getSitemaps(): string[];
  /** The value of the last `Host` line. */
  getPreferredHost(): string | null;
}

/** The base of relative URLs: a host that nobody can have (RFC 6761). */
const BASE = 'http://relative.invalid/';
/** So many robots have their rules kept. */
const MAX_ROBOTS = 64;

function parsed(url: string): URL | undefined {
  try {
    return new URL(url, BASE);
  } catch {
    return undefined;
  }
}

function isSameSite(one: URL, other: URL): boolean {
  return one.protocol === other.protocol && one.host === other.host;
}

/** A name without its version, in lower case. */
function nameOf(ua: string | undefined): string {
  return (ua || '*').toLowerCase().replace(/\/.*/s, '').trim() || '*';
}

/** Fields that RFC 9309 leaves to others. */
interface OtherFields {
  /** Names with a field of their own. */
  named: Set<string>;
  /** Delays in seconds, by name. */
  delays: Map<string, number>;
  host: string | null;
}

/** The fields that give a name a group. */
const RULES = ['allow', 'disallow', 'crawl-delay'];

class Parser implements Robot {
  readonly #site: URL | undefined;
  readonly #text: string;
  /** The rules of robots that were asked about, the last one last. */
  readonly #policies = new Map<string, Policy>();

  constructor(url: string, contents: string) {
    this.#site = parsed(url);
    this.#text = isBroken(contents) ? contents.toWellFormed() : contents;
  }

  #policy(ua: string | undefined): Policy {
    const given = nameOf(ua);
    const name = isBroken(given) ? given.toWellFormed() : given;
    const known = this.#policies.get(name);
    const policy = known ?? this.#compiled(name);
    this.#policies.delete(name);
    this.#policies.set(name, policy);
    for (const [oldest] of this.#policies) {
      if (this.#policies.size <= MAX_ROBOTS) break;
      this.#policies.delete(oldest);
    }
    return policy;
  }

  #compiled(name: string): Policy {
    try {
      return new Policy(this.#text, [name], { nonstandard_token: true });
    } catch (error) {
      // No group can name such a robot.
      if (error instanceof AbideError && error.code === 'invalid-agent') return this.#policy('*');
      throw error;
    }
  }

  /** The URL as a path of the site of the file. */
  #path(url: string): string | undefined {
    const asked = parsed(url);
    if (asked === undefined || this.#site === undefined || !isSameSite(asked, this.#site)) return undefined;
    return asked.pathname + asked.search;
  }

  isAllowed(url: string, ua?: string): boolean | undefined {
    const path = this.#path(url);
    return path === undefined ? undefined : this.#policy(ua).allows(path);
  }

  isDisallowed(url: string, ua?: string): boolean {
    return !this.isAllowed(url, ua);
  }

  getMatchingLineNumber(url: string, ua?: string): number {
    const path = this.#path(url);
    if (path === undefined) return -1;
    const [decided] = this.#policy(ua).decide(path).usages.crawl?.evidence ?? [];
    return decided?.source === 'robots.txt' ? (decided.line ?? -1) : -1;
  }

  getCrawlDelay(ua?: string): number | undefined {
    const { named, delays } = this.#others();
    const name = named.has(nameOf(ua)) ? nameOf(ua) : '*';
    return delays.get(name);
  }

  getSitemaps(): string[] {
    return this.#policy('*').decide('/').sitemaps;
  }

  getPreferredHost(): string | null {
    return this.#others().host;
  }

  /** The fields that are not RFC 9309's, as robots-parser reads them: each belongs to the names right above. */
  #others(): OtherFields {
    const found: OtherFields = { named: new Set(), delays: new Map(), host: null };
    let names: string[] = [];
    let isAfterName = false;
    for (const line of this.#text.split(/\r\n|\r|\n/)) {
      const [, key = '', value = ''] = /^([^:#]*):([^#]*)/.exec(line)?.map((part) => part.trim()) ?? [];
      if (key === '') continue;
      const field = key.toLowerCase();
      if (field === 'user-agent') {
        if (!isAfterName) names = [];
        if (value !== '') names.push(nameOf(value));
      } else if (RULES.includes(field)) {
        for (const name of names) found.named.add(name);
      } else if (field === 'host' && value !== '') {
        found.host = value.toLowerCase();
      }
      if (field === 'crawl-delay' && value !== '' && !Number.isNaN(Number(value))) {
        for (const name of names) found.delays.set(name, Number(value));
      }
      isAfterName = field === 'user-agent';
    }
    return found;
  }
}

/** Reads a robots.txt, which is at this URL. */
export default function robotsParser(url: string, robotstxt: string): Robot {
  return new Parser(String(url), robotstxt ? String(robotstxt) : '');
}
