// The command of the package.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../dist/command.js', import.meta.url));
const BAD = 'User-agent: *\nDisallow: press/\nDisallow: /a b\nAllow: /basket\nAllow: /basket\n';

/** Runs the command in a folder that has the file. */
function run(t, words, { file = BAD, input } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'abide-command-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'robots.txt'), file);
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...words], { cwd: folder, input, encoding: 'utf8' });
  assert.deepEqual(readdirSync(folder), ['robots.txt']);
  return { status, stdout, stderr, file: readFileSync(join(folder, 'robots.txt'), 'utf8') };
}

test('lint shows findings as the command abide does', (t) => {
  const { status, stdout, file } = run(t, ['lint', 'robots.txt']);
  assert.equal(
    stdout,
    `error[pattern-no-slash]: "press/" never matches: a pattern begins with "/" or "*"
 --> robots.txt:2:11
  = help: --unsafe-fixes: begin with "/"

warning[pattern-space]: space in a path: some robots read it as %20, others do not match it; write %20
 --> robots.txt:3:13
  = help: --unsafe-fixes: write %20 for spaces

info[duplicate-rule]: duplicate of line 4
 --> robots.txt:5:1
  = help: --fix: remove the line

1 error, 1 warning, 1 note in 1 file. 1 fixable with \`--fix\`, 2 more with \`--unsafe-fixes\`.
`,
  );
  assert.deepEqual([status, file], [1, BAD]);
  assert.equal(run(t, ['lint', '-'], { input: BAD }).stdout.match(/stdin:2:11/g).length, 1);
  const good = run(t, ['lint', 'robots.txt'], { file: 'User-agent: *\nDisallow: /x\n' });
  assert.deepEqual([good.status, good.stdout], [0, 'No findings in 1 file.\n']);
  // What a terminal would act on is shown as text.
  assert.doesNotMatch(run(t, ['lint', 'robots.txt'], { file: 'User-agent: *\nDisallow: x\u001b[2J\n' }).stdout, /\u001b/);
});

test('lint fails from a severity on, and selects codes', (t) => {
  const only = (...words) => run(t, ['lint', 'robots.txt', '--select', 'pattern-space', ...words]).status;
  assert.deepEqual([only(), only('--fail-on', 'error'), only('--ignore', 'pattern-*')], [1, 0, 0]);
  const json = JSON.parse(run(t, ['lint', 'robots.txt', '--format', 'json']).stdout);
  assert.deepEqual(json.map(({ code }) => code), ['pattern-no-slash', 'pattern-space', 'duplicate-rule']);
  const lines = run(t, ['lint', 'robots.txt', '--format', 'jsonl']).stdout.trimEnd().split('\n');
  assert.deepEqual(lines.map((line) => JSON.parse(line)), json);
  const closed = { file: 'User-agent: *\nDisallow: /\n' };
  assert.deepEqual([run(t, ['lint', 'robots.txt'], closed).status, run(t, ['lint', '--allow-closed', 'robots.txt'], closed).status], [1, 0]);
});

test('lint fixes files, and stdin to stdout', (t) => {
  const safe = run(t, ['lint', '--fix', 'robots.txt']);
  assert.equal(safe.file, BAD.replace('Allow: /basket\n', ''));
  assert.match(safe.stdout, /Fixed 1 finding, leaving 1 error, 1 warning in 1 file\. 2 fixable with `--unsafe-fixes`\.\n$/);
  const fixed = 'User-agent: *\nDisallow: /press/\nDisallow: /a%20b\n';
  assert.deepEqual([run(t, ['lint', '--unsafe-fixes', 'robots.txt']).file, run(t, ['lint', '--unsafe-fixes', '-'], { input: BAD }).stdout], [fixed, fixed]);
});

test('fmt formats, or says what would change', (t) => {
  const file = 'user-agent:*\ndisallow : /x';
  const formatted = 'User-agent: *\nDisallow: /x\n';
  const checked = run(t, ['fmt', '--check', 'robots.txt'], { file });
  assert.deepEqual([checked.status, checked.stdout, checked.file], [1, 'robots.txt\n', file]);
  const done = run(t, ['fmt', 'robots.txt'], { file });
  assert.deepEqual([done.status, done.stdout, done.file], [0, '', formatted]);
  assert.equal(run(t, ['fmt', '-'], { input: file }).stdout, formatted);
  assert.equal(run(t, ['fmt', '--check', 'robots.txt'], { file: formatted }).status, 0);
});

test('what is wrong with a call is status 2 and a sentence', (t) => {
  for (const [words, says] of [
    [[], /expected lint or fmt/],
    [['lnt'], /expected lint or fmt/],
    [['lint'], /expected a file/],
    [['lint', 'none.txt'], /cannot read none\.txt/],
    [['lint', '--no-such-flag', 'robots.txt'], /--no-such-flag/],
    [['lint', '--fail-on', 'never', 'robots.txt'], /--fail-on/],
    [['lint', '--format', 'xml', 'robots.txt'], /--format/],
    [['lint', '--select', 'no-such-code', 'robots.txt'], /no-such-code/],
    [['fmt', '.'], /cannot read \./],
  ]) {
    const { status, stdout, stderr } = run(t, words);
    assert.deepEqual([status, stdout], [2, ''], words.join(' '));
    assert.match(stderr, /^error: /);
    assert.match(stderr, says);
  }
  assert.match(run(t, ['lint', 'robots.txt'], { file: '' }).stderr, /robots\.txt is empty/);
  assert.match(run(t, ['--help']).stdout, /^Usage/);
});
