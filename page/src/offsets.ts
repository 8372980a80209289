/** Places in a file: the service counts bytes of UTF-8, texts UTF-16 units, and editors one unit for each line end. */

export interface Place { text: number; editor: number }

/** Turns byte offsets into places, in one pass. */
export function fromBytes(text: string, offsets: number[]): Map<number, Place> {
  const wanted = [...new Set(offsets)].sort((a, b) => a - b);
  const found = new Map<number, Place>();
  let byte = 0;
  let at = 0;
  let returns = 0;
  for (const want of wanted) {
    while (byte < want && at < text.length) {
      const unit = text.charCodeAt(at);
      const next = text.charCodeAt(at + 1);
      if (unit === 13 && next === 10) returns += 1;
      if (unit < 0x80) byte += 1;
      else if (unit < 0x800) byte += 2;
      else if (unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
        byte += 4;
        at += 1;
      } else byte += unit >= 0xdc80 && unit < 0xdd00 ? 1 : 3;
      at += 1;
    }
    found.set(want, { text: at, editor: at - returns });
  }
  return found;
}
