/** The bytes of a robots.txt as a text that an editor can hold, and back without a loss. */

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * A file as text. A byte that is not UTF-8 is a lone surrogate: E9 is U+DCE9. No well-formed text has these, so
 * that edits elsewhere keep the byte.
 */
export interface RobotsFile { text: string; encoding: Encoding }

/** What a site served: its address, when, and the file. Without a file, `absence` says why. */
export interface LiveFile { url: string; at: string; file: RobotsFile; absence: string }

/** What stands for bytes that are not UTF-8. */
export const STAND_IN = /[\udc80-\udcff]/u;

export const NO_FILE: RobotsFile = { text: '', encoding: 'utf-8' };

export function isSame(one: RobotsFile, other: RobotsFile): boolean {
  return one.text === other.text && one.encoding === other.encoding;
}

export function encodingOf(name: string): Encoding {
  return name === 'utf-16le' || name === 'utf-16be' ? name : 'utf-8';
}

/** Reads bytes as abide does: UTF-16 needs a byte order mark, and what is ill-formed in it is U+FFFD. */
export function decode(bytes: Uint8Array): RobotsFile {
  for (const [encoding, first, second] of [['utf-16le', 0xff, 0xfe], ['utf-16be', 0xfe, 0xff]] as const) {
    if (bytes[0] === first && bytes[1] === second) return { text: new TextDecoder(encoding).decode(bytes), encoding };
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: withStandIns(bytes), encoding: 'utf-8' };
  }
}

function withStandIns(bytes: Uint8Array): string {
  const read = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    const length = sequence(bytes, at);
    if (length === 0) {
      parts.push(read.decode(bytes.subarray(from, at)), String.fromCharCode(0xdc00 + bytes[at]!));
      from = at + 1;
    }
    at += Math.max(1, length);
  }
  return parts.join('') + read.decode(bytes.subarray(from));
}

/** How many bytes the UTF-8 sequence at a place has; 0 if it is not well-formed (Unicode, table 3-7). */
function sequence(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let next = 1; next < length; next += 1) {
    // Past the end this compares with undefined, which is never true.
    if (!(bytes[at + next]! >= (next === 1 ? low : 0x80) && bytes[at + next]! <= (next === 1 ? high : 0xbf))) return 0;
  }
  return length;
}

/** The bytes of a file. */
function encode({ text, encoding }: RobotsFile): Uint8Array {
  if (encoding !== 'utf-8') {
    const bytes = new DataView(new ArrayBuffer(2 + 2 * text.length));
    bytes.setUint16(0, 0xfeff, encoding === 'utf-16le');
    for (let at = 0; at < text.length; at += 1) bytes.setUint16(2 + 2 * at, text.charCodeAt(at), encoding === 'utf-16le');
    return new Uint8Array(bytes.buffer);
  }
  const encoder = new TextEncoder();
  const parts = text.split(/([\udc80-\udcff])/u)
    .map((part, at) => (at % 2 ? Uint8Array.of(part.charCodeAt(0) - 0xdc00) : encoder.encode(part)));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function sizeOf(file: RobotsFile): number {
  return encode(file).length;
}

/** The member of a request that has the file: its text, or else its exact bytes in base64. */
export function member(file: RobotsFile): { robots: string } | { robots_base64: string } {
  if (file.encoding === 'utf-8' && file.text.isWellFormed()) return { robots: file.text };
  return { robots_base64: base64(encode(file)) };
}

export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

export { fromBase64 } from '../../bindings/javascript/package/input';

/** The numbers of the lines that have bytes which are not UTF-8. */
export function foreignLines(text: string): number[] {
  if (!STAND_IN.test(text)) return [];
  return text.split(/\r\n?|\n/).flatMap((line, at) => (STAND_IN.test(line) ? [at + 1] : []));
}

/** What the service quotes of a line, with U+FFFD for such bytes, as the line of the file has it. */
export function quoted(statement: string, text: string, number: number | null | undefined): string {
  if (!number || !statement.includes('\ufffd')) return statement;
  const line = text.split(/\r\n?|\n/)[number - 1] ?? '';
  const parts = statement.split('\ufffd').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('(?:\ufffd|[\udc80-\udcff]{1,3})'), 'u').exec(line)?.[0] ?? statement;
}

/** Bytes after they went through a stream, such as one that compresses. A `RangeError` if they are more than `most`. */
export async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream, most = Infinity): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    length += value!.length;
    if (length > most) {
      void reader.cancel();
      throw new RangeError(`it is longer than ${most} bytes`);
    }
    parts.push(value!);
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}
