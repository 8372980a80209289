/** Checks the robots.txt of a built site, so that a build with a mistake in it fails. */

import './node.js';

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileFinding, Severity } from './contract.js';
import { AbideError } from './error.js';
import type { Url } from './input.js';
import { failing, isSeverity, report } from './report.js';
import { type LintOptions, lint, test } from './tools.js';

/** How a built site is checked. */
export interface BuildOptions extends Omit<LintOptions, 'file'> {
  /** The least severity that fails the build [default: error]. */
  fail_on?: Severity;
  /** What the site expects of its file: the text of a TOML file, as for `test`. */
  cases?: string;
}

/** Why a build fails. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
  /** All findings, also those that do not fail the build. */
  readonly findings: readonly FileFinding[];

  constructor(message: string, findings: readonly FileFinding[], options?: { cause?: unknown }) {
    super(message, options);
    this.findings = findings;
  }
}

const REMEDY =
  'If a later step writes it, run `npx abide-robots lint FILE` after that step. If a route answers it, prerender the route.';

function reported(findings: readonly FileFinding[]): string {
  return report(findings, 1, { command: 'npx abide-robots lint ' });
}

/**
 * Lints the robots.txt in the folder of a built site, a path or a `file:` URL, and tests it if
 * there are cases. Returns the findings that do not fail the build; the others, and a missing file,
 * are a `BuildError`.
 */
export function checkBuild(folder: Url, options: BuildOptions = {}): FileFinding[] {
  const { fail_on: least = 'error', cases, ...rest } = options;
  if (!isSeverity(least)) {
    throw new AbideError('invalid-request', '/fail_on', 'in "fail_on": expected info, warning or error');
  }
  const path = join(typeof folder === 'string' ? folder : fileURLToPath(folder.href), 'robots.txt');
  let file;
  try {
    file = readFileSync(path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : cause;
    throw new BuildError(`the build has no robots.txt: ${why}\n${REMEDY}`, [], { cause });
  }
  // A build that checks nothing does not pass.
  if (file.length === 0) throw new BuildError(`${path} is empty`, []);
  const findings = lint(file, rest).map((finding) => ({ ...finding, file: path }));
  if (failing(findings, least).length > 0) {
    throw new BuildError(`mistakes in robots.txt\n\n${reported(findings)}`, findings);
  }
  const tested = cases === undefined ? undefined : test(file, cases);
  if (tested !== undefined && tested.failed > 0) {
    const failed = tested.checks.filter(({ passed }) => !passed);
    const lines = failed.map(({ name, agent, url }) => `- ${name}: ${agent}, ${url}`);
    throw new BuildError(`robots.txt does not do what the site expects:\n${lines.join('\n')}`, findings);
  }
  return findings;
}

/** Where the tool that builds shows what does not fail the build. */
export interface Shown {
  info(text: string): void;
  warn(text: string): void;
}

/** Checks a built site, which lies below the path `base`, and shows the findings that do not fail the build. @internal */
export function checkSite(folder: Url, base: string, options: BuildOptions | undefined, shown: Shown): void {
  const findings = checkBuild(folder, options);
  if (findings.length > 0) {
    const level = failing(findings, 'warning').length > 0 ? 'warn' : 'info';
    shown[level](`robots.txt\n\n${reported(findings)}`);
  }
  // A base may also be relative, or the URL of another host.
  if (/^\/[^/]/.test(base)) {
    const path = `${base.replace(/\/$/, '')}/robots.txt`;
    shown.warn(`the site is below ${base}, so its file is ${path}. Robots read only /robots.txt: publish it there too.`);
  }
}
