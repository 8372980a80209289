// The cache that fetches robots.txt: the rules are the module's, the requests are JavaScript's.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test from 'node:test';
import { AbideError, RobotsCache } from 'abide-robots';
import { bounded, failed } from '../dist/module.js';

const USER_AGENT = 'ExampleBot/1.0 (+https://bot.example/)';
const FILE = 'User-agent: ExampleBot\nDisallow: /x\nCrawl-delay: 5\n';
const HOUR = 3_600_000;

/** A cache, and what it has asked for. `answer` is called for each request. */
function cacheWith(answer, options) {
  const asked = [];
  const fetch = async (url, init) => {
    asked.push({ url, ...init.headers });
    assert.equal(init.redirect, 'manual');
    return answer(url, init, asked.length);
  };
  return { asked, cache: new RobotsCache(USER_AGENT, { fetch, ...options }) };
}

const file = (headers = {}) => new Response(FILE, { headers });
const status = (code, headers = {}) => new Response(null, { status: code, headers });
const allows = (cache, path = '/x', host = 'a.example') => cache.allows(`https://${host}${path}`);
const clock = (t) => t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });

test('a file is fetched once, whoever asks at once, and says who asks', async () => {
  const { asked, cache } = cacheWith(() => file());
  const answers = await Promise.all([allows(cache), allows(cache, '/y'), allows(cache, '/x/z')]);
  assert.deepEqual(answers, [false, true, false]);
  assert.equal(await allows(cache, '/x', 'A.example:443'), false);
  assert.equal(await allows(cache, '/x', 'a.example.'), false);
  assert.deepEqual(asked, [{ url: 'https://a.example/robots.txt', 'User-Agent': USER_AGENT }]);
  const decision = await cache.decide('https://a.example/x/../x#part');
  assert.equal(decision.retrieval.state, 'fresh');
  assert.match(decision.retrieval.sha256, /^[0-9a-f]{64}$/);
  assert.equal(decision.crawl_delay, 5);
  assert.equal(decision.usages.crawl.evidence[0].line, 2);
});

test('a status opens or closes a site', async () => {
  for (const [code, isOpen] of [[200, true], [204, true], [404, true], [410, true], [429, false], [500, false], [503, false], [304, false], [206, false]]) {
    const { cache } = cacheWith(() => (code === 200 ? file() : status(code)));
    assert.equal(await allows(cache, '/y'), isOpen, `status ${code}`);
  }
});

test('redirects are followed hop by hop, and the file is that of the first site', async () => {
  const moved = (to) => status(301, { Location: to });
  const { asked, cache } = cacheWith((url) => (url.includes('www') ? file() : moved('//www.a.example/r')));
  assert.equal(await allows(cache), false);
  assert.deepEqual(asked.map(({ url }) => url), ['https://a.example/robots.txt', 'https://www.a.example/r']);
  for (const [to, isOpen, requests] of [
    [(url) => `${url}0`, true, 6],
    [() => 'https://a.example/robots.txt', true, 1],
    [() => 'file:///etc/passwd', false, 1],
    [() => 'http://127.0.0.1/', false, 1],
    [() => 'http://localhost/', false, 1],
  ]) {
    const { asked: sent, cache: other } = cacheWith((url) => moved(to(url)));
    assert.equal(await allows(other), isOpen, String(to));
    assert.equal(sent.length, requests, String(to));
  }
});

test('private addresses are not asked', async () => {
  const { asked, cache } = cacheWith(() => file());
  for (const host of ['127.0.0.1', '10.0.0.1:8080', '[::1]', 'localhost', 'router.local']) {
    assert.equal(await allows(cache, '/y', host), false, host);
  }
  assert.deepEqual(asked, []);
});

test('a file is renewed when it expires, with its validators', async (t) => {
  clock(t);
  const { asked, cache } = cacheWith((_, __, count) =>
    count === 1 ? file({ ETag: '"1"', 'Cache-Control': 'max-age=7200' }) : status(304),
  );
  assert.equal(await allows(cache), false);
  t.mock.timers.tick(HOUR);
  assert.equal(await allows(cache), false);
  assert.equal(asked.length, 1);
  t.mock.timers.tick(HOUR);
  assert.equal(await allows(cache), false);
  assert.deepEqual(asked.map((one) => one['If-None-Match']), [undefined, '"1"']);
  const { retrieval } = await cache.decide('https://a.example/');
  assert.deepEqual([retrieval.fetched_at, retrieval.checked_at], ['2026-01-01T00:00:00Z', '2026-01-01T02:00:00Z']);
});

