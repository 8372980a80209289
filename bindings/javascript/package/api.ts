/** What every entry of the package has. */

export type * from './contract.js';
export { AbideError, type ErrorCode } from './error.js';
export type { Agents, Body, Fields, Instant, Url } from './input.js';
export {
  type Agent,
  type PageOptions,
  Policy,
  type PolicyOptions,
  allows,
  preferences,
  tags,
} from './policy.js';
export {
  type AskOptions,
  type Fetch,
  type FetchOptions,
  type FetchedResponse,
  RobotsCache,
  type RobotsCacheOptions,
  type Signal,
} from './robots-cache.js';
export {
  type ConvertOptions,
  type DiffOptions,
  type ExplainOptions,
  type Fixed,
  type FixOptions,
  type Form,
  type LintOptions,
  type MatrixOptions,
  type ResponseLintOptions,
  type TestOptions,
  convert,
  diff,
  explain,
  fix,
  fmt,
  knownRobots,
  lint,
  matrix,
  test,
} from './tools.js';
