// Answers like `abide serve`, from the commands of abide. For work on the page only.
//
//     node tests/mock.mjs ABIDE FOLDER-OF-BUILT-FILES PORT
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

const [abide, folder, port] = process.argv.slice(2);
const temporary = mkdtempSync(join(tmpdir(), 'abide-mock-'));
let counter = 0;

function file(text) {
  const name = join(temporary, `${counter += 1}.txt`);
  writeFileSync(name, text ?? '');
  return name;
}

function run(args, input = '') {
  return new Promise((resolve) => {
    const child = spawn(abide, args);
    let out = '';
    let err = '';
    child.stdout.on('data', (part) => { out += part; });
    child.stderr.on('data', (part) => { err += part; });
    child.on('close', () => resolve({ out, err }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

const LIVE = 'User-agent: *\nAllow: /blog/\nDisallow: /closed/\nDisallow: /search\nContent-Usage: train-ai=n, search=y\n\nUser-agent: GPTBot\nDisallow: /\n\nSitemap: https://www.example.com/sitemap.xml\n';
const OLD = 'User-agent: *\nDisallow: /search\n';
let known = [];

function flags(body) {
  const list = [];
  for (const [name, value] of body.headers ?? []) list.push('--header', `${name}: ${value}`);
  if (body.html) list.push('--html', file(body.html));
  for (const purpose of body.purposes ?? []) list.push('--purpose', purpose);
  for (const id of body.applications ?? []) list.push('--application', id);
  if (body.profile) list.push('--profile', body.profile);
  return list;
}

class Refusal extends Error {
  constructor(problem) { super(problem.title); this.problem = problem; }
}

async function json(args, input) {
  const { out, err } = await run(args, input);
  try { return JSON.parse(out); } catch {
    throw new Refusal({ type: 'about:blank', title: 'The request could not be answered', status: 422, detail: err.trim(), code: 'invalid-request', remedy: 'Change the request.' });
  }
}

async function batch(requests) {
  const { out } = await run(['batch'], requests.map((request) => JSON.stringify(request)).join('\n') + '\n');
  return out.trim().split('\n').map((line) => JSON.parse(line));
}

const absolute = (url) => (url.startsWith('/') ? `https://site.example${url}` : url);

function names(agents) {
  return [...new Set(agents.flatMap((agent) => {
    if (!agent.startsWith('@')) return [agent];
    const set = agent.slice(1);
    return known.filter((row) => set === 'all' || (set === row.kind) || (row.kind === 'robot' && row.purposes[0] === set)).map((row) => row.token);
  }))];
}

const routes = {
  'POST /v1/lint': async (body) => {
    if (!body.fix) return { schema: 1, findings: await json(['lint', '--format', 'json', '-'], body.robots) };
    const { out } = await run(['lint', '--fix', '-q', '-'], body.robots);
    return { schema: 1, fixed: 1, robots: out, findings: [] };
  },
  'POST /v1/fmt': async (body) => {
    const { out } = await run(['fmt', '-'], body.robots);
    return { schema: 1, changed: out !== body.robots, formatted: out };
  },
  'POST /v1/explain': (body) => json(['explain', file(body.robots), '--agent', body.agents.join(','), '--format', 'json', ...flags(body), ...(body.urls ?? [])]),
  'POST /v1/test': (body) => json(['test', file(body.cases), file(body.robots), '--format', 'json']),
  'POST /v1/matrix': (body) => json(['matrix', file(body.robots), '--format', 'json']),
  'POST /v1/diff': async (body) => json(['diff', file(body.before.robots), file(body.after.robots), '--format', 'json']),
  'POST /v1/decide': async (body) => (await batch([{ ...body, url: absolute(body.url) }]))[0],
  'POST /v1/table': async (body) => {
    const { urls, agents, profiles = ['careful'], usage = 'crawl', ...rest } = body;
    const robots = names(agents);
    const requests = urls.flatMap((url) => robots.flatMap((agent) => profiles.map((profile) => ({ ...rest, url: absolute(url), agent, profile, known_robots: true, nonstandard_token: true, literal: undefined }))));
    const answers = await batch(requests);
    let at = 0;
    const dictionary = [];
    const numbers = new Map();
    const number = (answer) => {
      const key = JSON.stringify(answer);
      if (!numbers.has(key)) { numbers.set(key, dictionary.length); dictionary.push(answer); }
      return numbers.get(key);
    };
    const cells = urls.map(() => robots.map(() => {
      const [first, second] = profiles.map(() => answers[at++]);
      if (first.error) return number({ outcome: 'unknown' });
      const outcome = first.usages[usage].outcome;
      const line = first.usages[usage].evidence[0]?.line;
      const other = second && second.usages[usage].outcome;
      return number({ outcome, ...(line && { line }), ...(other && other !== outcome && { differs: { outcome: other } }) });
    }));
    return { schema: 1, profiles, usage, robots: robots.map((name) => ({ name, known: true })), urls: urls.map((url) => ({ url })), answers: dictionary, cells };
  },
  'GET /v1/known-robots': () => ({ schema: 1, robots: known }),
  'GET /v1/robots': (query) => {
    const url = new URL(query.get('url'));
    if (url.hostname === 'down.example') throw new Refusal({ type: 'about:blank', title: 'Fetching is off', status: 403, detail: 'This service was started without fetching.', code: 'fetching-off', remedy: 'Start abide serve with --fetch, or paste the file.' });
    const none = url.hostname === 'none.example';
    return {
      schema: 1, origin: url.origin, robots_url: `${url.origin}/robots.txt`, state: 'fresh', in_force: none ? 'allow-all' : 'file', status: none ? 404 : 200,
      since: '2026-11-24T09:12:00Z', confirmed: '2026-11-24T09:12:00Z', expires: '2026-11-25T09:12:00Z', why: 'the rules of the file', lifetime: 86400,
      redirects: [{ url: `http://${url.host}/robots.txt`, status: 301, failure: null, milliseconds: 12 }, { url: `https://${url.host}/robots.txt`, status: 200, failure: null, milliseconds: 34 }],
      headers: { 'content-type': 'text/plain; charset=utf-8', etag: '"5f1"' },
      ...(none ? {} : { file: { sha256: 'b'.repeat(64), bytes: LIVE.length, cut: false, body: LIVE } }),
    };
  },
  'GET /v1/history': (query) => ({
    schema: 1, robots_url: `${new URL(query.get('url')).origin}/robots.txt`,
    observations: [
      { sha256: 'a'.repeat(64), bytes: OLD.length, first: '2026-03-02T08:00:00Z', last: '2026-08-30T08:00:00Z' },
      { sha256: 'b'.repeat(64), bytes: LIVE.length, first: '2026-09-01T08:00:00Z', last: '2026-11-24T09:12:00Z' },
    ],
    ...(query.get('sha256') ? { file: { sha256: query.get('sha256'), bytes: 1, cut: false, body: query.get('sha256').startsWith('a') ? OLD : LIVE } } : {}),
  }),
};

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

known = await json(['robots', '--format', 'json']);
createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const route = routes[`${request.method} ${url.pathname}`];
  if (!route) {
    const name = join(folder, url.pathname === '/' ? 'index.html' : url.pathname);
    if (!existsSync(name)) { response.writeHead(404).end(); return; }
    response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream', 'content-security-policy': POLICY, 'cache-control': 'immutable', 'content-encoding': 'gzip' });
    response.end(gzipSync(readFileSync(name)));
    return;
  }
  let text = '';
  for await (const part of request) text += part;
  try {
    const answer = await route(request.method === 'GET' ? url.searchParams : JSON.parse(text));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  } catch (error) {
    const problem = error.problem ?? { type: 'about:blank', title: 'A fault of the mock', status: 500, detail: String(error), code: 'internal' };
    response.writeHead(problem.status, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify(problem));
  }
}).listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/`));
