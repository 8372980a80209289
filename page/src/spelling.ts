/** Names that are nearly right. */

/** How many letters are added, left out, changed or swapped from one name to another. */
function distance(one: string, other: string): number {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const differs = one[row - 1] === other[at - 1] ? 0 : 1;
      const swaps = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      next.push(Math.min(last[at]! + 1, next[at - 1]! + 1, last[at - 1]! + differs, swaps ? before[at - 2]! + 1 : Infinity));
    }
    [before, last] = [last, next];
  }
  return last[other.length]!;
}

/** The name that is most like one that is none of them, if one is similar. */
export function nearest(name: string, names: string[]): string | undefined {
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z\d]/g, '');
  const own = bare(name);
  const same = names.find((one) => own !== '' && bare(one) === own);
  if (same || own.length <= 4 || name.length > 60) return same;
  const far = (one: string) => distance(one.toLowerCase(), name.toLowerCase());
  return names.map((one) => [far(one), one] as const).sort(([a], [b]) => a - b).find(([letters]) => letters <= 2)?.[1];
}
