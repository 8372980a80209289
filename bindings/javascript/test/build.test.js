// Checks of built sites, and a real build with Vite.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { build, createBuilder, createLogger } from 'vite';
import { AbideError } from 'abide-robots';
import astro from 'abide-robots/astro';
import { BuildError, checkBuild } from 'abide-robots/build';
import robots from 'abide-robots/vite';

const GOOD = 'User-agent: *\nDisallow: /x\n';
const BAD = 'User-agent: *\nDisallow: x/\n';
const CLOSED = 'User-agent: Googlebot\nDisallow: /\n';
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
  assert.throws(() => checkBuild(folder(t, {})), /has no robots\.txt.*\n.*prerender the route/);
  assert.throws(() => checkBuild(folder(t, { 'robots.txt': '' })), /robots\.txt is empty/);
  assert.throws(() => checkBuild(folder(t, { 'robots.txt': BAD.replaceAll('\n', '\r\n') })), /robots\.txt:2:11/);
  assert.throws(() => checkBuild(notes, { fail_on: 'never' }), AbideError);
});

/** What a tool was told to show. */
function shown() {
  const lines = [];
  const note = (level) => (text) => void lines.push(`${level}: ${text}`);
  return { lines, info: note('info'), warn: note('warn') };
}

/** A site for Vite: its configuration, and what Vite shows. */
function site(t, file, { options, ...more } = {}) {
  const files = { 'index.html': '<p>x</p>', 'server.js': '', ...(file === undefined ? {} : { 'public/robots.txt': file }) };
  const seen = shown();
  const customLogger = { ...createLogger('silent'), ...seen };
  const root = folder(t, files);
  return { seen, config: { root, configFile: false, logLevel: 'silent', customLogger, plugins: [robots(options)], ...more } };
}

test('a build with Vite fails on mistakes', async (t) => {
  const built = (...args) => build(site(t, ...args).config);
  await built(GOOD);
  await assert.rejects(built(BAD), /pattern-no-slash.*\n --> .*dist\/robots\.txt:2:11/);
  await assert.rejects(built(BAD), /1 fixable with `npx abide-robots lint --unsafe-fixes`/);
  await assert.rejects(built(undefined), /has no robots\.txt/);
  await assert.rejects(built(GOOD, { options: { cases: CASES } }), /does not do what the site expects/);
  // The server's half of a site has no file.
  await built(BAD, { build: { ssr: 'server.js' } });
});

test('a build with Vite shows what does not fail it', async (t) => {
  const { seen, config } = site(t, CLOSED, { base: '/docs/' });
  await build(config);
  const said = seen.lines.join('\n');
  assert.match(said, /warn: .*robots\.txt\n\nwarning\[site-closed\].*Googlebot\n --> .*robots\.txt:2:1/);
  assert.match(said, /warn: .*below \/docs\/, so its file is \/docs\/robots\.txt/);
  for (const base of ['/', './', 'https://cdn.example/']) {
    const { seen, config } = site(t, GOOD, { base });
    await build(config);
    assert.doesNotMatch(seen.lines.join('\n'), /warn: /);
  }
});

test('of a build with several environments, what browsers get is checked', async (t) => {
  const built = async (file) => {
    const { config } = site(t, file);
    const outDir = (name) => ({ build: { outDir: `out/${name}` } });
    const ssr = { build: { outDir: 'out/server', rolldownOptions: { input: join(config.root, 'server.js') } } };
    const builder = await createBuilder({ ...config, builder: {}, environments: { client: outDir('client'), ssr } });
    await builder.buildApp();
  };
  await built(GOOD);
  await assert.rejects(built(BAD), /out\/client\/robots\.txt:2:11/);
});

test('a watch shows mistakes and goes on', { timeout: 60_000 }, async (t) => {
  const { seen, config } = site(t, BAD, { build: { watch: {} } });
  const watcher = await build(config);
  while (!seen.lines.some((line) => line.includes('pattern-no-slash'))) await new Promise((next) => setTimeout(next, 20));
  await watcher.close();
});

test('where Vite does not write the whole site, the plug-in says what to use', async (t) => {
  for (const [name, remedy] of [['astro:build', /abide-robots\/astro/], ['nuxt:environments', /\.output\/public\/robots\.txt/]]) {
    const { config } = site(t, GOOD, { plugins: [robots(), { name }] });
    await assert.rejects(build(config), remedy);
  }
});

test('a build with Astro fails on mistakes, and shows the rest', (t) => {
  // The hooks, as Astro 7 calls them.
  const built = (file, base, options) => {
    const integration = astro(options);
    const logger = shown();
    integration.hooks['astro:config:done']({ config: { base } });
    integration.hooks['astro:build:done']({ dir: pathToFileURL(`${folder(t, { 'robots.txt': file })}/`), logger });
    return logger.lines;
  };
  assert.deepEqual(built(GOOD, '/'), []);
  assert.throws(() => built(BAD, '/'), BuildError);
  assert.throws(() => built(CLOSED, '/', { fail_on: 'warning' }), /site-closed/);
  assert.match(built(CLOSED, '/')[0], /^warn: .*\n\nwarning\[site-closed\]/);
  assert.match(built(`${GOOD}Disallow: /_next/\n`, '/')[0], /^info: .*\n\ninfo\[resources-blocked\]/);
  assert.match(built(GOOD, '/docs')[0], /^warn: .*\/docs\/robots\.txt/);
});
