/** The files that a site served over time, where the service keeps them. */
import { announce, byId, code, element, replace, sentence } from './dom';
import { Latest, service, textOf, type HistoryAnswer, type Observation } from './service';
import { siteUrl, type State } from './state';
import { during, emptyState } from './states';
import { bytes, instant } from './words';

/** So much of an old file is shown here; the editor takes all of it. */
const SHOWN = 20_000;

export class History {
  private readonly latest = new Latest();
  private readonly timeline = byId('timeline');
  private readonly force = byId('in-force');
  private readonly day = byId<HTMLInputElement>('day');
  private answer: HistoryAnswer | null = null;
  private asked = '';

  constructor(
    private readonly state: () => State,
    private readonly use: (text: string, where: 'draft' | 'before') => void,
    changed: () => void,
  ) {
    this.day.addEventListener('change', () => {
      this.state().day = this.day.value;
      changed();
      void this.run(true);
    });
  }

  async run(again = false): Promise<void> {
    const { site, day } = this.state();
    const url = siteUrl(site);
    this.day.value = day;
    if (!url) {
      this.asked = '';
      replace(this.timeline, emptyState('Which site?', 'Enter a site above to see which files it served, and since when.'));
      replace(this.force);
      return;
    }
    const asked = `${url} ${day}`;
    if (asked === this.asked && !again) return;
    this.asked = asked;
    const signal = this.latest.next();
    // The end of the day, where the reader is.
    const at = day ? new Date(`${day}T23:59:59`).toISOString() : undefined;
    const answer = await during(this.timeline, () => service.history(url, at, signal), () => void this.run(true));
    if (signal.aborted) return;
    if (!answer) { replace(this.force); return; }
    this.answer = answer;
    this.show(at);
  }

  private show(at: string | undefined): void {
    const { observations, kept, in_force } = this.answer!;
    if (observations.length === 0) {
      replace(this.force);
      replace(this.timeline, kept === false
        ? emptyState('This service keeps no history', 'Start it with a cache, such as abide serve --cache FOLDER. It then keeps every file that a site serves.')
        : emptyState('Nothing is known of this site yet', 'Choose “Get its robots.txt” above. The service keeps each file that it fetches from now on.'));
      return;
    }
    const then = at ? this.at(at, observations, in_force?.sha256) : null;
    if (at) {
      const text = in_force?.why ?? (then ? `The file of ${instant(then.first)} was in force.` : 'Nothing is known about that day: it is before the first visit.');
      replace(this.force, element('p', { class: 'headline' }, sentence(text)));
      announce(text);
    } else {
      replace(this.force, element('p', { class: 'note' }, 'Choose a day to see which file applied.'));
    }
    const newest = [...observations].reverse();
    replace(this.timeline, element('ol', { class: 'timeline' }, ...newest.map((one, index) => this.entry(one, observations[observations.length - 2 - index], index === 0, one === then))));
  }

  private at(instantText: string, observations: Observation[], sha256?: string): Observation | null {
    if (sha256) return observations.find((one) => one.sha256 === sha256) ?? null;
    return observations.findLast((one) => new Date(one.first) <= new Date(instantText)) ?? null;
  }

  private entry(one: Observation, earlier: Observation | undefined, newest: boolean, then: boolean): HTMLElement {
    const known = one.body !== undefined || one.body_base64 !== undefined;
    const { text } = textOf(one);
    const effect = element('p', {});
    if (known && earlier) void this.compare(earlier, one, effect);
    return element('li', { class: `${newest ? 'now' : ''} ${then ? 'in-force' : ''}` },
      element('div', { class: 'row' },
        element('strong', {}, `${instant(one.first)}${newest ? ', current' : ''}`),
        element('span', { class: 'note' }, [one.last ? `last seen ${instant(one.last)}` : null, one.bytes !== undefined ? bytes(one.bytes) : null, one.status ? `status ${one.status}` : null]
          .filter(Boolean).join(' · ')),
        then && element('span', { class: 'badge allowed' }, 'in force on that day')),
      earlier ? effect : element('p', { class: 'note' }, 'The first file that this service has seen.'),
      known && element('details', {}, element('summary', {}, 'Show the file'),
        element('pre', { tabindex: '0', 'aria-label': 'File' }, text.slice(0, SHOWN), text.length > SHOWN ? '\n…' : '')),
      known && element('div', { class: 'copies' },
        element('button', { type: 'button', onclick: () => this.use(text, 'draft') }, 'Test this file'),
        element('button', { type: 'button', onclick: () => this.use(text, 'before') }, 'Compare the draft with it')),
      !known && one.sha256 && element('p', { class: 'note' }, 'SHA-256 ', code(one.sha256)));
  }

  private async compare(earlier: Observation, later: Observation, place: HTMLElement): Promise<void> {
    const signal = AbortSignal.timeout(20_000);
    const diff = await during(place, () => service.diff(textOf(earlier).text, textOf(later).text, signal), () => void this.compare(earlier, later, place));
    if (diff) replace(place, sentence(diff.headline));
  }
}