test('a site that fails is closed until it answers, or until the grace period is over', async (t) => {
  clock(t);
  let isDown = false;
  const { asked, cache } = cacheWith(() => (isDown ? status(503) : file()), { grace: 48 * 3600 });
  assert.equal(await allows(cache, '/y'), true);
  isDown = true;
  t.mock.timers.tick(25 * HOUR);
  const { retrieval, usages } = await cache.decide('https://a.example/y');
  assert.deepEqual([retrieval.state, usages.crawl.outcome], ['unreachable', 'prohibited']);
  assert.equal(retrieval.sha256, undefined, 'the copy does not apply');
  const before = asked.length;
  assert.equal(await allows(cache, '/y'), false);
  assert.equal(asked.length, before, 'the site is not asked again at once');
  for (let hour = 0; hour < 49; hour += 1) {
    t.mock.timers.tick(HOUR);
    await allows(cache, '/y');
  }
  assert.deepEqual([await allows(cache, '/y'), await allows(cache, '/x')], [true, false], 'the last copy counts');
  isDown = false;
  t.mock.timers.tick(HOUR);
  assert.equal((await cache.decide('https://a.example/y')).retrieval.state, 'fresh');
});

test('a failure has a cause, and what this machine lacks is not kept', async () => {
  const failure = (code, wrap = (error) => Object.assign(new TypeError('fetch failed'), { cause: error })) => () => {
    throw wrap(Object.assign(new Error(code), { code }));
  };
  const broken = () => new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) }));
  const several = (error) => new AggregateError([error], 'all failed');
  for (const [answer, cause] of [
    [failure('ENOTFOUND'), 'the name did not resolve'],
    [failure('ECONNREFUSED', several), 'no connection'],
    [failure('CERT_HAS_EXPIRED'), 'no secure connection'],
    [failure('UND_ERR_HEADERS_TIMEOUT'), 'no answer in time'],
    [failure('SOMETHING'), 'unreadable answer'],
    [() => { throw 'no error'; }, 'unreadable answer'],
    [broken, 'the body ended early'],
    [() => new Promise(() => {}), 'no answer in time'],
  ]) {
    const { asked, cache } = cacheWith(answer, { timeout: 0.02 });
    const [evidence] = (await cache.decide('https://a.example/y')).usages.crawl.evidence;
    assert.equal(evidence.cause, cause, String(answer));
    assert.equal(await allows(cache, '/y'), false);
    assert.equal(asked.length, 1, String(answer));
  }
  const { asked, cache } = cacheWith((_, __, count) => (count === 1 ? failure('EMFILE')() : file()));
  assert.deepEqual([await allows(cache, '/y'), await allows(cache, '/y')], [false, true]);
  assert.equal(asked.length, 2);
});

test('a body is read as far as it is parsed', async () => {
  let sent = 0;
  let isCancelled = false;
  const endless = new ReadableStream({
    pull(stream) {
      sent += 1 << 16;
      stream.enqueue(new Uint8Array(1 << 16).fill(0x0a));
    },
    cancel() {
      isCancelled = true;
    },
  });
  const { cache } = cacheWith(() => new Response(endless));
  const { retrieval } = await cache.decide('https://a.example/');
  assert.equal(retrieval.cut, true);
  assert(isCancelled && sent < 1 << 20);
});

