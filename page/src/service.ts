/** What the page asks the service, and what comes back. */
import { NO_FILE, decode, fromBase64, member, type RobotsFile } from './bytes';
import type { Decision, Diff, FileExplanation, FileFinding, KnownRobot, Matrix, ShortAnswer, Table, UsageDecision } from '../../bindings/javascript/package/contract';

export type { CellAnswer, Decision, Diff, Edit, Evidence, FileExplanation, FileFinding, KnownRobot, Matrix, MatrixRobot, NamedClient, Outcome, Part, Profile, Region, ShortAnswer, Table } from '../../bindings/javascript/package/contract';

/** The answer for a usage, if the decision has one. */
export function answerFor({ usages }: Decision, usage: string): UsageDecision | undefined {
  return usages[usage as keyof typeof usages];
}

/** The line with the statement that decides; where no rule of a group matches, none does. */
export function statementLine({ decided_by }: ShortAnswer): number | null | undefined {
  return decided_by?.statement && decided_by.source !== 'default' ? decided_by.line : undefined;
}

export interface FileText { sha256: string; bytes: number; cut: boolean; cut_line: boolean; body?: string; body_base64?: string }
export interface Live {
  origin: string;
  robots_url: string;
  /** Why these rules apply: fresh, refresh-failed, unreachable, grace-is-over, due or never-asked. */
  state: string;
  in_force: 'file' | 'allow-all' | 'disallow-all' | 'unknown';
  status?: number | null;
  since?: string | null;
  confirmed?: string | null;
  /** How many seconds ago that was. */
  age?: number | null;
  expires?: string | null;
  unreachable_since?: string | null;
  retry_at?: string | null;
  /** Until when the site asked to be left alone, if it was not asked again for that reason. */
  asks_to_wait?: string;
  why: string;
  lifetime?: number | null;
  redirects: { url: string; address?: string; status?: number | null; failure?: string | null; milliseconds: number }[];
  headers: Record<string, string>;
  file?: FileText;
}
export interface Observation { sha256: string; bytes: number; first: string; last: string }
export interface HistoryAnswer { robots_url: string; observations: Observation[]; file?: FileText }

/** Why there is no answer, and what to do about it. */
export class ServiceError extends Error {
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
    this.name = 'ServiceError';
  }
}

const SLOW = 30_000;
let token = sessionStorage.getItem('abide-token') ?? '';
const listeners = new Set<(reachable: boolean) => void>();

/** Called with every answer and every failure to get one. */
export function onReachable(listener: (reachable: boolean) => void): void {
  listeners.add(listener);
}

export function useToken(value: string): void {
  token = value.trim();
  sessionStorage.setItem('abide-token', token);
}

async function ask<T>(path: string, init: RequestInit, signal?: AbortSignal, body?: object): Promise<T> {
  const timeout = AbortSignal.timeout(SLOW);
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      ...init,
      credentials: 'same-origin',
      headers: {
        ...(init.body ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    if (timeout.aborted) {
      throw new ServiceError('The service is too slow', `It did not answer within ${SLOW / 1000} seconds.`, 'Try again, or ask about fewer URLs.', 'slow');
    }
    for (const listener of listeners) listener(false);
    throw new ServiceError('The service does not answer', 'Nothing is lost: your text stays on this page.', 'Check that `abide serve` still runs, then try again.', 'offline');
  }
  for (const listener of listeners) listener(true);
  if (response.ok) {
    try {
      return JSON.parse(text) as T;
    } catch {
      throw new ServiceError('The answer could not be read', 'It is no JSON.', 'Check that this page and the service have one version: reload the page.', 'refused');
    }
  }
  throw refusal(response.status, text, body);
}

/** Where on the page the entry is that the service refuses. */
const FIELDS: Record<string, string> = {
  'invalid-agent': 'Robots', 'invalid-purpose': 'Purposes', 'invalid-application': 'Applications', 'invalid-acap': 'ACAP',
};

function refusal(status: number, text: string, body?: object): ServiceError {
  let problem: { title?: string; detail?: string; remedy?: string; code?: string; member?: string } = {};
  try {
    problem = JSON.parse(text);
  } catch {
    // A proxy in front of the service may send errors that are not problem details.
  }
  if (status === 401) {
    return new ServiceError('This service asks for a token', problem.detail ?? '', 'Enter a token of this service below.', 'token', problem.code);
  }
  const place = problem.code && FIELDS[problem.code];
  const refused = valueAt(problem.member ?? '', body);
  if (status === 400 && place) return new ServiceError(`“${place}” has something that cannot be read`, problem.detail ?? '', `Change it under “${place}”.`, 'input', problem.code, ...refused);
  const remedy = problem.remedy ?? (status === 429 ? 'Wait a little, then try again.' : status >= 500 ? 'Try again; if it persists, look at the log of the service.' : '');
  return new ServiceError(problem.title ?? `The service answered with status ${status}`, problem.detail ?? '', remedy, status === 400 || status === 422 ? 'input' : 'refused', problem.code, ...refused);
}

/** The member of a request that a JSON Pointer leads into, and what it leads to: the member, or an entry of its list. */
function valueAt(pointer: string, body: object = {}): [string, unknown] {
  const [, member = '', entry] = pointer.split('/');
  const value = (body as Record<string, unknown>)[member];
  const isEntry = member === 'agents' && Array.isArray(value) && entry !== undefined;
  return [member, isEntry ? value[Number(entry)] : value];
}

function post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
  return ask<T>(path, { method: 'POST', body: JSON.stringify(body) }, signal, body);
}

