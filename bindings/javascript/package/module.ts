/** The WebAssembly module: how it starts, what it is asked, and what happens when it fails. */

import { AbideError, type ErrorCode } from './error.js';

/** What `bindings/javascript/src/lib.rs` exports. */
interface Exports {
  memory: WebAssembly.Memory;
  room(bytes: number): number;
  answer_at(): number;
  answer_text(): number;
  answer_length(): number;
  compile(request: number, file: number): number;
  compile_site(request: number, question: number, record: number): number;
  release(policy: number): void;
  allows(policy: number, url: number): number;
  allows_many(policy: number, urls: number): number;
  decide(policy: number, question: number, html: number): number;
  allows_once(request: number, url: number, file: number): number;
  tool(name: number, request: number, first: number, second: number): number;
  trap(): number;
}

/** The answer of a function that has written what is wrong. */
export const FAILED = -1;
/** The length of what is not there. */
const ABSENT = -1;
/** Memory of WebAssembly never shrinks. An instance that has more than this is replaced. */
let maxKeptBytes = 256 << 20;
/** Room that is kept from one question to the next, as `src/exchange.rs` has it. */
const MAX_KEPT_ROOM = 1 << 20;
/** Text up to this length is written character by character, which costs less than a call. */
const MAX_SHORT = 256;

/** How many instances there were. */
let generations = 0;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A piece of a question. */
export type Piece = string | Uint8Array | undefined;

/** An instance of the module, with memory of its own. */
export class Instance {
  readonly exports: Exports;
  /** The number of the instance, from 1. */
  readonly generation = (generations += 1);
  /** The whole memory; empty after it grew. */
  private bytes = new Uint8Array();
  private roomAt = 0;
  private roomBytes = 0;

  constructor(module: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
  }

  get memoryBytes(): number {
    return this.exports.memory.buffer.byteLength;
  }

  /** Makes room for a question, and returns where it begins. */
  private room(bytes: number): number {
    if (this.roomBytes < bytes || this.roomBytes > MAX_KEPT_ROOM) {
      this.roomAt = this.exports.room(bytes) >>> 0;
      this.roomBytes = bytes;
    }
    if (this.bytes.length === 0) this.bytes = new Uint8Array(this.exports.memory.buffer);
    return this.roomAt;
  }

  /** Writes the pieces, and returns their lengths. */
  write(pieces: readonly Piece[]): number[] {
    const longest = (piece: Piece): number =>
      typeof piece === 'string' ? piece.length * 3 : (piece?.byteLength ?? 0);
    let at = this.room(pieces.reduce((sum, piece) => sum + longest(piece), 0));
    return pieces.map((piece) => {
      if (piece === undefined) return ABSENT;
      let length = piece.length;
      if (typeof piece === 'string') {
        length = encoder.encodeInto(piece, this.bytes.subarray(at, at + length * 3)).written;
      } else {
        this.bytes.set(piece, at);
      }
      at += length;
      return length;
    });
  }

  /** Writes well-formed text, and returns its length in bytes. */
  writeText(text: string): number {
    const length = text.length;
    const at = this.room(length * 3);
    const bytes = this.bytes;
    let done = 0;
    if (length <= MAX_SHORT) {
      for (; done < length; done += 1) {
        const code = text.charCodeAt(done);
        if (code > 0x7f) break;
        bytes[at + done] = code;
      }
      if (done === length) return length;
    }
    const rest = bytes.subarray(at + done, at + length * 3);
    return done + encoder.encodeInto(text.slice(done), rest).written;
  }

  /** The answer: its text, and a copy of its bytes. */
  answer(): { text: string; bytes: Uint8Array } {
    const { exports } = this;
    const at = exports.answer_at() >>> 0;
    const [text, length] = [exports.answer_text(), exports.answer_length()];
    const answer = new Uint8Array(exports.memory.buffer, at, length);
    // The next question gives long answers back.
    if (length > MAX_KEPT_ROOM) this.roomBytes = 0;
    return { text: decoder.decode(answer.subarray(0, text)), bytes: answer.slice(text) };
  }

  /** Throws what the module has written about a question. */
  refuse(): never {
    const { code, pointer, message, remedy } = JSON.parse(this.answer().text) as {
      code: ErrorCode;
      pointer: string;
      message: string;
      remedy: string;
    };
    throw new AbideError(code, pointer, message, remedy);
  }
}

let compiled: WebAssembly.Module | undefined;
let present: Instance | undefined;

/** Sets the module that questions are answered by, and how much memory it may keep. */
export function start(module: WebAssembly.Module, maxBytes = maxKeptBytes): void {
  if (compiled !== undefined) return;
  compiled = module;
  maxKeptBytes = maxBytes;
}

/** Whether there is a module. */
export function isStarted(): boolean {
  return compiled !== undefined;
}

/** The instance that answers questions, if there is one. */
export function current(): Instance | undefined {
  return present;
}

/**
 * The instance for a question that may need memory: a new one if there is none, or if that one has
 * grown too much.
 */
export function bounded(): Instance {
  if (present !== undefined && present.memoryBytes <= maxKeptBytes) return present;
  if (compiled === undefined) {
    const message = 'the module is not started';
    throw new AbideError('not-started', '', message, 'await init() before the first question');
  }
  present = new Instance(compiled);
  return present;
}

/**
 * Gives up the instance after a trap: nobody knows what its memory has. The next question gets a
 * fresh one.
 */
export function failed(cause: unknown): unknown {
  if (cause instanceof AbideError) return cause;
  present = undefined;
  const message = 'the module failed on this question, which is a bug; the next one gets a fresh module';
  return new AbideError('module-failed', '', message, 'please report the question', { cause });
}

/** Asks a tool, by its name in `src/tools.rs`. */
export function ask(
  tool: string,
  request: string,
  first?: Piece,
  second?: Piece,
): { text: string; bytes: Uint8Array } {
  const module = bounded();
  try {
    const [name = 0, json = 0, one = 0, two = 0] = module.write([tool, request, first, second]);
    if (module.exports.tool(name, json, one, two) === FAILED) module.refuse();
    return module.answer();
  } catch (cause) {
    throw failed(cause);
  }
}
