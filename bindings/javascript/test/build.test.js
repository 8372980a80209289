// Checks of built sites, and a real build with Vite.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { AbideError } from 'abide-robots';
import { BuildError, checkBuild } from 'abide-robots/build';
import robots from 'abide-robots/vite';

const GOOD = 'User-agent: *\nDisallow: /x\n';
const BAD = 'User-agent: *\nDisallow: x/\n';
const CASES = '[[case]]\nname = "drafts"\nagent = "Googlebot"\nurl = "/x"\ncrawl = "allowed"\n';

/** A folder with these files. */
function folder(t, files) {
  const path = mkdtempSync(join(tmpdir(), 'abide-build-'));
  t.after(() => rmSync(path, { recursive: true }));
  mkdirSync(join(path, 'public'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

test('a built site is linted and tested', (t) => {
  assert.deepEqual(checkBuild(folder(t, { 'robots.txt': GOOD })), []);
  assert.deepEqual(checkBuild(pathToFileURL(`${folder(t, { 'robots.txt': GOOD })}/`)), []);
  const bad = folder(t, { 'robots.txt': BAD });
  assert.throws(() => checkBuild(bad), (error) => {
    assert(error instanceof BuildError);
    assert.match(error.message, /error\[pattern-no-slash\].*\n --> .*robots\.txt:2:11/);
    return error.findings[0].code === 'pattern-no-slash';
  });
  assert.deepEqual(checkBuild(bad, { ignore: 'pattern-no-slash' }), []);
  // A note fails a build if it is asked to.
  const notes = folder(t, { 'robots.txt': `${GOOD}Disallow: /x\n` });
  assert.equal(checkBuild(notes)[0].severity, 'info');
  assert.throws(() => checkBuild(notes, { fail_on: 'info' }), BuildError);
  assert.throws(() => checkBuild(notes, { cases: CASES }), /does not do what the site expects:\n- drafts: Googlebot, /);
  assert.throws(() => checkBuild(folder(t, {})), /has no robots\.txt/);
  assert.throws(() => checkBuild(notes, { fail_on: 'never' }), AbideError);
});

test('a build with Vite fails on mistakes', async (t) => {
  const built = (file, options) => {
    const files = { 'index.html': '<p>x</p>', ...(file === undefined ? {} : { 'public/robots.txt': file }) };
    const root = folder(t, files);
    return build({ root, configFile: false, logLevel: 'silent', plugins: [robots(options)] });
  };
  await built(GOOD);
  await assert.rejects(built(BAD), /pattern-no-slash/);
  await assert.rejects(built(undefined), /has no robots\.txt/);
  await assert.rejects(built(GOOD, { cases: CASES }), /does not do what the site expects/);
});
