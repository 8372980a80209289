/** The entry for Cloudflare Workers, which compile modules when they are deployed. */

import module from './abide_robots.wasm';
import { start } from './module.js';

export * from './api.js';
export { init, type ModuleSource } from './index.js';

// A Worker has 128 MiB for everything.
start(module, 32 << 20);
