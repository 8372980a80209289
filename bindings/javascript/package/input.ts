/** Arguments as what the module reads: text, bytes, and JSON. */

import { AbideError, type ErrorCode } from './error.js';

/** A file: its text, or its bytes. */
export type Body = string | ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

/** A URL, or a path that begins with `/`. */
export type Url = string | { readonly href: string };

/** Field lines of a response: `Headers`, pairs, or an object as `node:http` has it. */
export type Fields =
  | Iterable<readonly [string, string]>
  | { readonly [name: string]: string | readonly string[] | undefined };

/** An instant, RFC 3339. */
export type Instant = string | Date;

/** One or several: names, sets such as `@ai-training`, or whole `User-Agent` lines. */
export type Agents = string | readonly string[];

/** Options that have more forms here than in JSON. */
interface Forms {
  agents: Agents;
  first_copied: Instant;
  first_indexed: Instant;
  headers: Fields;
  html: Body;
  ignore: string | readonly string[];
  now: Instant;
  select: string | readonly string[];
  urls: Url | readonly Url[];
}

/** A list need not be one that can be changed. */
type Listed<T> = T extends (infer Entry)[] ? readonly Entry[] : T;

/** The members of a request that are options: all but files, and those that are arguments. */
export type Options<R, Own extends keyof R = never> = {
  [Name in keyof R as Exclude<Name, Own | 'robots' | 'robots_base64'>]?: Name extends keyof Forms
    ? Forms[Name]
    : Listed<R[Name]>;
};

/** A file may have so many bytes: more than any reader of robots.txt reads. */
const MAX_FILE_BYTES = 64 << 20;
/** How deep objects in options are searched for text that cannot be sent. */
const MAX_DEPTH = 128;

const hasWellFormed = 'isWellFormed' in String.prototype;

/** Whether text has a half of a surrogate pair, which no bytes are. */
export function isBroken(text: string): boolean {
  return hasWellFormed ? !text.isWellFormed() : /\p{Surrogate}/u.test(text);
}

/** A JSON Pointer as messages write it: `acap.names[0]`. */
function place(pointer: string): string {
  return pointer.slice(1).replace(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.');
}

function found(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function mismatch(code: ErrorCode, pointer: string, expected: string, value: unknown): AbideError {
  return new AbideError(code, pointer, `in "${place(pointer)}": expected ${expected}, but found ${found(value)}`);
}

function broken(code: ErrorCode, pointer: string): AbideError {
  const message = `in "${place(pointer)}": the text has half of a surrogate pair`;
  return new AbideError(code, pointer, message, 'give well-formed text, or bytes');
}

/** A URL as text. */
export function urlText(url: unknown, pointer: string): string {
  const text = typeof url === 'object' && url !== null && 'href' in url ? url.href : url;
  if (typeof text !== 'string') throw mismatch('invalid-url', pointer, 'a URL', url);
  if (isBroken(text)) throw broken('invalid-url', pointer);
  return text;
}

/**
 * A file as text, or as the bytes of the view and nothing around it. What somebody may change later
 * is not copied here.
 */
export function file(body: unknown, pointer: string): string | Uint8Array {
  const code = 'invalid-robots';
  const whole = typeof body === 'string' ? body : bytesOf(body, pointer);
  if (typeof whole === 'string' && isBroken(whole)) throw broken(code, pointer);
  if (whole.length > MAX_FILE_BYTES) {
    const message = `in "${place(pointer)}": expected at most ${MAX_FILE_BYTES} bytes, but found ${whole.length}`;
    throw new AbideError(code, pointer, message, 'give the part that robots read');
  }
  return whole;
}

function bytesOf(body: unknown, pointer: string): Uint8Array {
  try {
    if (ArrayBuffer.isView(body)) {
      const bytes = new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
      // Views of what was moved away or made smaller seem to be empty, but refuse this.
      if (!(body instanceof DataView)) (body as Uint8Array).slice(0, 0);
      return bytes;
    }
    const tag = Object.prototype.toString.call(body);
    if (tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]') {
      return new Uint8Array(body as ArrayBuffer);
    }
  } catch (cause) {
    const message = `in "${place(pointer)}": the buffer of the bytes is detached`;
    const remedy = 'give bytes that were not transferred';
    throw new AbideError('invalid-robots', pointer, message, remedy, { cause });
  }
  throw mismatch('invalid-robots', pointer, 'the text or the bytes of a file', body);
}

/** Bytes that an answer has in base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}

/** A file that may be missing. */
export function optionalFile(body: unknown, pointer: string): string | Uint8Array | undefined {
  return body === undefined || body === null ? undefined : file(body, pointer);
}

/** Field lines as pairs. What is none of their forms stays as it is: the contract refuses it. */
function fields(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  if (Symbol.iterator in given) return Array.from(given as Iterable<unknown>);
  return Object.entries(given).flatMap(([name, value]) => {
    const values = Array.isArray(value) ? value : [value];
    return values.filter((one) => one !== undefined).map((one) => [name, one]);
  });
}

/** A list of one, or the list. */
export function listed(value: unknown): unknown {
  return typeof value === 'string' ? [value] : value;
}

/** Options as an object. */
export function object(options: unknown): Record<string, unknown> {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const message = `expected an object with options, but found ${found(options)}`;
    throw new AbideError('invalid-request', '', message);
  }
  return options as Record<string, unknown>;
}

/** The JSON of a request: options, and members that are arguments of their own. */
export function request(
  options: Record<string, unknown>,
  own: Record<string, unknown>,
  refused: readonly string[] = [],
): string {
  for (const name of [...Object.keys(own), ...refused]) {
    if (options[name] !== undefined) {
      const message = `invalid request: "${name}" is no option here`;
      throw new AbideError('invalid-request', `/${name}`, message, 'see the types of the package');
    }
  }
  const members = { ...options, ...own };
  if (members.headers !== undefined) members.headers = fields(members.headers);
  let text;
  try {
    text = JSON.stringify(members);
  } catch (cause) {
    const message = 'the options have a value that JSON cannot have, such as a circle or a bigint';
    throw new AbideError('invalid-request', '', message, 'correct the options', { cause });
  }
  if (/\\u[dD][89a-fA-F]/.test(text)) {
    const pointer = brokenText(members, 0);
    if (pointer !== undefined) throw broken('invalid-request', pointer);
  }
  return text;
}

/** The JSON Pointer to the first text that is broken. */
function brokenText(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return isBroken(value) ? '' : undefined;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (isBroken(name)) return '';
    const below = brokenText(member, depth + 1);
    if (below !== undefined) return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}${below}`;
  }
  return undefined;
}

/** The instant of a decision, which only JavaScript can read from a clock. */
export function instant(given: unknown): unknown {
  if (given === undefined || given === null) return new Date().toISOString();
  if (given instanceof Date && Number.isNaN(given.getTime())) {
    throw new AbideError('invalid-request', '/now', 'invalid request: in "now": expected a valid date');
  }
  return given;
}
