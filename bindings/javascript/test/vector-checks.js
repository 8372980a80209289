// What the conformance vectors ask and expect, for every host.

import assert from 'node:assert/strict';
import { AbideError, Policy } from 'abide-robots';

const BEGINNING = '2000-01-01T00:00:00Z';

const repeated = ({ head, unit, times, tail }) => head + unit.repeat(times) + tail;

function bodyOf(vector) {
  if (vector.robots_repeat) return repeated(vector.robots_repeat);
  if (vector.robots_base64) return Uint8Array.from(atob(vector.robots_base64), (byte) => byte.charCodeAt(0));
  return vector.robots ?? null;
}

/** The members of a vector that are those of a request. */
function members(vector, names) {
  return Object.fromEntries(names.filter((name) => name in vector).map((name) => [name, vector[name]]));
}

function policyOf(vector, options = {}) {
  const names = ['purposes', 'profile', 'robots_status', 'robots_error', 'acap', 'readings'];
  names.push('references', 'registry', 'preferences', 'nonstandard_token');
  return new Policy(bodyOf(vector), vector.agent, { ...members(vector, names), ...options });
}

function checkCodes(vector, decision) {
  const found = decision.diagnostics.map((diagnostic) => diagnostic.code);
  for (const code of vector.diagnostics ?? []) assert(found.includes(code), `${code} is not in ${found}`);
  for (const code of vector.no_diagnostics ?? []) assert(!found.includes(code), `${code} is in ${found}`);
}

const conditions = (usage) => usage.conditions.map(({ kind, value }) => `${kind} ${value}`);

/** Compares what was found with what is expected; what is not expected is not compared. */
function compare(expected, found) {
  for (const [name, value] of Object.entries(expected ?? {})) assert.deepEqual(found(name), value, name);
}

/** A value of a directive as the vectors write it, without quotes. */
function written(value) {
  if (typeof value === 'boolean') return `?${Number(value)}`;
  if (typeof value !== 'object') return String(value);
  if (value.type === 'byte-sequence') return `:${value.value}:`;
  if (value.type === 'date') return `@${value.value}`;
  if (value.type !== 'display-string') return value.value;
  const bytes = Array.from(new TextEncoder().encode(value.value), (byte) => {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25 && byte !== 0x22;
    return isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`;
  });
  return `%${bytes.join('')}`;
}

function directives(decision, id) {
  const all = Object.entries(decision.applications[id].directives);
  return Object.fromEntries(all.map(([name, value]) => [name, written(value)]));
}

/** What is asked and compared for a vector of each table. */
export const checks = {
  decision(vector) {
    const policy = policyOf(vector);
    const decision = policy.decide(vector.url, { now: BEGINNING });
    const { outcome, evidence } = decision.usages.crawl;
    assert.equal(outcome, vector.expect);
    // Without rules the policy keeps the robot out, as long as nobody knows better.
    if (outcome !== 'unknown') assert.equal(policy.allows(vector.url), outcome === 'permitted');
    assert.deepEqual(policy.allowsMany([vector.url]), [policy.allows(vector.url)]);
    compare(members(vector, ['line', 'statement', 'bytes']), (name) => evidence[0][name]);
    if (vector.selected_by) assert.equal(evidence[0].selected_by.by, vector.selected_by);
    compare(members(vector, ['sitemaps', 'robots_url']), (name) => decision[name]);
    // 0 says that none applies.
    compare(members(vector, ['crawl_delay']), (name) => decision[name] ?? 0);
    checkCodes(vector, decision);
  },
  tags(vector) {
    const headers = [
      ...(vector.robots_tag ?? []).map((value) => ['Robots-Tag', value]),
      ...(vector.robots_tag_repeat ? [['Robots-Tag', repeated(vector.robots_tag_repeat)]] : []),
      ...(vector.x_robots_tag ?? []).map((value) => ['X-Robots-Tag', value]),
      ...(vector.fields ?? []),
    ];
    const page = members(vector, ['html', 'rendered_html']);
    const decision = policyOf({ robots: '', ...vector }).decide('https://e.example/x', {
      ...page,
      headers,
      now: vector.now ?? BEGINNING,
    });
    const values = Object.entries(vector.expect).map(([name, value]) => [name, value === true ? true : String(value)]);
    assert.deepEqual(decision.tags, Object.fromEntries(values));
    compare(vector.outcomes, (usage) => decision.usages[usage].outcome);
    compare(vector.conditions, (usage) => conditions(decision.usages[usage]));
    checkCodes(vector, decision);
  },
  applications(vector) {
    const application = { id: vector.application, product_tokens: vector.product_tokens };
    const options = { applications: [application] };
    const decision = new Policy(vector.robots, 'client', options).decide(vector.url);
    const expected = Object.entries(vector.expect).map(([name, value]) => [name, value.replaceAll('"', '')]);
    assert.deepEqual(directives(decision, vector.application), Object.fromEntries(expected));
    const disallowed = decision.applications[vector.application].crawl_disallowed;
    assert.equal(disallowed, vector.crawl_disallowed ?? false);
    checkCodes(vector, decision);
  },
  composed(vector) {
    const applications = (vector.applications ?? []).map((text) => {
      const [id, token] = text.split('@');
      return token === undefined ? id : { id, product_tokens: [token] };
    });
    const page = members(vector, ['headers', 'html', 'rendered_html', 'first_indexed', 'first_copied', 'version']);
    const decide = () =>
      policyOf(vector, { applications }).decide(vector.url, { ...page, now: vector.now ?? BEGINNING });
    if (vector.error) {
      assert.throws(decide, (error) => error instanceof AbideError && error.code === vector.error);
      return;
    }
    const decision = decide();
    const first = (usage) => decision.usages[usage].evidence[0] ?? {};
    compare(vector.outcomes, (usage) => decision.usages[usage].outcome);
    compare(vector.conditions, (usage) => conditions(decision.usages[usage]));
    compare(vector.lines, (usage) => first(usage).line);
    compare(vector.sources, (usage) => first(usage).source);
    compare(vector.reasons, (usage) => first(usage).reason);
    compare(vector.notes, (usage) => first(usage).notes ?? []);
    compare(vector.words, (vocabulary) => {
      const words = Object.entries(decision.preferences[vocabulary].words ?? {});
      return Object.fromEntries(words.map(([name, value]) => [name, String(value)]));
    });
    for (const [vocabulary, usages] of Object.entries(vector.by_vocabulary ?? {})) {
      compare(usages, (usage) => decision.preferences[vocabulary].usages[usage]);
    }
    if (vector.documents) {
      assert.deepEqual(decision.preferences.rsl.documents.map(({ url }) => url), vector.documents);
    }
    const ofApplication = (id, usage) => decision.applications[id].preferences[usage];
    const each = (expected, found) => {
      for (const [id, usages] of Object.entries(expected ?? {})) compare(usages, (usage) => found(ofApplication(id, usage)));
    };
    each(vector.application_outcomes, (said) => said.outcome);
    each(vector.application_lines, (said) => said.evidence[0].line);
    each(vector.application_overridden, (said) =>
      said.evidence.filter((one) => one.reason === 'directive-overrides').map((one) => one.line),
    );
    if (vector.needs) assert.deepEqual(decision.needs, vector.needs);
    if (vector.action_requests) {
      const found = decision.action_requests.map(({ action, path }) => `${action} ${path}`);
      assert.deepEqual(found, vector.action_requests);
    }
    for (const [id, expected] of Object.entries(vector.directives ?? {})) {
      assert.deepEqual(directives(decision, id), expected);
    }
    checkCodes(vector, decision);
  },
};
