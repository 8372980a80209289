/** The outcomes of URLs and robots, as they arrive, and how many there are of each. */
import type { Row } from './grid';
import type { Outcome, Table as TableAnswer } from './service';

/** Which rows to show: with a number, those that the robot of that column may not have. */
export type Filter = 'all' | 'disallowed' | 'robots' | 'profiles' | number;

const FLAGS = { all: 0, disallowed: 1, robots: 2, profiles: 4 };

export class Table {
  readonly counts = new Map<Outcome, number>();
  /** For each robot, how many URLs it may not have, and how many have an answer. */
  disallowed: number[] = [];
  answered = 0;
  /** In how many cells the profiles differ. */
  differ = 0;
  private readonly flags: Uint8Array;

  /** `cells` has the rows that no answer is needed for. */
  constructor(readonly urls: string[] = [], public robots: string[] = [], readonly cells: Row[] = []) {
    this.flags = new Uint8Array(urls.length);
  }

  /** Takes over the answer about these rows. Each cell is only looked at here: there can be millions. */
  add(rows: number[], answer: TableAnswer): void {
    this.robots = answer.robots.map(({ name }) => name);
    const numbers = answer.answers.map(() => 0);
    rows.forEach((row, at) => {
      const cells = answer.cells[at];
      if (!cells) {
        this.cells[row] = { word: 'not a URL', why: answer.urls[at]?.error?.message ?? 'it cannot be read' };
        return;
      }
      this.answered += 1;
      let flags = 0;
      const first = answer.answers[cells[0]!]?.outcome;
      this.cells[row] = cells.map((number, column) => {
        const cell = answer.answers[number]!;
        numbers[number]! += 1;
        if (cell.outcome === 'prohibited') {
          flags |= FLAGS.disallowed;
          this.disallowed[column] = (this.disallowed[column] ?? 0) + 1;
        }
        if (cell.outcome !== first) flags |= FLAGS.robots;
        if (cell.differs) flags |= FLAGS.profiles;
        return cell;
      });
      this.flags[row] = flags;
    });
    answer.answers.forEach(({ outcome, differs }, at) => {
      this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + numbers[at]!);
      if (differs) this.differ += numbers[at]!;
    });
  }

  /** The rows that a filter shows. */
  rows(filter: Filter): number[] {
    const shown: number[] = [];
    for (let row = 0; row < this.urls.length; row += 1) if (this.shows(row, filter)) shown.push(row);
    return shown;
  }

  private shows(row: number, filter: Filter): boolean {
    if (typeof filter !== 'number') return filter === 'all' || (this.flags[row]! & FLAGS[filter]) !== 0;
    const cells = this.cells[row];
    return Array.isArray(cells) && cells[filter]?.outcome === 'prohibited';
  }

  /** How many rows have this word in place of cells. */
  without(word: string): number {
    return this.cells.filter((row) => row && !Array.isArray(row) && row.word === word).length;
  }
}
