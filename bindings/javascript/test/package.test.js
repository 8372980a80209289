// The package as npm gives it to others: what `npm pack` made, in empty projects.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PACKED = process.env.ABIDE_PACKED ?? here('../../../target/javascript-dist');
const [tarball] = readdirSync(PACKED).filter((name) => name.endsWith('.tgz'));

/** An empty project that has the package, and these files. */
function project(t, type, files) {
  const folder = mkdtempSync(join(tmpdir(), 'abide-robots-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, type }));
  const options = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, join(PACKED, tarball)], { cwd: folder });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const run = (folder, ...words) => execFileSync(words[0], words.slice(1), { cwd: folder, encoding: 'utf8' });

test('the package has what it needs and nothing else', (t) => {
  const folder = join(project(t, 'module', {}), 'node_modules/abide-robots');
  const licences = ['LICENSE-APACHE', 'LICENSE-MIT', 'LICENSES-OF-DEPENDENCIES.txt'];
  assert.deepEqual(readdirSync(folder).sort(), [...licences, 'README.md', 'dist', 'package.json']);
  assert.match(readFileSync(join(folder, licences.at(-1)), 'utf8'), /^memchr \d/m);
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const paths = Object.values(exports).flatMap((path) => (typeof path === 'string' ? [path] : Object.values(path)));
  for (const path of paths) assert(existsSync(join(folder, path)), path);
});

test('an ES module, and a CommonJS module by import()', (t) => {
  const asks = `policy.allows('/x'), policy.allows('/y')`;
  const made = `new abide.Policy('User-agent: *\\nDisallow: /x', 'ExampleBot')`;
  const esm = `import * as abide from 'abide-robots';\nconst policy = ${made};\nconsole.log(${asks});\n`;
  assert.equal(run(project(t, 'module', { 'index.js': esm }), 'node', 'index.js'), 'false true\n');
  const commonjs = `import('abide-robots').then((abide) => {\nconst policy = ${made};\nconsole.log(${asks});\n});\n`;
  assert.equal(run(project(t, 'commonjs', { 'index.js': commonjs }), 'node', 'index.js'), 'false true\n');
});

test('the command runs by its name', (t) => {
  const folder = project(t, 'module', { 'robots.txt': 'User-agent: *\nDisallow: /x\n' });
  assert.equal(run(folder, 'npx', '--offline', 'abide-robots', 'lint', 'robots.txt'), 'No findings in 1 file.\n');
});

test('the example of the README prints what it says', (t) => {
  const readme = readFileSync(here('../README.md'), 'utf8');
  const [, program] = readme.match(/```js\n(.*?)```/s);
  const [, prints] = readme.match(/```text\n(.*?)```/s);
  assert.equal(run(project(t, 'module', { 'index.js': program }), 'node', 'index.js'), prints);
});

test('types are those of strict programs, with and without a DOM', (t) => {
  const right = `
import { AbideError, Policy, RobotsCache, allows, lint, fix, type Decision, type Outcome, type FileFinding } from 'abide-robots';
using policy = new Policy(new Uint8Array(), ['A', 'B'], { profile: 'google', robots_status: 404 });
const yes: boolean = policy.allows('/x') && allows('', 'A', '/');
const many: (boolean | null)[] = policy.allowsMany(new Set(['/x']));
const decision: Decision = policy.decide('/x', { headers: { 'x-robots-tag': 'noindex' }, now: new Date() });
const outcome: Outcome | undefined = decision.usages.crawl?.outcome;
const found: FileFinding[] = lint('', { select: ['bom'] });
const text: string = fix('').robots;
const bytes: Uint8Array = fix(new Uint8Array()).robots;
const cached: Promise<Decision> = new RobotsCache('A/1', { agent: ['A'], timeout: 5 }).decide('https://e.example/');
try { policy.free(); } catch (error) { if (error instanceof AbideError && error.code === 'invalid-url') throw error; }
export { yes, many, outcome, found, text, bytes, cached };
`;
  const wrong = [
    `new RobotsCache(1);`,
    `new RobotsCache("a", { robots_status: 200 });`,
    `respectRobots(1, new RobotsCache("a"));`,
    `new Policy(1, 'A');`,
    `new Policy('');`,
    `new Policy('', 'A', { profil: 'google' });`,
    `new Policy('', 'A', { profile: 'other' });`,
    `new Policy('', 'A').decide('/', { purposes: [] });`,
    `lint('', { select: 1 });`,
    `const text: string = fix(new Uint8Array()).robots;`,
  ].map((line) => `// @ts-expect-error\n${line}\n`);
  const imports = `import { Policy, RobotsCache, fix, lint } from 'abide-robots';\nimport { respectRobots } from 'abide-robots/crawlee';\n`;
  const mistakes = `${imports}${wrong.join('')}`;
  const platform = `
import { RobotsCache } from 'abide-robots';
import { BuildError, checkBuild } from 'abide-robots/build';
import astro from 'abide-robots/astro';
import robots from 'abide-robots/vite';
const cache = new RobotsCache('A/1', { fetch, profile: 'google' });
const yes: Promise<boolean> = cache.allows(new URL('https://e.example/'), { signal: AbortSignal.timeout(1) });
try { checkBuild(new URL('file:///site/'), { fail_on: 'warning' }); } catch (error) { if (error instanceof BuildError) throw error.findings[0]; }
export { yes, astro, robots };
`;
  const tsc = here('../node_modules/.bin/tsc');
  const folder = project(t, 'module', { 'right.ts': right, 'wrong.ts': mistakes, 'platform.ts': platform });
  for (const [module, resolution] of [['nodenext', 'nodenext'], ['esnext', 'bundler']]) {
    for (const lib of ['es2022,esnext.disposable', 'es2022,esnext.disposable,dom']) {
      const options = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--target', 'es2022', '--lib', lib];
      const how = ['--module', module, '--moduleResolution', resolution, '--types', ''];
      const files = ['right.ts', 'wrong.ts', ...(lib.endsWith('dom') ? ['platform.ts'] : [])];
      run(folder, tsc, ...options, ...how, ...files);
    }
  }
});

test('what checks packages has no complaint', () => {
  const tool = (name) => here(`../node_modules/.bin/${name}`);
  const packed = join(PACKED, tarball);
  assert.match(run('.', tool('publint'), packed, '--strict'), /All good/);
  // The module has no types, and CommonJS imports the package dynamically.
  const options = ['--profile', 'esm-only', '--exclude-entrypoints', 'abide_robots.wasm'];
  run('.', tool('attw'), packed, ...options);
});

test('a Worker has the module when it is deployed', async (t) => {
  const { Miniflare } = await import('miniflare');
  const worker = `
    import { Policy, RobotsCache, lint } from './dist/workerd.js';
    import robotsParser from './dist/robots-parser.workerd.js';
    export default {
      async fetch() {
        const file = 'User-agent: *\\nDisallow: /x';
        const policy = new Policy(file, 'f');
        const robots = robotsParser('https://e.example/robots.txt', file);
        const said = [policy.allows('/x'), policy.allows('/y'), robots.isAllowed('https://e.example/x')];
        const cache = new RobotsCache('A/1', { fetch: async () => new Response(file) });
        said.push(await cache.allows('https://e.example/x'));
        return Response.json([...said, lint('Disalow: /')[0].code]);
      },
    };`;
  const dist = here('../dist/');
  const code = readdirSync(dist).filter((name) => name.endsWith('.js') && !/node|command|build|astro|vite|crawlee/.test(name));
  const module = (type, name) => ({ type, path: join(dist, '..', name), contents: readFileSync(join(dist, '..', name)) });
  const miniflare = new Miniflare({
    modulesRoot: join(dist, '..'),
    modules: [
      { type: 'ESModule', path: join(dist, '../worker.js'), contents: worker },
      ...code.map((name) => module('ESModule', `dist/${name}`)),
      module('CompiledWasm', 'dist/abide_robots.wasm'),
    ],
    // The oldest that has what the package needs.
    compatibilityDate: '2025-01-01',
  });
  t.after(() => miniflare.dispose());
  const response = await miniflare.dispatchFetch('http://localhost/');
  assert.deepEqual(await response.json(), [false, true, false, false, 'misspelt-field']);
});

test('the entry for browsers starts when it is told to', async () => {
  const { AbideError, Policy, init } = await import('../dist/index.js');
  // Another copy of the module than the one that Node starts: nothing here has started it.
  assert.throws(() => new Policy('', 'f'), (error) => error instanceof AbideError && error.code === 'not-started');
  await assert.rejects(init(new Uint8Array(3)), (error) => error.code === 'not-started' && error.cause instanceof Error);
  const bytes = readFileSync(here('../dist/abide_robots.wasm'));
  await Promise.all([init(bytes), init(bytes)]);
  assert.equal(new Policy('User-agent: *\nDisallow: /', 'f').allows('/'), false);
});

/** What the checks of vectors need of `node:assert/strict`, in a browser. */
const ASSERT = `
  const sorted = (value) => value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, sorted(one)]))
    : Array.isArray(value) ? value.map(sorted) : value;
  const text = (value) => JSON.stringify(sorted(value)) ?? 'undefined';
  export default function assert(holds, message) { if (!holds) throw new Error(message ?? 'it does not hold'); }
  assert.deepEqual = (a, b, message) => assert(text(a) === text(b), (message ?? '') + ': ' + text(a) + ' is not ' + text(b));
  assert.equal = assert.deepEqual;
  assert.throws = (call, matches) => {
    try { call(); } catch (error) { return assert(matches(error), String(error)); }
    throw new Error('nothing was thrown');
  };
`;

/** Asks all vectors, and says how many passed and why the others failed. */
const PAGE = `<!doctype html>
  <script type="importmap">{"imports": {"abide-robots": "/dist/index.js", "node:assert/strict": "/assert.js"}}</script>
  <script type="module">
    let said = { passed: 0, failed: [] };
    try {
      const { init } = await import('abide-robots');
      await init();
      const { checks } = await import('/test/vector-checks.js');
      for (const file of FILES) {
        for (const vector of await (await fetch('/vectors/' + file)).json()) {
          if (!(vector.table in checks)) continue;
          try {
            checks[vector.table](vector);
            said.passed += 1;
          } catch (error) {
            said.failed.push(file + ' ' + vector.name + ': ' + error.message);
          }
        }
      }
    } catch (error) {
      said.failed.push(error.message);
    }
    await fetch('/said', { method: 'POST', body: JSON.stringify(said) });
  </script>`;

test('a browser fetches the module, and every vector passes there', async () => {
  const vectors = here('../../../vectors/json/');
  const files = readdirSync(vectors);
  const page = PAGE.replace('FILES', JSON.stringify(files));
  const folders = { dist: here('../dist/'), test: here('./'), vectors };
  const types = { js: 'text/javascript', json: 'application/json', wasm: 'application/wasm' };
  const server = createServer();
  const said = new Promise((resolve, reject) => {
    server.on('request', async (request, response) => {
      const [, folder, name] = request.url.split('/');
      if (folder === 'said') {
        resolve(JSON.parse((await request.toArray()).join('')));
        return response.end();
      }
      const type = types[request.url.split('.').pop()] ?? 'text/html';
      const head = response.writeHead(200, { 'Content-Type': type });
      if (folder === '') return head.end(page);
      if (folder === 'assert.js') return head.end(ASSERT);
      const file = join(folders[folder] ?? '/nowhere', name ?? '');
      return head.end(existsSync(file) ? readFileSync(file) : '');
    });
    setTimeout(reject, 120_000, new Error('the browser said nothing for two minutes')).unref();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const profile = mkdtempSync(join(tmpdir(), 'abide-chromium-'));
  const options = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`];
  const browser = spawn('chromium', [...options, `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore' });
  const ended = new Promise((resolve) => browser.on('exit', resolve));
  try {
    const { passed, failed } = await said;
    assert.deepEqual(failed, []);
    assert(passed > 1_400, `only ${passed} vectors were asked`);
  } finally {
    browser.kill();
    await ended;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});
