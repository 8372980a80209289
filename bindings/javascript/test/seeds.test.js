// The files of all vectors, and hostile ones, through every tool: none makes the module fail.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import * as abide from 'abide-robots';

const FOLDER = new URL('../../../vectors/json/', import.meta.url);
const read = (file) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
const texts = readdirSync(FOLDER).flatMap(read).map(({ robots }) => robots);
const seeds = [...new Set(texts.filter((text) => text !== undefined && text.length < 4_096))];

const KIB = 512_000;
const hostile = [
  `User-agent: *\nDisallow: /${'*a'.repeat(KIB / 2)}b\n`,
  `User-agent: *\n${'Disallow: /*a*b*c$\n'.repeat(KIB / 20)}`,
  'User-agent: f\n'.repeat(KIB / 14),
  Array.from({ length: KIB / 40 }, (_, at) => `User-agent: bot${at}\nDisallow: /${at}\n`).join(''),
  '\r\n'.repeat(KIB / 2),
  `Content-Usage: ${'train-ai=n, '.repeat(KIB / 12)}\n`,
  new Uint8Array(KIB).fill(0),
  new Uint8Array(KIB).fill(0xff),
  Uint8Array.from({ length: 4_096 }, (_, at) => (at * 31) % 256),
];

/** Asks, and lets only what the contract refuses pass. */
function asked(call) {
  try {
    call();
  } catch (error) {
    assert(error instanceof abide.AbideError, String(error?.stack));
    assert.notEqual(error.code, 'module-failed', String(error.cause?.stack));
  }
}

const agents = ['f', 'GPTBot', '*'];
const tools = {
  policy: (body) => new abide.Policy(body, agents.slice(0, 2), { preferences: {} }).decide('https://e.example/a'),
  lint: (body) => abide.lint(body),
  fix: (body) => abide.fix(body, { safety: 'unsafe' }),
  fmt: (body) => abide.fmt(body),
  explain: (body) => abide.explain(body, agents, { urls: ['/a', '/'], preferences: {} }),
  matrix: (body) => abide.matrix(body, { agents }),
  convert: (body) => ['acap', 'robots', 'content-usage', 'tdmrep'].map((to) => asked(() => abide.convert(body, to))),
};

for (const [name, tool] of Object.entries(tools)) {
  test(`${name}: ${seeds.length} seeds`, () => {
    assert(seeds.length > 800);
    for (const body of seeds) asked(() => tool(body));
  });
}

test(`diff: ${seeds.length} seeds`, () => {
  seeds.forEach((body, at) => asked(() => abide.diff(body, seeds[(at * 7) % seeds.length], { agents })));
});

test('hostile files of 500 KB', () => {
  for (const [at, body] of hostile.entries()) {
    for (const [name, tool] of Object.entries(tools)) {
      const began = performance.now();
      asked(() => tool(body));
      const took = performance.now() - began;
      assert(took < 60_000, `${name} of file ${at} took ${took} ms`);
    }
  }
});
