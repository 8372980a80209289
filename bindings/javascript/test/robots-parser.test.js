// The test suite of robots-parser, run against the drop-in. It comes from npm and is not part of this repository.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test, { describe, it } from 'node:test';
import robotsParser from 'abide-robots/robots-parser';

/** Tests that the drop-in answers otherwise. docs/javascript.md says why. */
const DIFFERENT = ['should handle Unicode and urlencoded paths', 'should handle lone high / low surrogates'];

const require = createRequire(import.meta.url);
const path = require.resolve('robots-parser');
require(path);
require.cache[path].exports = robotsParser;

let asked = 0;
globalThis.describe = describe;
globalThis.it = (name, run) => {
  asked += 1;
  it(name, () => {
    if (DIFFERENT.includes(name)) assert.throws(run, 'it passes: leave it out of the list');
    else run();
  });
};
require('robots-parser/test/Robots.js');

test('the suite was found, and nothing is listed that it does not have', () => assert(asked > 35));

test('what differs is the text of RFC 9309', () => {
  const site = 'http://e.example/robots.txt';
  // 2.2.2: a reserved octet is the same as its percent-encoded form.
  const encoded = robotsParser(site, 'User-agent: *\nDisallow: /http%3A%2F%2Fe.example');
  assert.equal(encoded.isAllowed('http://e.example/http:%2F%2Fe.example'), false);
  // 2.2.1: groups of one name are one group, and names are compared as they are written.
  const groups = robotsParser(site, 'User-agent: a\nDisallow: /x\n\nUser-agent: b\nAllow: /\n\nUser-agent: A\nDisallow: /y');
  assert.deepEqual(['/x', '/y', '/z'].map((url) => groups.isAllowed(new URL(url, site).href, 'a/2.0')), [false, false, true]);
  // 2.2.4: other records end no group.
  const others = robotsParser(site, 'User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /x');
  assert.equal(others.isAllowed('http://e.example/x', 'a'), false);
  assert.deepEqual([others.getCrawlDelay('a'), others.getCrawlDelay('b')], [1, undefined]);
  // 2.2.2: the most octets, not the most characters.
  const octets = robotsParser(site, 'User-agent: *\nDisallow: /\u00e9\nAllow: /*9');
  assert.equal(octets.isAllowed('http://e.example/%C3%A99'), false);
});

test('arguments are those of robots-parser', () => {
  assert.equal(robotsParser('http://e.example/robots.txt', undefined).isAllowed('http://e.example/'), true);
  const robots = robotsParser('http://e.example/robots.txt', 'User-agent: *\nDisallow: /x');
  for (const name of ['', 'a b', '@search', '\ud800', '*', 'constructor', 'x'.repeat(1000)]) {
    assert.equal(robots.isAllowed('http://e.example/x', name), false, name);
  }
  for (let at = 0; at < 200; at += 1) assert.equal(robots.isAllowed('http://e.example/y', `robot-${at}`), true);
});
