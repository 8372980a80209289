/**
 * robots.txt for Crawlee, by the rules of RFC 9309: a site whose file cannot be had is closed, the
 * crawler has its own name, and `Crawl-delay` is the delay between requests to a site.
 */

import './node.js';

import { AbideError } from './error.js';
import type { Url } from './input.js';
import type { Policy } from './policy.js';
import type { AskOptions, RobotsCache } from './robots-cache.js';

/** The robots.txt of a site, in place of the class of this name in Crawlee. */
export class RobotsTxtFile {
  /** Where the file is. */
  readonly url: string;
  readonly #policy: Policy;
  readonly #origin: string;

  private constructor(origin: string, policy: Policy) {
    this.url = `${origin}/robots.txt`;
    this.#origin = origin;
    this.#policy = policy;
  }

  /** The file of the site of this URL. It is fetched if the cache does not have it. */
  static async find(url: Url, robots: RobotsCache, options?: AskOptions): Promise<RobotsTxtFile> {
    const policy = await robots.policy(url, options);
    return new RobotsTxtFile(originOf(url), policy);
  }

  /**
   * Whether the crawler may fetch this URL. For a URL of another site it is true: Crawlee asks
   * again before it fetches. The name that Crawlee gives does not count, but that of the cache.
   */
  isAllowed(url: string, _userAgent?: string): boolean {
    const { href, origin } = new URL(url);
    return origin !== this.#origin || this.#policy.allows(href);
  }

  /** The sitemaps that the file names. */
  getSitemaps(): string[] {
    return this.#policy.decide('/').sitemaps;
  }

  /** The delay between requests that the file asks for, in seconds. */
  get crawlDelay(): number | undefined {
    return this.#policy.decide('/').crawl_delay;
  }
}

function originOf(url: Url): string {
  return new URL(typeof url === 'string' ? url : url.href).origin;
}

/** What is used of a crawler: what its subclasses may change too. */
interface Crawler {
  respectRobotsTxtFile: unknown;
  sameDomainDelayMillis: number;
  getRobotsTxtFileForUrl(url: string): Promise<unknown>;
  delayRequest(request: { url: string }, source: unknown): boolean;
}

function isCrawler(crawler: object): crawler is Crawler {
  const { getRobotsTxtFileForUrl, delayRequest, sameDomainDelayMillis } = crawler as Partial<Crawler>;
  const functions = [getRobotsTxtFileForUrl, delayRequest].map((one) => typeof one);
  return functions.every((one) => one === 'function') && typeof sameDomainDelayMillis === 'number';
}

/** Until the file of a site is known, its requests are a second apart. */
const UNKNOWN_MILLIS = 1000;
/** So many sites have their delays kept. */
const MAX_SITES = 10_000;

/** Makes a crawler ask `robots` about every request, and wait as long as sites ask for. */
export function respectRobots<C extends object>(crawler: C, robots: RobotsCache): C {
  if (!isCrawler(crawler)) {
    const message = 'in "crawler": expected a crawler of Crawlee 3.13 or a later 3';
    throw new AbideError('invalid-request', '/crawler', message);
  }
  const delays = new Map<string, number>();
  const ownDelay = crawler.delayRequest;
  crawler.respectRobotsTxtFile = true;
  crawler.getRobotsTxtFileForUrl = async (url) => {
    const file = await RobotsTxtFile.find(url, robots);
    delays.delete(originOf(url));
    delays.set(originOf(url), (file.crawlDelay ?? 0) * 1000);
    for (const [oldest] of delays) {
      if (delays.size <= MAX_SITES) break;
      delays.delete(oldest);
    }
    return file;
  };
  crawler.delayRequest = (request, source) => {
    const own = crawler.sameDomainDelayMillis;
    const asked = delays.get(originOf(request.url)) ?? UNKNOWN_MILLIS;
    // Crawlee has one delay for all sites, and reads it here only.
    crawler.sameDomainDelayMillis = Math.max(own, asked);
    try {
      return ownDelay.call(crawler, request, source);
    } finally {
      crawler.sameDomainDelayMillis = own;
    }
  };
  return crawler;
}
