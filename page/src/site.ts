/** The live file of a site, and how it was obtained. */
import { byId, code, element, replace, visible } from './dom';
import { Latest, service, textOf, type Live } from './service';
import { siteUrl } from './state';
import { during } from './states';
import { bytes, instant } from './words';

function pairs(headers: unknown): [string, string][] {
  if (Array.isArray(headers)) return headers.map((pair) => [String(pair[0]), String(pair[1])]);
  return Object.entries((headers ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
    (Array.isArray(value) ? value.map((one): [string, string] => [name, String(one)]) : [[name, String(value)] as [string, string]]));
}

function redirect(step: unknown): string {
  if (typeof step === 'string') return step;
  const { url, from, to, location, status } = step as Record<string, unknown>;
  return [url ?? from, status && `(${status})`, (to ?? location) && `→ ${to ?? location}`].filter(Boolean).join(' ');
}

/** What the state of a retrieval means for robots. */
function meaning(live: Live): { sentence: string; usable: boolean } {
  switch (live.state) {
    case 'unavailable': return { sentence: 'The site has no robots.txt, so everything is allowed.', usable: true };
    case 'unreachable': return { sentence: 'The file could not be fetched, so nothing is allowed until it can be.', usable: false };
    case 'unknown': return { sentence: 'Nothing is known about the file.', usable: false };
    default: return { sentence: 'This file is in force.', usable: true };
  }
}

export class Site {
  private readonly latest = new Latest();
  private readonly place = byId('site-status');
  /** The text of the last live file that was fetched. */
  live: { site: string; text: string } | null = null;

  constructor(private readonly site: () => string, private readonly loaded: (text: string) => void) {}

  /** Fetches the file; `into` says whether the editor takes it over. */
  async get(into: boolean): Promise<string | null> {
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
    replace(this.place);
    const live = await during(this.place, () => service.robots(url, signal), () => void this.get(into));
    if (!live || signal.aborted) return null;
    const { text, lossy } = textOf(live);
    const { sentence, usable } = meaning(live);
    this.live = usable ? { site: url, text } : null;
    this.show(live, sentence, text, lossy);
    if (!usable) return null;
    if (into) this.loaded(text);
    return text;
  }

  private show(live: Live, sentence: string, text: string, lossy: boolean): void {
    const redirects = (live.redirects ?? []).map(redirect);
    const facts: [string, Node | string | null][] = [
      ['Address', code(live.robots_url)],
      ['Redirects', redirects.length > 0 ? element('ol', {}, ...redirects.map((step) => element('li', {}, code(step)))) : 'none'],
      ['Status', live.status ? String(live.status) : null],
      ['Size', bytes(new TextEncoder().encode(text).length)],
      ['In force since', live.since ? instant(live.since) : null],
      ['Applies until', live.expires ? instant(live.expires) : null],
      ['Why', live.why ? visible(live.why) : null],
      ...pairs(live.headers).map(([name, value]): [string, Node] => [name, code(value)]),
    ];
    replace(this.place,
      element('div', { class: 'line' },
        element('strong', {}, sentence),
        element('span', { class: 'note' }, [
          live.status ? `status ${live.status}` : null,
          redirects.length > 0 ? `${redirects.length} ${redirects.length === 1 ? 'redirect' : 'redirects'}` : null,
          live.expires ? `applies until ${instant(live.expires)}` : null,
        ].filter(Boolean).join(' · '))),
      lossy && element('p', { class: 'notice' }, 'The file has bytes that are not UTF-8. The editor shows � in their place.'),
      element('details', {}, element('summary', {}, 'How it was obtained'),
        element('dl', { class: 'facts' }, ...facts.filter(([, fact]) => fact).flatMap(([name, fact]) => [element('dt', {}, visible(name)), element('dd', {}, fact)]))));
  }
}
