/** The live file of a site, and how it was obtained. */
import { IS_STATIC } from './answers';
import type { LiveFile, RobotsFile } from './bytes';
import { append, byId, code, count, element, replace, visible } from './dom';
import { Latest, servedFile, service, type FetchedSite } from './service';
import { EMPTY, emptiness, siteUrl } from './state';
import { during } from './states';
import { bytes, instant } from './words';

/** Whether a file is a web page, which many sites send for every path. `abide_lint::is_html` says the same. */
function isWebPage({ text }: RobotsFile): boolean {
  return /^\ufeff?\s*<[a-z!?]/i.test(text) && !/^\s*user-agent\s*:/im.test(text);
}

/** What the site serves, in a sentence, and whether there is something to compare with. */
function meaning(live: FetchedSite): { sentence: string; usable: boolean } {
  switch (live.rules) {
    case 'file':
      return { sentence: served(live), usable: true };
    case 'unavailable': return { sentence: 'The site has no robots.txt, so everything is allowed.', usable: true };
    case 'unreachable': return { sentence: 'The file could not be fetched, so nothing is allowed until it can be.', usable: false };
    case 'unknown': return { sentence: 'Nothing is known about the file of this site.', usable: false };
  }
}

function served(live: FetchedSite): string {
  const [what, meaning] = live.file?.bytes === 0 ? ['an empty file', ', so everything is allowed']
    : isWebPage(servedFile(live.file)) ? ['a web page instead of a robots.txt', ''] : ['this file', ''];
  return live.retrieval.state === 'fresh' ? `The site serves ${what}${meaning}.`
    : `The site served ${what}${meaning}. This is the last copy: the site gives no newer one.`;
}

/** Why there is no file, and why the site was not asked again. */
function reason({ cause, asks_to_wait }: FetchedSite): string {
  const waits = asks_to_wait && `it was not asked again, because it asked to be left alone until ${instant(asks_to_wait)} (Retry-After)`;
  return [cause, waits].filter(Boolean).join('; ');
}

/** The requests that the service sent last, or those that brought what it keeps. */
function requestsOf({ requests, trail }: FetchedSite): FetchedSite['requests'] {
  return requests.length > 0 ? requests : (trail?.requests ?? []);
}

/** The names that requests have for failures. */
const FAILURES = ['dns', 'connect', 'tls', 'timeout', 'truncated', 'redirect-limit', 'bad-redirect', 'refused', 'network'];

/** Why there is no file, as requests say it. */
function absenceOf(live: FetchedSite): string {
  const { status, failure = '' } = requestsOf(live).at(-1) ?? {};
  if (live.rules === 'unavailable') return status && status >= 400 && status < 500 ? String(status) : '404';
  return status && status >= 500 ? String(status) : FAILURES.includes(failure) ? failure : 'network';
}

/** What a site without rules allowed. */
function absenceWord(absence: string): string {
  if (absence === '') return '';
  if (absence === EMPTY) return 'was empty, so everything was allowed.';
  return /^4/.test(absence) ? 'did not exist, so everything was allowed.' : 'could not be fetched, so nothing was allowed.';
}

