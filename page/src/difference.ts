/** Which lines two texts do not share. */

/** Above this many pairs of lines, lines are compared without their order. */
const MOST_PAIRS = 4_000_000;

export interface Difference { before: number[]; after: number[] }

/** The numbers of the lines that only one of the texts has. */
export function difference(before: string, after: string): Difference {
  const [one, two] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < one.length && start < two.length && one[start] === two[start]) start += 1;
  let end = 0;
  while (end < one.length - start && end < two.length - start && one.at(-1 - end) === two.at(-1 - end)) end += 1;
  const [a, b] = [one.slice(start, one.length - end), two.slice(start, two.length - end)];
  const [only, also] = a.length * b.length > MOST_PAIRS ? unordered(a, b) : ordered(a, b);
  return { before: only.map((at) => at + start + 1), after: also.map((at) => at + start + 1) };
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n?|\n/).map((line) => line.trimEnd());
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** By the longest common subsequence. */
function ordered(a: string[], b: string[]): [number[], number[]] {
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = a[i] === b[j] ? longest[(i + 1) * width + j + 1]! + 1 : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
    }
  }
  const [only, also]: [number[], number[]] = [[], []];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i += 1;
      j += 1;
    } else if (j === b.length || (i < a.length && longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!)) {
      only.push(i);
      i += 1;
    } else {
      also.push(j);
      j += 1;
    }
  }
  return [only, also];
}

function unordered(a: string[], b: string[]): [number[], number[]] {
  const without = (lines: string[], others: string[]) => {
    const left = new Map<string, number>();
    for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
    return lines.flatMap((line, at) => {
      const number = left.get(line) ?? 0;
      left.set(line, number - 1);
      return number > 0 ? [] : [at];
    });
  };
  return [without(a, b), without(b, a)];
}

/** Consecutive numbers as first and last. */
export function runs(lines: number[]): [number, number][] {
  const found: [number, number][] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else found.push([line, line]);
  }
  return found;
}
