#!/usr/bin/env node
/** The command of the package: `npx abide-robots lint public/robots.txt`. */

import './node.js';

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { FileFinding } from './contract.js';
import { failing, isSeverity, report } from './report.js';
import { fix, fmt, lint } from './tools.js';

const USAGE = `Usage: abide-robots lint [OPTIONS] FILE...
       abide-robots fmt [--check] FILE...

FILE is a path, or - for stdin.

lint: finds mistakes in robots.txt, tdmrep.json and RSL licences
  --fix                Apply the fixes that change no robot's answer
  --unsafe-fixes       Apply the other fixes too
  --select CODES       Codes to report, such as bom,pattern-* [default: all]
  --ignore CODES       Codes not to report
  --allow-closed       The site is meant to be closed
  --fail-on SEVERITY   info, warning or error [default: warning]
  --format FORMAT      human, json or jsonl [default: human]

fmt: formats robots.txt without changing what it means
  --check              Name the files that would change, and change none

Exit status: 0 without findings, 1 with findings, 2 for a wrong argument or file.
No abide.toml is read. The abide command has more.
`;

/** What is wrong with the arguments or a file. */
class Mistake extends Error {}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const OPTIONS = {
  lint: {
    fix: flag,
    'unsafe-fixes': flag,
    select: text,
    ignore: text,
    'allow-closed': flag,
    'fail-on': text,
    format: text,
  },
  fmt: { check: flag },
} as const;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function content(name: string): Uint8Array {
  let bytes;
  try {
    bytes = readFileSync(name === '-' ? 0 : name);
  } catch (error) {
    throw new Mistake(`cannot read ${name}: ${messageOf(error)}`);
  }
  // A run that checks nothing does not pass.
  if (bytes.length === 0) throw new Mistake(`${name} is empty`);
  return bytes;
}

/** Replaces a file in one step, or writes to stdout what came from stdin. */
function replace(name: string, bytes: Uint8Array): void {
  if (name === '-') {
    process.stdout.write(bytes);
    return;
  }
  try {
    const beside = `${name}.abide-new`;
    writeFileSync(beside, bytes);
    renameSync(beside, name);
  } catch (error) {
    throw new Mistake(`cannot rewrite ${name}; the file is unchanged: ${messageOf(error)}`);
  }
}

type Values = Record<string, string | boolean | undefined>;

function lintFiles(values: Values, names: string[]): number {
  const least = values['fail-on'] ?? 'warning';
  if (!isSeverity(least)) throw new Mistake('--fail-on: expected info, warning or error');
  const format = values.format ?? 'human';
  if (format !== 'human' && format !== 'json' && format !== 'jsonl') {
    throw new Mistake('--format: expected human, json or jsonl');
  }
  const codes = (given: unknown) => (typeof given === 'string' ? given.split(',') : []);
  let fixed = 0;
  const findings = names.flatMap((name): FileFinding[] => {
    const file = name === '-' ? 'stdin' : name;
    const allow_closed = values['allow-closed'] === true ? { allow_closed: true } : {};
    const options = { file, select: codes(values.select), ignore: codes(values.ignore), ...allow_closed };
    const bytes = content(name);
    if (!values.fix && !values['unsafe-fixes']) return lint(bytes, options);
    const done = fix(bytes, { ...options, safety: values['unsafe-fixes'] ? 'unsafe' : 'safe' });
    if (done.fixed > 0 || name === '-') replace(name, done.robots);
    fixed += done.fixed;
    return done.findings;
  });
  const shown =
    format === 'json'
      ? JSON.stringify(findings)
      : format === 'jsonl'
        ? findings.map((finding) => JSON.stringify(finding)).join('\n')
        : report(findings, names.length, { fixed });
  // The fixed file is on stdout.
  const out = names.includes('-') && (values.fix || values['unsafe-fixes']) ? process.stderr : process.stdout;
  if (shown !== '') out.write(`${shown}\n`);
  return failing(findings, least).length > 0 ? 1 : 0;
}

function fmtFiles(values: Values, names: string[]): number {
  let status = 0;
  for (const name of names) {
    const bytes = content(name);
    const formatted = fmt(bytes);
    const isSame = formatted.length === bytes.length && formatted.every((byte, at) => byte === bytes[at]);
    if (values.check) {
      if (!isSame) process.stdout.write(`${name === '-' ? 'stdin' : name}\n`);
      status = isSame ? status : 1;
    } else if (!isSame || name === '-') {
      replace(name, formatted);
    }
  }
  return status;
}

/** Runs the command, and returns its exit status. */
function run([command, ...words]: string[]): number {
  if (command === '--help' || command === '-h' || command === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  try {
    if (command !== 'lint' && command !== 'fmt') {
      throw new Mistake(`expected lint or fmt, but found ${command ?? 'nothing'}; see --help`);
    }
    const { values, positionals } = parseArgs({ args: words, options: OPTIONS[command], allowPositionals: true });
    if (positionals.length === 0) throw new Mistake('expected a file, or "-" for stdin');
    return command === 'lint' ? lintFiles(values, positionals) : fmtFiles(values, positionals);
  } catch (error) {
    process.stderr.write(`error: ${messageOf(error)}\n`);
    return 2;
  }
}

process.exitCode = run(process.argv.slice(2));
