/** What the user entered. It lives in the fragment of the address, which is never sent. */
import { base64, encodingOf, fromBase64, through, type RobotsFile } from './bytes';

export interface State {
  tab: 'test' | 'compare' | 'history';
  /** The draft: what is in the editor, as `RobotsFile` has it. */
  robots: string;
  encoding: string;
  /** Why the site has no rules: a status, the name of a failure, or `EMPTY`. */
  absence: string;
  site: string;
  urls: string;
  agents: string[];
  usage: string;
  purposes: string;
  applications: string;
  headers: string;
  html: string;
  rendered: string;
  /** The site's tdmrep.json. */
  tdmrep: string;
  /** Licence documents: URL and text. */
  rsl: [string, string][];
  /** The vocabularies of AI preferences that count; none for all. */
  vocabularies: string[];
  use: string;
  acapNames: string;
  acapPurposes: string;
  /** If the draft is a live file: its address, and when it was that. */
  live: string[];
  before: string;
  beforeEncoding: string;
  /** The like about the file before. */
  beforeLive: string[];
  day: string;
  row: number;
  column: string;
}

export function empty(): State {
  return {
    tab: 'test', robots: '', encoding: 'utf-8', absence: '', site: '', urls: '/', agents: ['*', 'Googlebot', 'GPTBot'], usage: 'crawl', purposes: '',
    applications: '', headers: '', html: '', rendered: '', tdmrep: '', rsl: [], vocabularies: [], use: '', acapNames: '', acapPurposes: '',
    live: [], before: '', beforeEncoding: 'utf-8', beforeLive: [], day: '', row: 0, column: '',
  };
}

/** The longest fragment that programs are known to keep when they pass on a link. */
export const LONGEST_LINK = 60_000;

/** From this length on, mail and chat programs may cut a link. */
export const LONG_LINK = 8_000;

function base64url(bytes: Uint8Array): string {
  return base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64url(text: string): Uint8Array {
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/** The fragment of a state: what differs from an empty one, compressed. */
export async function toFragment(state: State): Promise<string> {
  const standard = empty() as unknown as Record<string, unknown>;
  const changed = Object.entries(state).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(standard[name]));
  if (changed.length === 0) return '';
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(changed)));
  return `1${base64url(await through(bytes, new CompressionStream('deflate-raw')))}`;
}

/** The state of a fragment; null if it is none of ours. */
export async function fromFragment(fragment: string): Promise<State | null> {
  if (!fragment.startsWith('1')) return null;
  try {
    const bytes = await through(fromBase64url(fragment.slice(1)), new DecompressionStream('deflate-raw'));
    return admitted(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

/** Takes over only members that exist, with values of their type: a link can come from anybody. */
function admitted(value: unknown): State | null {
  if (typeof value !== 'object' || value === null) return null;
  const state = empty() as unknown as Record<string, unknown>;
  for (const [name, given] of Object.entries(value)) {
    const standard = Object.hasOwn(state, name) ? state[name] : undefined;
    if (name === 'rsl') {
      if (Array.isArray(given)) state.rsl = given.filter(isPair).slice(0, 100);
    } else if (Array.isArray(standard)) {
      if (Array.isArray(given) && given.every((item) => typeof item === 'string')) state[name] = given.slice(0, 500);
    } else if (typeof standard === typeof given && standard !== undefined) {
      state[name] = given;
    }
  }
  for (const name of ['live', 'beforeLive']) if (!isLive(state[name] as string[])) state[name] = [];
  const tab = state.tab;
  if (tab !== 'test' && tab !== 'compare' && tab !== 'history') state.tab = 'test';
  return state as unknown as State;
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'string');
}

/** Whether these are the address of a file and an instant. */
function isLive([url, at, ...rest]: string[]): boolean {
  return rest.length === 0 && siteUrl(url ?? '') === url && !Number.isNaN(Date.parse(at ?? ''));
}

/** Why a site has no rules if its file is empty. */
export const EMPTY = 'empty';

/** `EMPTY` for an empty file of a site. */
export function emptiness(file: RobotsFile): string {
  return file.text.trim() ? '' : EMPTY;
}

export function draftOf(state: State): RobotsFile {
  return { text: state.robots, encoding: encodingOf(state.encoding) };
}

export function beforeOf(state: State): RobotsFile {
  return { text: state.before, encoding: encodingOf(state.beforeEncoding) };
}

const KEPT = 'abide-state';

/** Writes the state into the address; what is too long for that only survives in this tab. */
export async function keep(state: State): Promise<void> {
  const fragment = await toFragment(state);
  const short = fragment.length <= LONGEST_LINK;
  if (short) sessionStorage.removeItem(KEPT);
  else {
    try {
      sessionStorage.setItem(KEPT, fragment);
    } catch {
      // The browser's quota is full: then a reload loses the text, as it does on other pages.
    }
  }
  history.replaceState(null, '', short ? `#${fragment}` : '#in-this-tab');
}

export async function restore(): Promise<State | null> {
  const fragment = location.hash.slice(1);
  if (fragment === 'in-this-tab') return fromFragment(sessionStorage.getItem(KEPT) ?? '');
  return fragment ? fromFragment(fragment) : empty();
}

/** The URLs of a pasted text: one a line, without blank lines and repetitions. */
export function urlsOf(text: string): string[] {
  return [...new Set(text.split(/[\r\n]+/).map((line) => line.trim()).filter(Boolean))];
}

export function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** Hosts that rarely have a certificate: localhost and addresses. */
const LOCAL = /^(localhost|[\d.]+|\[[\da-f:.]+\])(:\d+)?(\/|$)/i;

/** The address of a site as people write it: `example.com`, or any URL of it. */
export function siteUrl(text: string): string | null {
  const written = text.trim();
  if (!written || /\s/.test(written)) return null;
  try {
    const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? '' : LOCAL.test(written) ? 'http://' : 'https://';
    const url = new URL(scheme + written);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}
