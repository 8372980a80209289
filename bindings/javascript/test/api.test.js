// Every function of the API, and what it says about wrong arguments.

import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import * as abide from 'abide-robots';

const { AbideError, Policy } = abide;
const FILE = 'User-agent: *\nDisallow: /private/\nAllow: /private/press/\n';
const text = (body) => new TextEncoder().encode(body);

/** Checks that a call is refused with this code and pointer. */
function refused(call, code, pointer) {
  let error;
  try {
    call();
  } catch (thrown) {
    error = thrown;
  }
  assert(error instanceof AbideError, `${call}: ${error?.stack ?? 'nothing was thrown'}`);
  assert.deepEqual([error.code, error.pointer], [code, pointer], `${call}: ${error.message}`);
  assert(error.message.length > 10 && error.remedy.length > 5);
}

test('allows decides once', () => {
  assert.equal(abide.allows(FILE, 'ExampleBot', 'https://example.com/private/x'), false);
  assert.equal(abide.allows(text(FILE), ['OtherBot', 'ExampleBot'], new URL('https://example.com/private/press/x')), true);
  assert.equal(abide.allows('', '*', '/'), true);
  // The names in a whole User-Agent line are looked for in the file.
  const line = 'Mozilla/5.0 (compatible; ExampleBot/2.1; +https://bot.example/)';
  for (const group of ['ExampleBot', 'Mozilla', 'OtherBot']) {
    const file = `User-agent: ${group}\nDisallow: /\n`;
    assert.equal(abide.allows(file, line, '/x'), new Policy(file, line).allows('/x'), group);
  }
});

test('a policy answers many questions', () => {
  const policy = new Policy(FILE, 'ExampleBot');
  assert.equal(policy.allows('/private/x'), false);
  assert.equal(policy.allows(new URL('https://e.example/private/press/x')), true);
  const urls = ['/', '/private/x', 'example.com', null, '/ä', '/a\0b', '/private/\ud800', new URL('https://e.example/private/')];
  assert.deepEqual(policy.allowsMany(urls), [true, false, null, null, true, null, null, false]);
  assert.deepEqual(policy.allowsMany(new Set(urls.slice(0, 2))), [true, false]);
  assert.deepEqual(policy.allowsMany([]), []);
  const decision = policy.decide('https://e.example/private/x');
  assert.equal(decision.usages.crawl.outcome, 'prohibited');
  assert.equal(decision.usages.crawl.evidence[0].line, 2);
  assert.equal(decision.agent, 'ExampleBot');
});

test('a page has fields in every form, bytes or text, and instants', () => {
  const policy = new Policy('', 'ExampleBot');
  const fields = [['X-Robots-Tag', 'noindex']];
  for (const headers of [fields, new Headers(fields), new Map(fields), { 'x-robots-tag': ['noindex'] }, { 'x-robots-tag': 'noindex', other: undefined }]) {
    assert.deepEqual(policy.decide('/', { headers }).tags, { noindex: true });
  }
  const html = '<meta name="robots" content="max-snippet:5">';
  for (const source of [html, text(html), text(html).buffer]) {
    assert.deepEqual(policy.decide('/', { html: source, now: new Date() }).tags, { 'max-snippet': '5' });
  }
  assert.deepEqual(abide.tags('ExampleBot', { html, headers: fields }), { 'max-snippet': '5', noindex: true });
});

test('preferences are what a site asks', () => {
  const asked = abide.preferences('User-agent: *\nContent-Usage: train-ai=n\nAllow: /\n', 'ExampleBot', 'https://e.example/');
  assert.deepEqual(asked['content-usage'].words, { 'train-ai': 'n' });
  assert.deepEqual(asked['content-usage'].usages.train, 'prohibited');
});

