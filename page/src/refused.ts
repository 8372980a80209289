/** What is refused of what was entered. Its field says so, and all else is still answered. */
import { AnswerError } from './answers';

/** The members that an answer does not need: each robot by itself, the others as a whole. */
const SPARED = ['agents', 'purposes', 'applications', 'acap'];

/** Why values are refused. What is corrected is another value, so nothing has to be forgotten. */
const reasons = new Map<string, string>();

function key(member: string, value: unknown): string {
  return `${member} ${JSON.stringify(value)}`;
}

/** Why this value of a member is refused, if it is. */
export function refusal(member: string, value: unknown): string | undefined {
  return reasons.get(key(member, value));
}

/** Remembers what is refused; false if the answer needs it, or if it is known already. */
function remember({ code, detail, member, value }: AnswerError): boolean {
  if (!SPARED.includes(member) || value === undefined || (member === 'agents' && typeof value !== 'string')) return false;
  const known = key(member, value);
  if (reasons.has(known)) return false;
  reasons.set(known, detail.replace(/^(in "[^"]*"|invalid request): /, '') || code);
  document.dispatchEvent(new Event('refused'));
  return true;
}

/** Asks again without what is refused. */
export async function withoutRefused<T>(question: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof AnswerError) || !remember(error)) throw error;
    }
  }
}
