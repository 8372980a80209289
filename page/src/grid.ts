/** A table of outcomes that only draws the cells that can be seen: rows are URLs, columns robots. */
import { element, replace, visible } from './dom';
import { statementLine, type CellAnswer } from './service';
import { OUTCOME_SIGNS, outcomeWord, robotName } from './words';

const ROW = 36;
const COLUMN = 148;
/** Without the line: on a phone, and where this shows every robot. */
const NARROW_COLUMN = 120;
/** With the outcome of the second profile. */
const WIDE_COLUMN = 220;
/** Below this width of the table, columns are narrow. */
const PHONE = 480;
const SPARE = 4;
/** So many rows are printed. */
const MOST_PRINTED = 1000;
/** About the width of a character of a URL, and of what surrounds it. */
const CHARACTER = 8;
const NUMBER = 56;
/** From this width on, rows have numbers. */
const NUMBERED = 180;

/** Why a URL has no cells: in a word for the table, and in a sentence. */
export interface NoCells { word: string; why: string; site?: string }
/** The cells of a URL; undefined if they are still to come. */
export type Row = CellAnswer[] | NoCells | undefined;

export interface Place { row: number; column: number }

/** The origin that all of several absolute URLs share, or nothing. */
function commonOrigin(urls: string[]): string {
  const origin = /^https?:\/\/[^/?#]+/i.exec(urls[0] ?? '')?.[0] ?? '';
  const isShared = (url: string) => url.startsWith(origin) && /^(?:$|[/?#])/.test(url.slice(origin.length));
  return origin && urls.length > 1 && urls.every(isShared) ? origin : '';
}

export class Grid {
  readonly host = element('div', { class: 'grid', role: 'grid', tabindex: '-1', 'aria-label': 'Outcomes by URL and robot' });
  private readonly head = element('div', { class: 'grid-head', role: 'row', 'aria-rowindex': '1' });
  private readonly body = element('div', { class: 'grid-body', role: 'rowgroup' });
  private urls: string[] = [];
  private robots: string[] = [];
  private cells: Row[] = [];
  private usage = 'crawl';
  /** Which rows are shown, by their number among all. */
  private rows: number[] = [];
  private at: Place = { row: 0, column: 0 };
  private differs = false;
  /** What all URLs begin with, and the header shows once. */
  private origin = '';
  private characters = 0;
  private drawn = '';
  private frame = 0;
  private isPrinting = false;

  constructor(private readonly selected: (url: string, robot: string, row: number) => void) {
    this.host.append(element('div', { class: 'grid-top', role: 'rowgroup' }, this.head), this.body);
    this.host.addEventListener('scroll', () => {
      cancelAnimationFrame(this.frame);
      this.frame = requestAnimationFrame(() => this.draw());
    }, { passive: true });
    this.host.addEventListener('keydown', (event) => this.key(event));
    this.host.addEventListener('click', (event) => {
      const cell = (event.target as Element).closest<HTMLElement>('[role="gridcell"]');
      if (cell) this.select({ row: Number(cell.dataset.row), column: Number(cell.dataset.column) }, true);
    });
    new ResizeObserver(() => this.draw(true)).observe(this.host);
  }

  private get isNarrow(): boolean {
    return this.host.clientWidth < PHONE;
  }

  private get leastColumn(): number {
    if (this.differs) return WIDE_COLUMN;
    const { length } = this.robots;
    const room = this.host.clientWidth * 0.7;
    const isTight = this.isNarrow || (COLUMN * length > room && NARROW_COLUMN * length <= room);
    return isTight && length > 1 ? NARROW_COLUMN : COLUMN;
  }

  /** What the columns leave, but at least three tenths for URLs and at most two thirds. */
  private get nameWidth(): number {
    const room = this.host.clientWidth;
    const columns = this.leastColumn * this.robots.length;
    return Math.max(this.isNarrow ? 100 : 136, Math.min(room * 0.66, Math.max(Math.min(320, room * 0.3), Math.min(this.longest, room - columns))));
  }

  /** How wide the longest URL is, about. */
  private get longest(): number {
    return NUMBER + CHARACTER * Math.min(120, this.characters);
  }

  /** Columns share the width if they are few. */
  private get columnWidth(): number {
    const room = (this.host.clientWidth - this.nameWidth) / Math.max(1, this.robots.length);
    return Math.max(this.leastColumn, Math.floor(room));
  }

  fill(urls: string[], robots: string[], cells: Row[], usage: string, rows: number[], differs: boolean): void {
    if (urls !== this.urls) {
      this.origin = commonOrigin(urls);
      this.characters = urls.reduce((most, url) => Math.max(most, url.length), 0) - this.origin.length;
    }
    Object.assign(this, { urls, robots, cells, usage, rows, differs });
    this.at = { row: Math.min(this.at.row, Math.max(0, rows.length - 1)), column: Math.min(this.at.column, Math.max(0, robots.length - 1)) };
    this.host.setAttribute('aria-rowcount', String(rows.length + 1));
    this.host.setAttribute('aria-colcount', String(robots.length + 1));
    this.draw(true);
  }

  /** Puts the selection on a robot and a URL, if the table has them. */
  place(url: number, robot: string): void {
    const row = Math.max(0, this.rows.indexOf(url));
    this.at = { row, column: Math.max(0, this.robots.indexOf(robot)) };
    this.bringIntoView();
    this.draw(true);
  }

  /** Draws the rows for paper, or again only those that can be seen. Returns how many paper leaves out. */
  print(is: boolean): number {
    this.isPrinting = is;
    this.draw(true);
    return is ? Math.max(0, this.rows.length - MOST_PRINTED) : 0;
  }

  get selection(): { url: string; robot: string } | null {
    const url = this.urls[this.rows[this.at.row] ?? -1];
    const robot = this.robots[this.at.column];
    return url === undefined || robot === undefined ? null : { url, robot };
  }

  focus(): void {
    this.body.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }

  private select(place: Place, focus: boolean): void {
    this.at = {
      row: Math.max(0, Math.min(this.rows.length - 1, place.row)),
      column: Math.max(0, Math.min(this.robots.length - 1, place.column)),
    };
    this.bringIntoView();
    this.draw(true);
    if (focus) this.body.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
    const chosen = this.selection;
    if (chosen) this.selected(chosen.url, chosen.robot, this.rows[this.at.row]!);
  }

  private bringIntoView(): void {
    const { host } = this;
    const top = this.at.row * ROW;
    const room = host.clientHeight - this.head.offsetHeight;
    if (top < host.scrollTop) host.scrollTop = top;
    else if (top + ROW > host.scrollTop + room) host.scrollTop = top + ROW - room;
    const left = this.at.column * this.columnWidth;
    const width = host.clientWidth - this.nameWidth;
    if (left < host.scrollLeft) host.scrollLeft = left;
    else if (left + this.columnWidth > host.scrollLeft + width) host.scrollLeft = left + this.columnWidth - width;
  }

  private key(event: KeyboardEvent): void {
    const { row, column } = this.at;
    const page = Math.max(1, Math.floor(this.host.clientHeight / ROW) - 2);
    const whole = event.ctrlKey || event.metaKey;
    const moves: Record<string, Place> = {
      ArrowDown: { row: row + 1, column }, ArrowUp: { row: row - 1, column },
      ArrowRight: { row, column: column + 1 }, ArrowLeft: { row, column: column - 1 },
      PageDown: { row: row + page, column }, PageUp: { row: row - page, column },
      Home: { row: whole ? 0 : row, column: 0 }, End: { row: whole ? this.rows.length - 1 : row, column: this.robots.length - 1 },
      Enter: { row, column }, ' ': { row, column },
    };
    const place = moves[event.key];
    if (!place || event.altKey) return;
    event.preventDefault();
    this.select(place, true);
  }

  private draw(all = false): void {
    const { host } = this;
    if (!host.isConnected || host.clientWidth === 0) return;
    const [name, wide] = [this.nameWidth, this.columnWidth];
    const first = this.isPrinting ? 0 : Math.max(0, Math.floor(host.scrollTop / ROW) - SPARE);
    const last = Math.min(this.rows.length, this.isPrinting ? MOST_PRINTED : Math.ceil((host.scrollTop + host.clientHeight) / ROW) + SPARE);
    const left = Math.max(0, Math.floor(host.scrollLeft / wide) - 1);
    const right = Math.min(this.robots.length, Math.ceil((host.scrollLeft + host.clientWidth) / wide) + 1);
    const key = `${first} ${last} ${left} ${right}`;
    if (!all && key === this.drawn) return;
    this.drawn = key;
    const focused = this.body.contains(document.activeElement);
    const width = `${name + wide * this.robots.length}px`;
    const columns: number[] = [];
    for (let column = left; column < right; column += 1) columns.push(column);
    // The selected cell always exists, so that the focus is never lost.
    if (this.robots.length > 0 && !columns.includes(this.at.column)) columns.push(this.at.column);
    const rows: number[] = [];
    for (let row = first; row < last; row += 1) rows.push(row);
    if (this.rows.length > 0 && !rows.includes(this.at.row)) rows.push(this.at.row);

    host.classList.toggle('tight', wide < COLUMN);
    this.head.style.width = width;
    this.head.style.height = `${ROW}px`;
    this.head.style.minWidth = '100%';
    replace(this.head, this.nameCell('columnheader', this.origin ? `URLs of ${visible(this.origin)}` : 'URL', name), ...columns.map((column) => {
      const robot = this.robots[column]!;
      const cell = element('div', { class: 'grid-cell', role: 'columnheader', 'aria-colindex': column + 2, title: visible(robot) },
        element('span', { class: 'name' }, visible(robotName(robot), 80)));
      this.across(cell, column, name, wide);
      return cell;
    }));
    this.body.style.height = `${(this.isPrinting ? last : this.rows.length) * ROW}px`;
    this.body.style.width = width;
    replace(this.body, ...rows.map((row) => this.drawRow(row, columns, name, wide, width)));
    if (focused) this.body.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  private nameCell(role: string, text: string, width: number, url?: number): HTMLElement {
    const cell = element('div', { class: 'grid-name', role, 'aria-colindex': '1', title: url === undefined ? text : visible(this.urls[url]!) },
      url === undefined ? element('span', { class: 'name' }, text) : null,
      url !== undefined && width >= NUMBERED && element('span', { class: 'number', 'aria-hidden': 'true' }, url + 1),
      url !== undefined && element('code', {}, text));
    cell.style.width = `${width}px`;
    return cell;
  }

  private across(cell: HTMLElement, column: number, name: number, wide: number): void {
    cell.style.insetInlineStart = `${name + column * wide}px`;
    cell.style.width = `${wide}px`;
  }

  private drawRow(row: number, columns: number[], name: number, wide: number, width: string): HTMLElement {
    const url = this.rows[row]!;
    const cells = this.cells[url];
    const made = element('div', { class: 'grid-row', role: 'row', 'aria-rowindex': row + 2 },
      this.nameCell('rowheader', visible(this.urls[url]!.slice(this.origin.length) || '/'), name, url),
      ...columns.map((column) => this.drawCell(row, column, cells, name, wide)));
    made.style.top = `${row * ROW}px`;
    made.style.height = `${ROW}px`;
    made.style.width = width;
    return made;
  }

  private drawCell(row: number, column: number, cells: Row, name: number, wide: number): HTMLElement {
    const cell = Array.isArray(cells) ? cells[column] : undefined;
    const here = row === this.at.row && column === this.at.column;
    const made = element('div', {
      class: `grid-cell ${cell?.outcome ?? ''}`, role: 'gridcell', 'aria-colindex': column + 2, 'aria-selected': String(here),
      tabindex: here ? '0' : '-1', 'data-row': row, 'data-column': column,
    });
    if (cells && !Array.isArray(cells)) made.append(element('span', { class: 'name note', title: visible(cells.why) }, cells.word));
    else if (!cell) made.append('…');
    else {
      made.append(element('span', { 'aria-hidden': 'true' }, OUTCOME_SIGNS[cell.outcome]), outcomeWord(cell.outcome, this.usage));
      if (cell.differs) {
        const other = outcomeWord(cell.differs.outcome, this.usage);
        made.append(element('span', { class: 'differs', title: 'As Google’s parser reads the file' }, `Google: ${other}`));
      }
      const line = statementLine(cell);
      if (line && !cell.differs && wide >= COLUMN) made.append(element('span', { class: 'at', title: `decided by line ${line}` }, element('span', { class: 'hidden' }, 'by '), `line ${line}`));
    }
    this.across(made, column, name, wide);
    return made;
  }
}