test('the tools answer as the commands do', () => {
  const [finding] = abide.lint('User-agent: *\nDisallow /x\n', { select: 'missing-colon' });
  assert.deepEqual([finding.code, finding.line, finding.file], ['missing-colon', 2, 'robots.txt']);
  assert.deepEqual(abide.lint(FILE), []);
  const ofPage = abide.lint(null, { headers: { 'X-Robots-Tag': 'noidex' } });
  assert.equal(ofPage[0].file, 'the response');
  const fixed = abide.fix('User-agent: *\nDisallow /x\n', { safety: 'unsafe' });
  assert.deepEqual([fixed.robots, fixed.fixed], ['User-agent: *\nDisallow: /x\n', 1]);
  assert(abide.fix(text(FILE)).robots instanceof Uint8Array);
  assert.equal(abide.fmt('user-agent:*\ndisallow : /x'), 'User-agent: *\nDisallow: /x\n');
  assert.deepEqual(abide.fmt(text('user-agent:*')), text('User-agent: *\n'));
  // A second byte order mark is text, and stays in both forms.
  const marked = '\ufeff\ufeffuser-agent:*';
  assert.equal(abide.fmt(marked), new TextDecoder('utf-8', { ignoreBOM: true }).decode(abide.fmt(text(marked))));
  const [explained] = abide.explain(FILE, 'ExampleBot', { urls: ['/private/x'] });
  assert.equal(explained.robot, 'ExampleBot');
  assert.equal(explained.pages[0].outcomes.crawl, 'prohibited');
  const many = abide.explain(FILE, ['GPTBot', '*'], { urls: Array.from({ length: 20 }, (_, at) => `/${at}`) });
  assert.equal(many[1].tally.pages, 20);
  const change = abide.diff(FILE, 'User-agent: *\nDisallow: /\n', { urls: '/x', agents: '*' });
  assert.equal(change.equivalent, false);
  assert.equal(change.urls.changed.length, 1);
  const { kinds } = abide.matrix('User-agent: GPTBot\nDisallow: /\n', { agents: 'GPTBot,Bingbot' });
  const rows = kinds.flatMap(({ robots }) => robots.map(({ name, access }) => `${name} ${access}`));
  assert.deepEqual(rows, ['Bingbot allowed', 'GPTBot closed']);
  const cases = '[[case]]\nname = "drafts"\nagent = "Googlebot"\nurl = "/private/x"\ncrawl = "disallowed"\n';
  assert.deepEqual([abide.test(FILE, cases).passed, abide.test('', cases).failed], [1, 1]);
  const converted = abide.convert('User-agent: *\nContent-Signal: ai-train=no\n', 'content-usage');
  assert.match(converted.converted, /Content-Usage: train-ai=n/);
  assert.equal(abide.convert(null, 'robots-tag', { headers: { 'X-Robots-Tag': 'noindex' } }).converted, 'Robots-Tag: *;noindex\n');
  const known = abide.knownRobots();
  assert(known.length > 100 && known.some((robot) => robot.token === 'GPTBot' && robot.operator === 'OpenAI'));
});

test('tools take the members that the service takes', () => {
  const tdmrep = '[{"location": "/*", "tdm-reservation": 1}]';
  const preferences = { vocabularies: ['tdmrep'], tdmrep };
  const asked = { agents: 'GPTBot', site: 'https://e.example/', file: 'draft', preferences };
  const matrix = abide.matrix('', asked);
  assert.equal(matrix.file, 'draft');
  const [train] = matrix.kinds[0].robots[0].preferences;
  assert.deepEqual([train.usage, train.outcome], ['train', 'prohibited']);
  const cases = '[[case]]\nname = "x"\nagent = "GPTBot"\nurl = "/x"\ntrain = "disallowed"\n';
  assert.equal(abide.test('', cases, { preferences }).passed, 1);
  const rendered_html = '<meta name="robots" content="noindex">';
  assert.equal(abide.convert(null, 'robots-tag', { rendered_html }).converted, 'Robots-Tag: *;noindex\n');
});

test('bytes are those of the view, whatever is around it', () => {
  const whole = text(`junk\n${FILE}junk`);
  const view = whole.subarray(5, 5 + FILE.length);
  const shared = new Uint8Array(new SharedArrayBuffer(whole.length));
  shared.set(whole);
  const bodies = [
    view,
    Buffer.from(FILE),
    new DataView(whole.buffer, 5, FILE.length),
    shared.subarray(5, 5 + FILE.length),
    text(FILE).buffer,
  ];
  for (const body of bodies) {
    const found = new Policy(body, 'f').decide('/private/x').usages.crawl.evidence[0];
    assert.deepEqual([found.line, found.statement], [2, 'Disallow: /private/']);
  }
  // A policy has its own copy.
  const policy = new Policy(view, 'f');
  view.fill(0x20);
  assert.equal(policy.allows('/private/x'), false);
});

