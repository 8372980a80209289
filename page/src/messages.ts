/** What the page and its worker tell each other. */
import type { Fault } from './answers';

/** First the module, compressed with gzip and in base64; then one question after the other. */
export type ToWorker = { module: string } | { tool: string; request: string };
export type ToPage = { answer: string } | { fault: Fault };
