/** The drop-in in Cloudflare Workers. */

import './workerd.js';

export * from './robots-parser.js';
export { default } from './robots-parser.js';