function get<T>(path: string, query: Record<string, string>, signal?: AbortSignal): Promise<T> {
  return ask<T>(`${path}?${new URLSearchParams(query)}`, {}, signal);
}

export const service = {
  lint: (request: object, signal?: AbortSignal) => post<{ findings: FileFinding[] }>('v1/lint', request, signal),
  lintCode: (code: string, signal?: AbortSignal) => get<{ markdown: string }>('v1/lint', { code }, signal),
  fixed: async (file: RobotsFile) => {
    const { fixed, robots, robots_base64 } = await post<Fixed>('v1/lint', { ...member(file), fix: 'safe' });
    return { fixed, file: fileOf(robots, robots_base64) };
  },
  fmt: async (file: RobotsFile) => {
    const { changed, formatted, formatted_base64 } = await post<Formatted>('v1/fmt', member(file));
    return { changed, file: fileOf(formatted, formatted_base64) };
  },
  decide: (request: object, signal?: AbortSignal) => post<Decision>('v1/decide', request, signal),
  explain: (request: object, signal?: AbortSignal) => post<FileExplanation>('v1/explain', request, signal),
  table: (request: object, signal?: AbortSignal) => post<Table>('v1/table', request, signal),
  matrix: (file: RobotsFile, more: object, signal?: AbortSignal) => post<Matrix>('v1/matrix', { ...member(file), ...more }, signal),
  diff: (before: RobotsFile, after: RobotsFile, more: object = {}, signal?: AbortSignal) =>
    post<Diff>('v1/diff', { before: member(before), after: member(after), ...more }, signal),
  sitemap: (request: object, signal?: AbortSignal) => post<{ index: boolean; urls: string[] }>('v1/sitemap', request, signal),
  init: (wishes: object, signal?: AbortSignal) => post<{ robots: string; summary: string; notes: string[] }>('v1/init', wishes, signal),
  /** What the site serves now: a copy from before is confirmed first. */
  robots: (url: string, signal?: AbortSignal) => get<Live>('v1/robots', { url, refresh: 'true' }, signal),
  history: (url: string, signal?: AbortSignal) => get<HistoryAnswer>('v1/history', { url }, signal),
  served: (url: string, sha256: string) => get<HistoryAnswer>('v1/history', { url, sha256 }),
  known: () => get<{ robots: KnownRobot[] }>('v1/known-robots', {}),
};

interface Fixed { fixed: number; robots?: string; robots_base64?: string }
interface Formatted { changed: boolean; formatted?: string; formatted_base64?: string }

/** A file that an answer has as text, or in base64 if it is no UTF-8. */
export function fileOf(text?: string, encoded?: string): RobotsFile {
  if (text !== undefined) return { text, encoding: 'utf-8' };
  return encoded ? decode(fromBase64(encoded)) : NO_FILE;
}

/**
 * A file that a site served. If it is cut, a sign of that follows. The sign is behind the parsing limit, so every
 * tool sees that the file goes on, and which line is cut.
 */
export function servedFile(served?: FileText): RobotsFile {
  const file = fileOf(served?.body, served?.body_base64);
  return served?.cut ? { ...file, text: `${file.text}${served.cut_line ? '…' : '\n'}` } : file;
}

/** One question at a time: a new one ends the one before. */
export class Latest {
  private controller = new AbortController();

  next(): AbortSignal {
    this.controller.abort();
    this.controller = new AbortController();
    return this.controller.signal;
  }
}
