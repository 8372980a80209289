/** Findings as people read them. */

import type { FileFinding, Severity } from './contract.js';

const SEVERITIES: readonly Severity[] = ['info', 'warning', 'error'];

/** Whether this is a severity. */
export function isSeverity(text: unknown): text is Severity {
  return (SEVERITIES as readonly unknown[]).includes(text);
}

/** The findings that fail a run: those of this severity or above. */
export function failing(findings: readonly FileFinding[], least: Severity): FileFinding[] {
  const from = SEVERITIES.indexOf(least);
  return findings.filter(({ severity }) => SEVERITIES.indexOf(severity) >= from);
}

/** Text of a file, without what a terminal would act on. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}

function described({ severity, code, message, file, line, column, fix }: FileFinding): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const flag = fix?.safety === 'safe' ? '--fix' : '--unsafe-fixes';
  const help = fix === undefined ? '' : `\n  = help: ${flag}: ${visible(fix.title)}`;
  return `${severity}[${code}]: ${visible(message)}\n --> ${visible(place)}${help}\n`;
}

/** How many there are: `2 errors`. */
function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** The findings, and how many there are in so many files. `command` is what the flags that fix are of. */
export function report(findings: readonly FileFinding[], files: number, { fixed = 0, command = '' } = {}): string {
  const count = (severity: Severity, what: string): string[] => {
    const all = findings.filter((finding) => finding.severity === severity).length;
    return all === 0 ? [] : [counted(all, what)];
  };
  const left = [...count('error', 'error'), ...count('warning', 'warning'), ...count('info', 'note')].join(', ');
  const place = `in ${counted(files, 'file')}.`;
  const safe = findings.filter(({ fix }) => fix?.safety === 'safe').length;
  const more = findings.filter(({ fix }) => fix?.safety === 'unsafe').length;
  const hints = [
    safe > 0 ? `${safe} fixable with \`${command}--fix\`` : '',
    more > 0 ? `${more}${safe > 0 ? ' more' : ' fixable'} with \`${command}--unsafe-fixes\`` : '',
  ].filter((hint) => hint !== '');
  const hint = hints.length > 0 ? ` ${hints.join(', ')}.` : '';
  let last = left === '' ? `No findings ${place}` : `${left} ${place}${hint}`;
  if (fixed > 0) last = `Fixed ${counted(fixed, 'finding')}, leaving ${left || 'none'} ${place}${hint}`;
  return [...findings.map(described), last].join('\n');
}
