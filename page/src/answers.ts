/** Who answers what the page asks: a service, or a module of the page itself. */

/** Whether the page has no service behind it. It is built for one or the other. */
export const IS_STATIC = import.meta.env.MODE === 'static';

/** What a service and the module answer, and what only a service does. */
export type Tool = 'lint' | 'lint-code' | 'fmt' | 'decide' | 'explain' | 'table' | 'matrix' | 'diff' | 'sitemap' | 'init' | 'known-robots';
export type SiteTool = 'robots' | 'history';

export interface Answers {
  /** Asks, and throws an `AnswerError`; with the reason of the signal if that ends the question. */
  ask<T>(tool: Tool | SiteTool, request: object, signal?: AbortSignal): Promise<T>;
}

/** The longest wait for an answer, in milliseconds. */
export const SLOW = 30_000;

/** Why there is no answer, and what to do about it. */
export class AnswerError extends Error {
  constructor(
    readonly title: string,
    readonly detail: string,
    readonly remedy: string,
    /** `input`: what was entered cannot be asked, so that trying again does not help. */
    readonly kind: 'offline' | 'slow' | 'token' | 'refused' | 'input',
    readonly code = '',
    /** The member that is refused, and its value; for a list, that of the entry. */
    readonly member = '',
    readonly value?: unknown,
  ) {
    super(title);
    this.name = 'AnswerError';
  }
}

/** What is wrong with a request, as answers say it. */
export interface Fault { detail?: string; remedy?: string; code?: string; member?: string }

/** Where on the page the entry is that is refused. */
const FIELDS: Record<string, string> = {
  'invalid-agent': 'Robots', 'invalid-purpose': 'Purposes', 'invalid-application': 'Applications', 'invalid-acap': 'ACAP',
};

/** The error for a request that is wrong. */
export function wrongInput({ detail = '', remedy = '', code = '', member = '' }: Fault, request: object): AnswerError {
  const place = FIELDS[code];
  const refused = valueAt(member, request);
  return place
    ? new AnswerError(`“${place}” has something that cannot be read`, detail, `Change it under “${place}”.`, 'input', code, ...refused)
    : new AnswerError('This has no answer', detail, remedy, 'input', code, ...refused);
}

/** The member of a request that a JSON Pointer leads into, and what it leads to: the member, or an entry of its list. */
function valueAt(pointer: string, request: object): [string, unknown] {
  const [, member = '', entry] = pointer.split('/');
  const value = (request as Record<string, unknown>)[member];
  const isEntry = member === 'agents' && Array.isArray(value) && entry !== undefined;
  return [member, isEntry ? value[Number(entry)] : value];
}

const listeners = new Set<(trouble: string | null) => void>();

/** Called with what keeps the page from all answers, and with null after an answer. */
export function onTrouble(listener: (trouble: string | null) => void): void {
  listeners.add(listener);
}

export function tell(trouble: string | null): void {
  for (const listener of listeners) listener(trouble);
}
