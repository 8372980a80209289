/** The entry for Node, Bun and Deno: the module starts when it is imported. */

import { readFileSync } from 'node:fs';
import { start } from './module.js';

export * from './api.js';
export { init, type ModuleSource } from './index.js';

start(new WebAssembly.Module(readFileSync(new URL('./abide_robots.wasm', import.meta.url))));
