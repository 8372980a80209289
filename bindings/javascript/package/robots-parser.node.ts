/** The drop-in in Node, Bun and Deno: the module starts when it is imported. */

import './node.js';

export * from './robots-parser.js';
export { default } from './robots-parser.js';