test('wrong arguments are refused with code and pointer', () => {
  const policy = new Policy(FILE, 'f');
  const detached = text(FILE);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  const resizable = new ArrayBuffer(8, { maxByteLength: 8 });
  const outside = new Uint8Array(resizable, 4);
  const fixedOutside = new Uint8Array(resizable, 4, 4);
  resizable.resize(2);
  const circle = {};
  circle.circle = circle;
  for (const [call, code, pointer] of [
    [() => new Policy(), 'invalid-robots', '/robots'],
    [() => new Policy(1, 'f'), 'invalid-robots', '/robots'],
    [() => new Policy({}, 'f'), 'invalid-robots', '/robots'],
    [() => new Policy('\ud800', 'f'), 'invalid-robots', '/robots'],
    [() => new Policy(detached, 'f'), 'invalid-robots', '/robots'],
    [() => new Policy(detached.buffer, 'f'), 'invalid-robots', '/robots'],
    [() => new Policy(outside, 'f'), 'invalid-robots', '/robots'],
    [() => new Policy(fixedOutside, 'f'), 'invalid-robots', '/robots'],
    [() => new Policy(new Uint8Array(65 << 20), 'f'), 'invalid-robots', '/robots'],
    [() => new Policy(''), 'invalid-request', '/agent'],
    [() => new Policy('', 1), 'invalid-request', '/agent'],
    [() => new Policy('', null), 'invalid-request', '/agent'],
    [() => new Policy('', 'Bot2'), 'invalid-agent', '/agent'],
    [() => new Policy('', ['a', 'b c']), 'invalid-agent', '/agent/1'],
    [() => new Policy('', 'f', 1), 'invalid-request', ''],
    [() => new Policy('', 'f', null), 'invalid-request', ''],
    [() => new Policy('', 'f', []), 'invalid-request', ''],
    [() => new Policy('', 'f', { purpose: [] }), 'invalid-request', '/purpose'],
    [() => new Policy('', 'f', { purposes: [1] }), 'invalid-request', '/purposes/0'],
    [() => new Policy('', 'f', { robots: '' }), 'invalid-request', '/robots'],
    [() => new Policy('', 'f', { agent: 'g' }), 'invalid-request', '/agent'],
    [() => new Policy('', 'f', { html: '' }), 'invalid-request', '/html'],
    [() => new Policy('', 'f', { robots_limit: 1 }), 'invalid-robots', '/robots_limit'],
    [() => new Policy('', 'f', { acap: { names: ['a', '\udc00'] } }), 'invalid-request', '/acap/names/1'],
    [() => new Policy('', 'f', { registry: circle }), 'invalid-request', ''],
    [() => new Policy('', 'f', { robots_status: 1n }), 'invalid-request', ''],
    [() => policy.allows(), 'invalid-url', '/url'],
    [() => policy.allows(1), 'invalid-url', '/url'],
    [() => policy.allows('example.com'), 'invalid-url', '/url'],
    [() => policy.allows('/\ud800'), 'invalid-url', '/url'],
    [() => policy.allowsMany(), 'invalid-url', '/urls'],
    [() => policy.allowsMany('/'), 'invalid-url', '/urls'],
    [() => policy.allowsMany(['/', 1]), 'invalid-url', '/urls/1'],
    [() => policy.decide(), 'invalid-url', '/url'],
    [() => policy.decide('x'), 'invalid-url', '/url'],
    [() => policy.decide('/', { now: new Date(Number.NaN) }), 'invalid-request', '/now'],
    [() => policy.decide('/', { now: 'today' }), 'invalid-request', '/now'],
    [() => policy.decide('/', { headers: 5 }), 'invalid-request', '/headers'],
    [() => policy.decide('/', { headers: [['a', 1]] }), 'invalid-request', '/headers/0/1'],
    [() => policy.decide('/', { html: 5 }), 'invalid-robots', '/html'],
    [() => policy.decide('/', { purposes: ['x'] }), 'invalid-request', '/purposes'],
    [() => policy.decide('/', { url: '/x' }), 'invalid-request', '/url'],
    [() => policy.decide('/', { headrs: [] }), 'invalid-request', '/headrs'],
    [() => abide.allows('', 'f'), 'invalid-url', '/url'],
    [() => abide.allows(undefined, 'f', '/'), 'invalid-robots', '/robots'],
    [() => abide.lint(), 'invalid-robots', '/robots'],
    [() => abide.lint(null), 'invalid-robots', '/robots'],
    [() => abide.lint('', { select: 'no-such-code' }), 'invalid-request', '/select'],
    [() => abide.lint('', { selekt: [] }), 'invalid-request', '/selekt'],
    [() => abide.lint('', { config: '[' }), 'invalid-request', '/config'],
    [() => abide.lint('', { all: true }), 'invalid-request', '/all'],
    [() => abide.lint('', { fix: 'safe' }), 'invalid-request', '/fix'],
    [() => abide.lint('', { safety: 'safe' }), 'invalid-request', '/safety'],
    [() => abide.fix('', { robots: '' }), 'invalid-request', '/robots'],
    [() => abide.fix('', { safety: 'bold' }), 'invalid-request', '/safety'],
    [() => abide.fmt(), 'invalid-robots', '/robots'],
    [() => abide.fmt(text('\ufeff').fill(0xff, 0, 1).fill(0xfe, 1, 2)), 'cannot-format', '/robots'],
    [() => abide.explain(''), 'invalid-request', '/agents'],
    [() => abide.explain('', '@nobody'), 'invalid-agent', '/agents/0'],
    [() => abide.explain('', 'f', { urls: ['/', 'x'] }), 'invalid-url', '/urls/1'],
    [() => abide.diff(''), 'invalid-robots', '/after'],
    [() => abide.diff('', '', { before: { url: 'https://e.example/' } }), 'invalid-request', '/before'],
    [() => abide.explain('', []), 'invalid-agent', '/agents'],
    [() => abide.diff('', '', { urls: [1] }), 'invalid-url', '/urls/0'],
    [() => abide.matrix('', { agents: 5 }), 'invalid-request', '/agents'],
    [() => abide.matrix('', { profile: 'x' }), 'invalid-request', '/profile'],
    [() => abide.test(''), 'invalid-request', '/cases'],
    [() => abide.test('', '['), 'invalid-cases', '/cases'],
    [() => abide.convert('', 'x'), 'invalid-request', '/to'],
    [() => abide.convert(null, 'meta'), 'invalid-request', '/headers'],
    [() => abide.convert(null, 'acap'), 'invalid-robots', '/robots'],
  ]) {
    refused(call, code, pointer);
  }
  // No refusal has cost the policy its module.
  assert.equal(policy.allows('/private/x'), false);
});

