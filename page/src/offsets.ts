/** Places in a text: the service counts bytes of UTF-8, the editor UTF-16 units. */

/** Turns byte offsets into offsets of the text, in one pass. */
export function fromBytes(text: string, offsets: number[]): Map<number, number> {
  const wanted = [...new Set(offsets)].sort((a, b) => a - b);
  const found = new Map<number, number>();
  let byte = 0;
  let at = 0;
  for (const want of wanted) {
    while (byte < want && at < text.length) {
      const unit = text.charCodeAt(at);
      if (unit < 0x80) byte += 1;
      else if (unit < 0x800) byte += 2;
      else if (unit >= 0xd800 && unit < 0xdc00 && at + 1 < text.length) {
        byte += 4;
        at += 1;
      } else byte += 3;
      at += 1;
    }
    found.set(want, at);
  }
  return found;
}
