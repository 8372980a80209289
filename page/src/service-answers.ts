/** Answers of the service that the page comes from. */
import { AnswerError, SLOW, tell, wrongInput, type Answers, type Fault, type SiteTool, type Tool } from './answers';

/** What is asked with a query; everything else is sent. */
const QUERIES: Partial<Record<Tool | SiteTool, string>> = {
  'lint-code': 'v1/lint', 'known-robots': 'v1/known-robots', robots: 'v1/robots', history: 'v1/history',
};

let token = sessionStorage.getItem('abide-token') ?? '';

export function useToken(value: string): void {
  token = value.trim();
  sessionStorage.setItem('abide-token', token);
}

export class ServiceAnswers implements Answers {
  async ask<T>(tool: Tool | SiteTool, request: object, signal?: AbortSignal): Promise<T> {
    const query = QUERIES[tool];
    const [path, init] = query
      ? [`${query}?${new URLSearchParams(request as Record<string, string>)}`, {}]
      : [`v1/${tool}`, { method: 'POST', body: JSON.stringify(request) }];
    const { ok, status, text } = await sent(path, init, signal);
    tell(null);
    if (!ok) throw refusal(status, text, request);
    try {
      return JSON.parse(text) as T;
    } catch {
      throw new AnswerError('The answer could not be read', 'It is no JSON.', 'Check that this page and the service have one version: reload the page.', 'refused');
    }
  }
}

async function sent(path: string, init: RequestInit, signal?: AbortSignal): Promise<{ ok: boolean; status: number; text: string }> {
  const timeout = AbortSignal.timeout(SLOW);
  try {
    const response = await fetch(path, {
      ...init,
      credentials: 'same-origin',
      headers: {
        ...(init.body ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    return { ok: response.ok, status: response.status, text: await response.text() };
  } catch (error) {
    if (signal?.aborted) throw error;
    if (timeout.aborted) {
      throw new AnswerError('The service is too slow', `It did not answer within ${SLOW / 1000} seconds.`, 'Try again, or ask about fewer URLs.', 'slow');
    }
    tell('The service does not answer. Your text stays here; check that `abide serve` still runs.');
    throw new AnswerError('The service does not answer', 'Nothing is lost: your text stays on this page.', 'Check that `abide serve` still runs, then try again.', 'offline');
  }
}

function refusal(status: number, text: string, request: object): AnswerError {
  let problem: Fault & { title?: string } = {};
  try {
    problem = JSON.parse(text);
  } catch {
    // A proxy in front of the service may send errors that are not problem details.
  }
  if (status === 401) {
    return new AnswerError('This service asks for a token', problem.detail ?? '', 'Enter a token of this service below.', 'token', problem.code);
  }
  if (status === 400 || status === 422) return wrongInput(problem, request);
  const remedy = problem.remedy ?? (status === 429 ? 'Wait a little, then try again.' : status >= 500 ? 'Try again; if it persists, look at the log of the service.' : '');
  return new AnswerError(problem.title ?? `The service answered with status ${status}`, problem.detail ?? '', remedy, 'refused', problem.code);
}