function duration(seconds: number): string {
  const [size, unit] = seconds >= 172_800 ? [86_400, 'days'] : seconds >= 7200 ? [3600, 'hours'] : seconds >= 120 ? [60, 'minutes'] : [1, 'seconds'];
  return seconds === 1 ? '1 second' : `${(seconds / (size as number)).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}

/** For how many seconds robots may use a copy if the site does not say (RFC 9309, section 2.4). */
const LONGEST_COPY = 86_400;

/** How people get a file that the page cannot fetch. */
function byHand(url: string): HTMLElement {
  return element('p', {}, 'This page fetches nothing. Open ', element('a', { href: url, rel: 'noreferrer noopener', target: '_blank' }, code(url)),
    ', and copy it into the editor. The page of ', code('abide serve'), ' gets it for you.');
}

export class Site {
  private readonly latest = new Latest();
  private readonly place = byId('site-status');
  /** The last live file that was fetched, or that a link has; without text if the site had none. */
  live: LiveFile | null = null;
  /** What the editor has, beside what was fetched. */
  private readonly beside = element('span', { class: 'notice', hidden: true });

  constructor(private readonly site: () => string, private readonly loaded: (file: RobotsFile, absence: string) => void) {}

  /** Fetches the file; `into` says whether the editor takes it over. */
  async get(into: boolean): Promise<LiveFile | null> {
    const signal = this.latest.next();
    const written = this.site();
    const url = siteUrl(written);
    if (!url) {
      replace(this.place, element('p', { class: 'problem' }, written.trim()
        ? 'This is no address of a site. Write it like example.com or https://example.com/page.'
        : 'Enter a site first, such as example.com.'));
      byId('site').focus();
      return null;
    }
    replace(this.place, IS_STATIC && byHand(new URL('/robots.txt', url).href));
    if (IS_STATIC) return null;
    const live = await during(this.place, () => service.robots(url, signal), () => void this.get(into));
    if (!live || signal.aborted) return null;
    const file = servedFile(live.file);
    const { sentence, usable } = meaning(live);
    const absence = live.rules === 'file' ? emptiness(file) : absenceOf(live);
    this.live = { url: live.url, at: live.retrieval.checked_at ?? live.retrieval.fetched_at ?? new Date().toISOString(), file, absence };
    this.show(live, sentence);
    if (into) this.loaded(file, absence);
    return usable ? this.live : null;
  }

  /** Takes over a file that was served at some time: from a link, or from the history. */
  keep(live: LiveFile | null): void {
    this.latest.next();
    this.live = live;
    replace(this.place);
    if (!live) return;
    append(this.place, element('div', { class: 'line' },
      element('strong', {}, `As of ${instant(live.at)}`), code(live.url), absenceWord(live.absence), this.beside,
      element('span', { class: 'note' }, 'It may have changed since.'),
      element('button', { type: 'button', class: 'link', onclick: () => this.again(live.url) }, 'Get it again')));
  }

  private again(url: string): void {
    byId<HTMLInputElement>('site').value = url.replace(/robots\.txt$/, '');
    byId('site').dispatchEvent(new Event('input'));
    byId<HTMLFormElement>('site-form').requestSubmit();
  }

  /** Says whether the editor still has what was fetched. */
  differs(does: boolean): void {
    this.beside.hidden = !does;
    this.beside.textContent = 'The editor has another text: the answers below are about that.';
  }

  private show(live: FetchedSite, sentence: string): void {
    const { retrieval } = live;
    const [requests, why] = [requestsOf(live), reason(live)];
    const redirects = requests.length - 1;
    const steps = requests.map(({ url, address, status, failure, milliseconds }) =>
      element('li', {}, code(url), ` ${status ?? failure ?? 'no answer'}, ${milliseconds} ms${address ? `, ${address}` : ''}`));
    const facts: [string, Node | string | null | undefined | false][] = [
      ['Address', code(live.url)],
      ['Requests', steps.length > 0 ? element('ol', {}, ...steps) : 'none: the service had a copy'],
      ['Why', visible(why)],
      ['Size', live.file && `${bytes(live.file.bytes)}${live.file.cut ? ', and more that is not read' : ''}`],
      ['Fetched', retrieval.fetched_at && instant(retrieval.fetched_at)],
      ['Confirmed', retrieval.checked_at && instant(retrieval.checked_at)],
      ['Lifetime', live.lifetime ? `${duration(live.lifetime)}, says the site` : 'the site says nothing'],
      ['Fresh until', retrieval.fresh_until && instant(retrieval.fresh_until)],
      ['Fails since', retrieval.unreachable_since && instant(retrieval.unreachable_since)],
      ['Asked again', retrieval.unreachable_since && live.next_fetch && instant(live.next_fetch)],
      ...(live.trail?.fields ?? []).map(({ name, value }): [string, Node] => [name, code(value)]),
    ];
    replace(this.place,
      element('div', { class: 'line' },
        element('strong', {}, sentence),
        why !== '' && element('span', {}, visible(why)),
        live.file?.cut && element('span', { class: 'notice' }, `The file is longer than ${bytes(live.file.bytes)}: the rest is not here, and robots may ignore it.`),
        this.beside,
        element('span', { class: 'note' }, [
          typeof live.age === 'number' && !retrieval.unreachable_since ? `fetched ${live.age < 1 ? 'just now' : `${duration(live.age)} ago`}` : null,
          `as of ${instant(this.live!.at)}`,
          requests.at(-1)?.status ? `status ${requests.at(-1)!.status}` : null,
          redirects > 0 ? count(redirects, 'redirect') : null,
          live.file ? `robots may use an older copy for up to ${duration(Math.min(live.lifetime ?? LONGEST_COPY, LONGEST_COPY))}` : null,
        ].filter(Boolean).join(' · '))),
      element('details', {}, element('summary', {}, 'How it was obtained'),
        element('dl', { class: 'facts' }, ...facts.filter(([, fact]) => fact).flatMap(([name, fact]) => [element('dt', {}, visible(name)), element('dd', {}, fact)]))));
  }
}