test('a policy is freed by hand, with a block, and by the collector', async () => {
  const policy = new Policy(FILE, 'f');
  policy.free();
  policy.free();
  refused(() => policy.allows('/'), 'invalid-request', '');
  const other = new Policy(FILE, 'f');
  other[Symbol.dispose]();
  refused(() => other.decide('/'), 'invalid-request', '');
  const large = `User-agent: *\n${Array.from({ length: 5_000 }, (_, at) => `Disallow: /${at}*x\n`).join('')}`;
  const before = process.memoryUsage().arrayBuffers;
  for (let round = 0; round < 40; round += 1) {
    for (let at = 0; at < 10; at += 1) assert.equal(new Policy(large, 'f').allows('/4999/x'), false);
    globalThis.gc();
    await setImmediate();
  }
  assert(process.memoryUsage().arrayBuffers - before < 64 << 20);
});

test('policies that are kept do not keep all their memory', () => {
  const large = `User-agent: *\n${Array.from({ length: 20_000 }, (_, at) => `Disallow: /${at}*x\n`).join('')}`;
  const policies = Array.from({ length: 150 }, () => new Policy(large, 'f'));
  for (const policy of policies) assert.equal(policy.allows('/19999/x'), false);
  assert(process.memoryUsage().arrayBuffers < 600 << 20);
});