test('who waits may give up, and the last one ends the request', async () => {
  let signal;
  let answer;
  const { cache } = cacheWith((_, init) => {
    signal = init.signal;
    return new Promise((resolve) => (answer = () => resolve(file())));
  });
  const url = 'https://a.example/y';
  const [one, two] = [new AbortController(), new AbortController()];
  const waiting = [cache.allows(url, one), cache.allows(url, two)];
  await new Promise(setImmediate);
  one.abort(new Error('enough'));
  await assert.rejects(waiting[0], /enough/);
  assert.equal(signal.aborted, false);
  two.abort();
  await assert.rejects(waiting[1], { name: 'AbortError' });
  assert.equal(signal.aborted, true);
  assert.equal(cache.sites, 0);
  const later = cache.allows(url);
  await new Promise(setImmediate);
  answer();
  assert.equal(await later, true);
  await assert.rejects(cache.allows(url, { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('where redirects cannot be seen, there is an error and no answer', async () => {
  const hidden = { status: 0, type: 'opaqueredirect', headers: new Headers(), body: null };
  const followed = { status: 200, redirected: true, headers: new Headers(), body: null };
  for (const answer of [hidden, followed]) {
    const { cache } = cacheWith(() => answer);
    await assert.rejects(allows(cache), (error) => error instanceof AbideError && error.code === 'redirect-hidden');
  }
});

test('memory is bounded by the bytes of files', async () => {
  const { cache } = cacheWith(() => new Response(`${FILE}#${' '.repeat(10_000)}`), { memory: 1 << 18, timeout: Number.POSITIVE_INFINITY });
  for (let site = 0; site < 50; site += 1) assert.equal(await allows(cache, '/x', `s${site}.example`), false);
  assert(cache.sites > 5 && cache.sites < 15, `${cache.sites} sites`);
});

test('what is known survives a trap, and whoever frees a policy', async () => {
  const { asked, cache } = cacheWith(() => file());
  const policy = await cache.policy('https://a.example/');
  try {
    bounded().exports.trap();
  } catch (cause) {
    failed(cause);
  }
  assert.equal(policy.allows('/x'), false);
  assert.equal(policy.decide('/x').retrieval.state, 'fresh');
  policy.free();
  assert.equal(await allows(cache), false);
  assert.equal(asked.length, 1);
});

test('wrong arguments are refused', async () => {
  for (const [make, code, pointer] of [
    [() => new RobotsCache(), 'invalid-agent', '/userAgent'],
    [() => new RobotsCache('a\nb'), 'invalid-agent', '/userAgent'],
    [() => new RobotsCache(USER_AGENT, { fetch: 1 }), 'invalid-request', '/fetch'],
    [() => new RobotsCache(USER_AGENT, { memory: 0 }), 'invalid-request', '/memory'],
    [() => new RobotsCache(USER_AGENT, { timeout: Number.NaN }), 'invalid-request', '/timeout'],
    [() => new RobotsCache(USER_AGENT, { grace: -1 }), 'invalid-request', '/grace'],
    [() => new RobotsCache(USER_AGENT, { max_lifetime: '1' }), 'invalid-request', '/max_lifetime'],
    [() => new RobotsCache(USER_AGENT, { grace: 1n }), 'invalid-request', ''],
    [() => new RobotsCache(USER_AGENT, { grac: 1 }), 'invalid-request', '/grac'],
    [() => new RobotsCache(USER_AGENT, { agent: ['a', 'b c'] }), 'invalid-agent', '/agent/1'],
  ]) {
    assert.throws(make, (error) => error instanceof AbideError && error.code === code && error.pointer === pointer, String(make));
  }
  const cache = new RobotsCache(USER_AGENT);
  for (const url of [undefined, '/x', 'mailto:a@b.example', 'https://\ud800/']) {
    await assert.rejects(cache.allows(url), (error) => error instanceof AbideError && error.code === 'invalid-url', String(url));
  }
});

test('the fetch of the platform does not follow redirects', async (t) => {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push([request.url, request.headers['user-agent']]);
    if (request.url === '/robots.txt') response.writeHead(302, { Location: '/file' }).end();
    else response.writeHead(200, { 'Content-Type': 'text/plain' }).end(FILE);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const site = `http://127.0.0.1:${server.address().port}`;
  const cache = new RobotsCache(USER_AGENT, { allow_private: true });
  assert.deepEqual([await cache.allows(`${site}/x`), await cache.allows(`${site}/y`)], [false, true]);
  assert.deepEqual(asked, [['/robots.txt', USER_AGENT], ['/file', USER_AGENT]]);
  server.closeAllConnections();
});
