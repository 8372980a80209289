/** What is wrong with a question, and where. */

import type { ErrorAnswer } from './contract.js';

/**
 * The contract's codes, those of the tools, and those of the module itself: `not-started` before
 * `init()`, `module-failed` after a bug, from which the module recovers, and `redirect-hidden` if
 * the platform does not say where a redirect leads.
 */
export type ErrorCode =
  | ErrorAnswer['error']['code']
  | 'cannot-format'
  | 'invalid-cases'
  | 'not-started'
  | 'module-failed'
  | 'redirect-hidden';

/** Why there is no answer. Nothing else is thrown. */
export class AbideError extends Error {
  override readonly name = 'AbideError';
  /** The stable code. */
  readonly code: ErrorCode;
  /** The JSON Pointer (RFC 6901) to the argument or member that is wrong; empty for all of them. */
  readonly pointer: string;
  /** What to do. */
  readonly remedy: string;

  constructor(
    code: ErrorCode,
    pointer: string,
    message: string,
    remedy = 'correct this argument',
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.code = code;
    this.pointer = pointer;
    this.remedy = remedy;
  }
}
