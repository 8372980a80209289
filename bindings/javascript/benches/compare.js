// Compares the built package with robots-parser, in one run. Prints CPU time and ratios.
//
//     node --expose-gc benches/compare.js [FOLDER]
//
// FOLDER has files, or folders with a robots.txt [default: three files that this program makes].

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Policy, allows } from 'abide-robots';
import robotsParser from 'robots-parser';

const AGENT = 'ExampleBot';
const SITE = 'https://example.com';
const URLS_A_FILE = 40;
const ROUNDS = 5;
const WORDS = ['news', 'search', 'user', 'shop', 'item', 'tag', 'private', 'img', 'page', 'admin'];

function made(rules) {
  const lines = ['User-agent: OtherBot', 'Disallow: /', '', 'User-agent: *'];
  for (let at = 0; at < rules; at += 1) lines.push(at % 4 ? `Disallow: /private/${at}/` : `Disallow: /*/shop/${at}*.pdf$`);
  return [...lines, 'Allow: /private/press/', ''].join('\n');
}

function files(folder) {
  if (folder === undefined) return [5, 30, 300].map(made);
  const paths = readdirSync(folder).map((name) => join(folder, name));
  const found = paths.map((path) => (statSync(path).isDirectory() ? join(path, 'robots.txt') : path));
  return found.map((path) => readFileSync(path, 'utf8')).filter((text) => /disallow/i.test(text));
}

/** Three of four URLs are made of a pattern of the file, one of words. */
function urls(text) {
  const patterns = Array.from(text.matchAll(/^\s*(?:dis)?allow\s*:\s*(\/[^\s#$]*)/gim), ([, pattern]) => pattern);
  return Array.from({ length: URLS_A_FILE }, (_, at) => {
    const [one, two] = [WORDS[(at * 7) % 10], WORDS[(at * 3 + 1) % 10]];
    const pattern = patterns[(at * 31) % patterns.length];
    const path = at % 4 === 3 || pattern === undefined ? `/${one}/${two}/${at}` : `${pattern.replaceAll('*', one)}${two}`;
    return new URL(path, SITE).href;
  });
}

/** Milliseconds of CPU that a call takes, at best. */
function best(call, rounds) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    globalThis.gc?.();
    const before = process.cpuUsage();
    call();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

function compare(name, questions, ours, theirs, rounds = ROUNDS) {
  const [mine, other] = [best(ours, rounds), best(theirs, Math.min(rounds, 3))];
  const each = (time) => `${((time * 1e6) / questions).toFixed(0).padStart(11)} ns`;
  console.log(`${name.padEnd(34)}${each(mine)}${each(other)}${(other / mine).toFixed(1).padStart(8)} x`);
}

const all = files(process.argv[2]).map((text) => ({ text, urls: urls(text) }));
const count = all.length * URLS_A_FILE;
const policies = all.map((file) => ({ ...file, policy: new Policy(file.text, AGENT) }));
const parsers = all.map((file) => ({ ...file, robots: robotsParser(`${SITE}/robots.txt`, file.text) }));

let differ = 0;
for (const [at, { policy, urls }] of policies.entries()) {
  for (const url of urls) differ += Number(policy.allows(url) !== parsers[at].robots.isAllowed(url, AGENT));
}
console.log(`${all.length} files, ${count} URLs; ${differ} answers differ\n`);
console.log(`${'a question'.padEnd(34)}${'abide'.padStart(14)}${'robots-parser'.padStart(14)}`);
compare(
  'cold: one question of a file',
  all.length,
  () => all.forEach(({ text, urls }) => allows(text, AGENT, urls[0])),
  () => all.forEach(({ text, urls }) => robotsParser(`${SITE}/robots.txt`, text).isAllowed(urls[0], AGENT)),
);
compare(
  'warm: further questions',
  count,
  () => policies.forEach(({ policy, urls }) => urls.forEach((url) => policy.allows(url))),
  () => parsers.forEach(({ robots, urls }) => urls.forEach((url) => robots.isAllowed(url, AGENT))),
);
compare(
  'allowsMany: a list of questions',
  count,
  () => policies.forEach(({ policy, urls }) => policy.allowsMany(urls)),
  () => parsers.forEach(({ robots, urls }) => urls.map((url) => robots.isAllowed(url, AGENT))),
);
const hostile = `User-agent: *\nDisallow: /${'*a'.repeat(250_000)}b\n`;
const long = `${SITE}/${'a'.repeat(8_000)}`;
compare(
  'hostile: 500 KB of wildcards',
  1,
  () => allows(hostile, AGENT, long),
  () => robotsParser(`${SITE}/robots.txt`, hostile).isAllowed(long, AGENT),
  1,
);
