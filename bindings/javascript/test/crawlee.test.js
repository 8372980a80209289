// Real Crawlee, on loopback.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { BasicCrawler } from '@crawlee/basic';
import { AbideError, RobotsCache } from 'abide-robots';
import { RobotsTxtFile, respectRobots } from 'abide-robots/crawlee';

const EXAMPLE = fileURLToPath(new URL('../examples/crawlee.js', import.meta.url));
const FILE = 'User-agent: *\nDisallow: /\n\nUser-agent: ExampleBot\nDisallow: /private/\nCrawl-delay: 90\nSitemap: https://a.example/s.xml\n';

/** A site that notes what is asked of it. */
async function site(t, robots, page = '') {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    if (request.url !== '/robots.txt') {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
    } else if (typeof robots === 'number') {
      response.writeHead(robots).end();
    } else {
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end(robots);
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, asked };
}

/** Runs the example, and returns what it prints. */
async function example(...urls) {
  const environment = { ...process.env, ALLOW_PRIVATE: '1', CRAWLEE_LOG_LEVEL: 'ERROR' };
  const child = spawn(process.execPath, [EXAMPLE, ...urls], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (piece) => (printed += piece));
  const status = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(status, 0);
  // Crawlee reports a link that it skips twice: as a link, and as a request.
  return [...new Set(printed.split('\n').filter((line) => /^(crawled|skipped) /.test(line)))].sort();
}

test('the example crawls what the group of its robot allows, and no site whose file cannot be had', async (t) => {
  const closed = await site(t, 503);
  const missing = await site(t, 404);
  const links = ['/public', '/private/x', `${closed.url}/y`, `${missing.url}/z`];
  const open = await site(t, FILE, links.map((link) => `<a href="${link}">x</a>`).join(''));
  const printed = await example(`${open.url}/`);
  assert.deepEqual(
    printed,
    [
      `crawled ${open.url}/`,
      `crawled ${open.url}/public`,
      `crawled ${missing.url}/z`,
      `skipped ${open.url}/private/x (robotsTxt)`,
      `skipped ${closed.url}/y (robotsTxt)`,
    ].sort(),
  );
  assert.deepEqual([...new Set(open.asked)].sort(), ['/', '/public', '/robots.txt']);
  assert.deepEqual([...new Set(closed.asked)], ['/robots.txt']);
  assert.equal(open.asked.filter((path) => path === '/robots.txt').length, 1);
});

/** A cache whose sites have these files. */
const cache = (file = FILE) => new RobotsCache('ExampleBot/1.0', { fetch: async () => new Response(file) });

test('the delay between requests to a site is what its file asks for', async (t) => {
  const crawler = respectRobots(new BasicCrawler({ requestHandler() {} }), cache());
  await crawler.getRobotsTxtFileForUrl('http://www.a.example/');
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 1_000_000 });
  const reclaimed = [];
  const source = { reclaimRequest: async ({ url }) => reclaimed.push(url) };
  const waits = (url) => crawler.delayRequest({ url }, source);
  assert.deepEqual([waits('http://www.a.example/1'), waits('http://www.a.example/2')], [false, true]);
  t.mock.timers.tick(89_999);
  assert.deepEqual(reclaimed, []);
  t.mock.timers.tick(1);
  assert.deepEqual(reclaimed, ['http://www.a.example/2']);
  assert.equal(waits('http://www.a.example/2'), false);
  // Until the file of a site is known, a second.
  assert.deepEqual([waits('http://b.example/1'), waits('http://b.example/2')], [false, true]);
  t.mock.timers.tick(1000);
  assert.equal(reclaimed.at(-1), 'http://b.example/2');
  // A longer delay of the crawler stays.
  const slow = respectRobots(new BasicCrawler({ requestHandler() {}, sameDomainDelaySecs: 3600 }), cache());
  await slow.getRobotsTxtFileForUrl('http://www.a.example/');
  assert.deepEqual([1, 2].map((at) => slow.delayRequest({ url: `http://www.a.example/${at}` }, source)), [false, true]);
  t.mock.timers.tick(90_000);
  assert.equal(slow.delayRequest({ url: 'http://www.a.example/3' }, source), true);
});

test('a file has the functions of that of Crawlee', async () => {
  const file = await RobotsTxtFile.find('https://a.example/x', cache());
  assert.equal(file.url, 'https://a.example/robots.txt');
  assert.deepEqual(file.getSitemaps(), ['https://a.example/s.xml']);
  assert.equal(file.crawlDelay, 90);
  // The name of the cache counts, and another site is asked about elsewhere.
  assert.equal(file.isAllowed('https://a.example/public', '*'), true);
  assert.equal(file.isAllowed('https://a.example/private/x'), false);
  assert.equal(file.isAllowed('https://b.example/private/x'), true);
});

test('what is no crawler of Crawlee is refused', () => {
  assert.throws(() => respectRobots({}, cache()), (error) => error instanceof AbideError && error.pointer === '/crawler');
});
