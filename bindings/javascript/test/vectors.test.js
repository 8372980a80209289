// The conformance vectors that ask for decisions, through the public API.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { checks } from './vector-checks.js';

const FOLDER = new URL('../../../vectors/json/', import.meta.url);

const vectors = readdirSync(FOLDER).flatMap((file) =>
  JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')).map((vector) => ({ file, ...vector })),
);

for (const [table, check] of Object.entries(checks)) {
  const asked = vectors.filter((vector) => vector.table === table);
  test(`${table}: ${asked.length} vectors`, async (t) => {
    assert(asked.length > 50);
    for (const vector of asked) {
      try {
        check(vector);
      } catch (error) {
        await t.test(`${vector.file}: ${vector.id} ${vector.name}`, () => {
          throw error;
        });
      }
    }
  });
}

/** Questions about parts of the engine, which no program asks, and about fetching. */
test('the other tables are known', () => {
  const others = new Set(vectors.map((vector) => vector.table).filter((table) => !(table in checks)));
  assert.deepEqual([...others].sort(), ['normal', 'parse', 'retrieval', 'scope', 'structured', 'token']);
});
