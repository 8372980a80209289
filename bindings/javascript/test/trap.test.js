// What comes after a bug of the module.

import assert from 'node:assert/strict';
import test from 'node:test';
import { AbideError, Policy, lint } from 'abide-robots';
import { bounded, current, failed } from '../dist/module.js';

test('a trap costs one answer, and no policy', () => {
  const policy = new Policy('User-agent: *\nDisallow: /x\n', 'f');
  const broken = bounded();
  let error;
  try {
    broken.exports.trap();
  } catch (cause) {
    error = failed(cause);
  }
  assert(error instanceof AbideError);
  assert.equal(error.code, 'module-failed');
  assert(error.cause instanceof WebAssembly.RuntimeError);
  assert.equal(policy.allows('/x'), false);
  assert.equal(policy.decide('/y').usages.crawl.outcome, 'permitted');
  assert.notEqual(current(), broken);
  assert.equal(lint('Disallow: /x\n').length > 0, true);
  policy.free();
});
