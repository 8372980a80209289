/** The files that a site served over time, where the service keeps them. */
import { AnswerError } from './answers';
import type { LiveFile, RobotsFile } from './bytes';
import { announce, byId, code, element, replace, sentence, visible } from './dom';
import { Latest, servedFile, service, type Observation, type SiteHistory } from './service';
import { emptiness, siteUrl, type State } from './state';
import { during, emptyState, problem } from './states';
import { bytes, instant } from './words';

/** So much of an old file is shown here; the editor takes all of it. */
const SHOWN = 20_000;
/** So many files are shown at once, the newest first. */
const FILES = 25;

export class History {
  private readonly latest = new Latest();
  private readonly timeline = byId('timeline');
  private readonly force = byId('in-force');
  private readonly day = byId<HTMLInputElement>('day');
  private answer: SiteHistory | null = null;
  private asked = '';
  private files = new Map<string, Promise<RobotsFile>>();

  constructor(
    private readonly state: () => State,
    private readonly use: (live: LiveFile, where: 'draft' | 'before') => void,
    changed: () => void,
  ) {
    this.day.addEventListener('change', () => {
      this.state().day = this.day.value;
      changed();
      if (this.answer) this.show();
    });
  }

  async run(again = false): Promise<void> {
    const { site, day } = this.state();
    const url = siteUrl(site);
    this.day.value = day;
    if (!url) {
      this.asked = '';
      this.answer = null;
      replace(this.timeline, emptyState('Which site?', 'Enter a site above to see which files it served, and since when.'));
      replace(this.force);
      return;
    }
    if (url === this.asked && !again) return;
    this.asked = url;
    this.answer = null;
    this.files.clear();
    const signal = this.latest.next();
    let kept = true;
    const answer = await during(this.timeline, async () => {
      try {
        return await service.history(url, signal);
      } catch (error) {
        kept = !(error instanceof AnswerError && error.code === 'no-history');
        if (kept) throw error;
        return null;
      }
    }, () => void this.run(true));
    if (signal.aborted) return;
    byId('day-card').hidden = !kept;
    if (!kept) {
      replace(this.timeline, emptyState('This service keeps no history', 'Start it with a folder for its cache, and it keeps every file that a site serves.'));
    }
    if (!answer) {
      replace(this.force);
      return;
    }
    this.answer = answer;
    this.show();
  }

  private show(): void {
    const observations = [...this.answer!.observations].sort((a, b) => a.first.localeCompare(b.first));
    if (observations.length === 0) {
      replace(this.force);
      replace(this.timeline, emptyState('Nothing is known of this site yet', 'Get its robots.txt on Test. The service keeps each file that it fetches from now on.'));
      return;
    }
    const { day } = this.state();
    const then = day ? this.on(day, observations) : null;
    if (day) {
      replace(this.force, element('p', { class: 'headline' }, then!.text));
      announce(then!.text);
    } else {
      replace(this.force, element('p', { class: 'note' }, 'Choose a day to see which file applied.'));
    }
    const newest = observations.map((one, at) => ({ one, earlier: observations[at - 1] })).reverse();
    replace(this.timeline, element('ol', { class: 'timeline' }, ...newest.slice(0, FILES)
      .map(({ one, earlier }, at) => this.entry(one, earlier, at === 0, one === then?.file))),
    newest.length > FILES && element('p', { class: 'note' }, `and ${newest.length - FILES} older files`));
  }

  /** The file of a day, at its end where the reader is. */
  private on(day: string, observations: Observation[]): { file: Observation | null; text: string } {
    const end = new Date(`${day}T23:59:59`);
    const file = observations.findLast(({ first }) => new Date(first) <= end) ?? null;
    if (!file) return { file, text: 'Nothing is known about that day: it is before the first visit to this site.' };
    const seen = new Date(file.last) >= new Date(`${day}T00:00:00`);
    return {
      file,
      text: seen
        ? `The file first seen ${instant(file.first)} applied.`
        : `The site was not visited that day. The last file before it is that of ${instant(file.first)}, last seen ${instant(file.last)}.`,
    };
  }

  private file(one: Observation): Promise<RobotsFile> {
    const known = this.files.get(one.sha256) ?? service.served(this.asked, one.sha256).then(({ file }) => servedFile(file));
    this.files.set(one.sha256, known);
    known.catch(() => this.files.delete(one.sha256));
    return known;
  }

  private entry(one: Observation, earlier: Observation | undefined, newest: boolean, then: boolean): HTMLElement {
    const effect = element('div', {});
    if (earlier) void this.compare(earlier, one, effect);
    const place = element('div', {});
    const take = (where: 'draft' | 'before') => async () => {
      const file = await during(place, () => this.file(one), () => replace(place));
      if (file) this.use({ url: this.answer!.url, at: one.last, file, absence: emptiness(file) }, where);
    };
    const file = element('details', {}, element('summary', {}, 'Show the file'));
    file.addEventListener('toggle', () => { if (file.open) void this.showText(one, file); });
    return element('li', { class: `${newest ? 'now' : ''} ${then ? 'in-force' : ''}` },
      element('div', { class: 'row' },
        element('strong', {}, `${instant(one.first)}${newest ? ', the newest' : ''}`),
        element('span', { class: 'note' }, `last seen ${instant(one.last)} · ${bytes(one.bytes)} · SHA-256 `, code(one.sha256.slice(0, 12), 12)),
        then && element('span', { class: 'badge allowed' }, 'on that day')),
      earlier ? effect : element('p', { class: 'note' }, 'The first file that this service has seen.'),
      file, place,
      element('div', { class: 'copies' },
        element('button', { type: 'button', onclick: take('draft') }, 'Test this file'),
        element('button', { type: 'button', onclick: take('before') }, 'Compare the draft with it')));
  }

  private async showText(one: Observation, place: HTMLElement): Promise<void> {
    if (place.querySelector('pre, .problem')) return;
    try {
      const { text } = await this.file(one);
      const lines = text.slice(0, SHOWN).split(/\r\n?|\n/).map((line) => visible(line, SHOWN)).join('\n');
      place.append(element('pre', { tabindex: '0', role: 'region', 'aria-label': `File of ${instant(one.first)}` }, lines, text.length > SHOWN ? '\n…' : ''));
    } catch (error) {
      const box = problem(error, () => { box.remove(); void this.showText(one, place); });
      place.append(box);
    }
  }

  /** What changed for whom from the file before. */
  private async compare(earlier: Observation, later: Observation, place: HTMLElement): Promise<void> {
    const diff = await during(place, async () => service.diff(await this.file(earlier), await this.file(later)),
      () => void this.compare(earlier, later, place));
    if (diff) replace(place, element('p', {}, sentence(diff.headline)));
  }
}
