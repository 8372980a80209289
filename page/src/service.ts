/** What the page asks, and what comes back. */
import { IS_STATIC, type Answers } from './answers';
import { NO_FILE, decode, fromBase64, member, type RobotsFile } from './bytes';
import { ModuleAnswers } from './module-answers';
import { ServiceAnswers } from './service-answers';
import type { Decision, Diff, FetchedSite, FileExplanation, FileFinding, Findings, FormattedFile, KnownRobots, LintCode, Matrix, ServedFile, ShortAnswer, SiteHistory, SitemapUrls, Table, UsageDecision, WrittenFile } from '../../bindings/javascript/package/contract';

export type { CellAnswer, Decision, Diff, Edit, Evidence, FetchedSite, FileExplanation, FileFinding, KnownRobot, Matrix, MatrixRobot, NamedClient, Observation, Outcome, Part, Profile, Region, ShortAnswer, SiteHistory, Table } from '../../bindings/javascript/package/contract';

/** The answer for a usage, if the decision has one. */
export function answerFor({ usages }: Decision, usage: string): UsageDecision | undefined {
  return usages[usage as keyof typeof usages];
}

/** The line with the statement that decides; where no rule of a group matches, none does. */
export function statementLine({ decided_by }: ShortAnswer): number | null | undefined {
  return decided_by?.statement && decided_by.source !== 'default' ? decided_by.line : undefined;
}

/** Of these two, a build has one. */
const answers: Answers = IS_STATIC ? new ModuleAnswers() : new ServiceAnswers();

export const service = {
  lint: (request: object, signal?: AbortSignal) => answers.ask<{ findings: FileFinding[] }>('lint', request, signal),
  lintCode: (code: string, signal?: AbortSignal) => answers.ask<LintCode>('lint-code', { code }, signal),
  fixed: async (file: RobotsFile) => {
    const { fixed, robots, robots_base64 } = await answers.ask<Findings>('lint', { ...member(file), fix: 'safe' });
    return { fixed: fixed ?? 0, file: fileOf(robots, robots_base64) };
  },
  fmt: async (file: RobotsFile) => {
    const { changed, formatted, formatted_base64 } = await answers.ask<FormattedFile>('fmt', member(file));
    return { changed, file: fileOf(formatted, formatted_base64) };
  },
  decide: (request: object, signal?: AbortSignal) => answers.ask<Decision>('decide', request, signal),
  explain: (request: object, signal?: AbortSignal) => answers.ask<FileExplanation>('explain', request, signal),
  table: (request: object, signal?: AbortSignal) => answers.ask<Table>('table', request, signal),
  matrix: (file: RobotsFile, more: object, signal?: AbortSignal) => answers.ask<Matrix>('matrix', { ...member(file), ...more }, signal),
  diff: (before: RobotsFile, after: RobotsFile, more: object = {}, signal?: AbortSignal) =>
    answers.ask<Diff>('diff', { before: member(before), after: member(after), ...more }, signal),
  sitemap: (request: object, signal?: AbortSignal) => answers.ask<SitemapUrls>('sitemap', request, signal),
  init: (wishes: object, signal?: AbortSignal) => answers.ask<WrittenFile>('init', wishes, signal),
  /** What the site serves now: a copy from before is confirmed first. */
  robots: (url: string, signal?: AbortSignal) => answers.ask<FetchedSite>('robots', { url, refresh: 'true' }, signal),
  history: (url: string, signal?: AbortSignal) => answers.ask<SiteHistory>('history', { url }, signal),
  served: (url: string, sha256: string) => answers.ask<SiteHistory>('history', { url, sha256 }),
  known: () => answers.ask<KnownRobots>('known-robots', {}),
};

/** A file that an answer has as text, or in base64 if it is no UTF-8. */
export function fileOf(text?: string | null, encoded?: string | null): RobotsFile {
  if (text !== undefined && text !== null) return { text, encoding: 'utf-8' };
  return encoded ? decode(fromBase64(encoded)) : NO_FILE;
}

/**
 * A file that a site served. If it is cut, a sign of that follows. The sign is behind the parsing limit, so every
 * tool sees that the file goes on, and which line is cut.
 */
export function servedFile(served?: ServedFile): RobotsFile {
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
