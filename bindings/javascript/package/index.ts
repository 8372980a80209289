/** The entry for browsers and bundlers: `init()` gets the module. */

import { AbideError } from './error.js';
import { isStarted, start } from './module.js';

export * from './api.js';

/** The module: where it is, a response that brings it, its bytes, or what was compiled of them. */
export type ModuleSource =
  | string
  | { readonly href: string }
  | { arrayBuffer(): Promise<ArrayBuffer> }
  | ArrayBuffer
  | ArrayBufferView
  | object;

let starting: Promise<void> | undefined;

/**
 * Starts the module, before the first question. In Node, Deno, Bun and Workers it starts by itself.
 * Without `source`, the file beside this one is fetched.
 */
export function init(source?: ModuleSource | PromiseLike<ModuleSource>): Promise<void> {
  if (isStarted()) return Promise.resolve();
  starting ??= begin(source).finally(() => {
    starting = undefined;
  });
  return starting;
}

async function begin(source: ModuleSource | PromiseLike<ModuleSource> | undefined): Promise<void> {
  try {
    start(await moduleOf(await (source ?? new URL('./abide_robots.wasm', import.meta.url))));
  } catch (cause) {
    const message = `the module cannot be started: ${cause instanceof Error ? cause.message : cause}`;
    throw new AbideError('not-started', '', message, 'give init() the file abide_robots.wasm', { cause });
  }
}

async function moduleOf(source: ModuleSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || 'href' in source) {
    const url = typeof source === 'string' ? source : (source as { href: string }).href;
    return moduleOf(await fetch(url));
  }
  if ('arrayBuffer' in source) {
    const response = source as Response;
    if (response.ok === false) throw new Error(`${response.url} has the status ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
  }
  return WebAssembly.compile(source as ArrayBuffer);
}
