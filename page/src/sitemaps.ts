/** The pages that sitemaps list, as URLs to ask about. */
import { AnswerError, IS_STATIC, wrongInput } from './answers';
import { base64, through } from './bytes';
import { byId, count, element, replace, visible } from './dom';
import { Latest, service } from './service';
import { during } from './states';

/** As many as one sitemap may have. */
const MOST_URLS = 50_000;
const MOST_SITEMAPS = 50;
/** So many problems of single sitemaps are shown. */
const MOST_PROBLEMS = 5;

/** Whether a text is a sitemap in XML, which people paste in place of URLs. */
export function isSitemap(text: string): boolean {
  return /^\ufeff?\s*</.test(text) && /<(?:[\w-]+:)?(?:urlset|sitemapindex)[\s>]/i.test(text.slice(0, 4000));
}

/** The sitemaps that a robots.txt names, each once. */
export function namedSitemaps(robots: string): string[] {
  return [...new Set([...robots.matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*([^\s#]+)/gim)].map(([, url]) => url!))];
}

/** What a sitemap that is opened may have, in bytes, also after it was compressed. */
export const MOST_SITEMAP_BYTES = 50 * 1024 * 1024;

/**
 * A file as it is asked about. A service takes some MB, and a sitemap shrinks to a tenth, if it is not compressed
 * already. The module takes what is not compressed.
 */
async function asTaken(file: Uint8Array): Promise<Uint8Array> {
  const isPacked = file[0] === 0x1f && file[1] === 0x8b;
  if (isPacked !== IS_STATIC) return file;
  if (!isPacked) return through(file, new CompressionStream('gzip'));
  try {
    return await through(file, new DecompressionStream('gzip'), MOST_SITEMAP_BYTES);
  } catch (error) {
    const why = error instanceof RangeError ? error.message : 'its gzip is broken';
    throw wrongInput({ detail: `this is no sitemap that can be read: ${why}`, remedy: 'Open XML as sitemaps.org describes it, or a list with one URL on each line.' }, {});
  }
}

/** What was read on the way from sitemap to sitemap. */
class Walk {
  readonly urls = new Set<string>();
  readonly problems: string[] = [];
  read = 0;
  /** The first sitemap on another host that an index lists, and how many there are. */
  private foreign = { first: '', count: 0 };
  private readonly seen: Set<string>;

  constructor(private readonly waiting: string[]) {
    this.seen = new Set(waiting);
  }

  /** Takes over what a sitemap lists: pages, or sitemaps of its own host. */
  add({ index, urls }: { index: boolean; urls: string[] }, from?: string): void {
    this.read += index ? 0 : 1;
    for (const url of urls) {
      if (!index) {
        if (this.urls.size < MOST_URLS) this.urls.add(url);
      } else if (from && URL.canParse(url) && !this.seen.has(url)) {
        this.seen.add(url);
        if (new URL(url).host === new URL(from).host) this.waiting.push(url);
        else this.foreign = { first: this.foreign.first || url, count: this.foreign.count + 1 };
      }
    }
    if (index && !from) this.problems.push(`It is an index of other sitemaps. Open one of these${IS_STATIC ? '' : ', or name it by its URL in a Sitemap line of the file'}.`);
  }

  /** Reads what waits. What cannot be read is a problem, and the others are read. */
  async rest(signal: AbortSignal): Promise<void> {
    for (let asked = 0; this.waiting.length > 0 && this.urls.size < MOST_URLS; asked += 1) {
      if (asked === MOST_SITEMAPS) {
        this.problems.push(`${count(this.waiting.length, 'sitemap was', 'sitemaps were')} not read: ${MOST_SITEMAPS} are the most.`);
        break;
      }
      const url = this.waiting.shift()!;
      try {
        this.add(await service.sitemap({ url }, signal), url);
      } catch (error) {
        // Without a service nothing else can be read.
        if (!(error instanceof AnswerError) || error.kind === 'offline' || error.kind === 'token') throw error;
        this.problems.push(`${visible(url)}: ${error.detail || error.title}`);
      }
    }
    const { first, count: foreign } = this.foreign;
    if (foreign > 0) this.problems.push(`${count(foreign, 'sitemap')} on another host ${foreign === 1 ? 'was not read:' : 'were not read, such as'} ${visible(first)}. A Sitemap line of the file can name it.`);
    if (this.urls.size >= MOST_URLS) this.problems.push(`More than ${MOST_URLS.toLocaleString('en')} URLs are not read.`);
  }
}

export class Sitemaps {
  private readonly latest = new Latest();
  private readonly place = byId('sitemap-status');

  constructor(private readonly found: (urls: string[]) => void) {}

  /** Reads a sitemap that was pasted or opened. */
  async open(file: string | Uint8Array): Promise<void> {
    await this.run([], async (walk, signal) => {
      const body = typeof file === 'string' ? { sitemap: file } : { sitemap_base64: base64(await asTaken(file)) };
      walk.add(await service.sitemap(body, signal));
    }, () => void this.open(file));
  }

  /** Reads the sitemaps at these URLs, and those that they list. */
  async get(urls: string[]): Promise<void> {
    await this.run([...urls], (walk, signal) => walk.rest(signal), () => void this.get(urls));
  }

  clear(): void {
    this.latest.next();
    replace(this.place);
  }

  private async run(first: string[], read: (walk: Walk, signal: AbortSignal) => Promise<void>, again: () => void): Promise<void> {
    const signal = this.latest.next();
    const walk = new Walk(first);
    replace(this.place);
    const done = await during(this.place, async () => { await read(walk, signal); return true; }, again);
    if (!done || signal.aborted) return;
    const shown = walk.problems.slice(0, MOST_PROBLEMS);
    const more = walk.problems.length - shown.length;
    replace(this.place,
      element('p', { class: 'note' }, `${count(walk.urls.size, 'URL')} of ${count(walk.read, 'sitemap')}.`),
      ...shown.map((problem) => element('p', { class: 'notice' }, problem)),
      more > 0 && element('p', { class: 'note' }, `and ${count(more, 'more problem')}`));
    if (walk.urls.size > 0) this.found([...walk.urls]);
  }
}
