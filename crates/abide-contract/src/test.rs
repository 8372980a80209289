//! The results of `abide test` as JSON. `schema/test.json` describes it; the order of fields is
//! stable.

use abide::preference::Vocabulary;
use abide_lint::expectation::{Check, Failure};
use serde::Serialize;

/// Version of the format: the value of the `schema` member.
pub const SCHEMA: u32 = 1;

/// All checks, with fields in the order of the schema.
#[derive(Debug, Serialize)]
pub struct ChecksJson<'a> {
    schema: u32,
    passed: usize,
    failed: usize,
    checks: Vec<CheckJson<'a>>,
}

#[derive(Debug, Serialize)]
struct CheckJson<'a> {
    line: u32,
    name: &'a str,
    agent: &'a str,
    url: &'a str,
    passed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<FailureJson<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    explanation: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    findings: &'a [String],
}

#[derive(Debug, Serialize)]
struct FailureJson<'a> {
    about: &'a str,
    expected: &'a str,
    found: &'a str,
    cause: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    vocabulary: Option<&'static str>,
}

impl<'a> ChecksJson<'a> {
    /// The JSON form of `checks`.
    #[must_use]
    pub fn new(checks: &'a [Check]) -> Self {
        let passed = checks.iter().filter(|check| check.passed()).count();
        Self {
            schema: SCHEMA,
            passed,
            failed: checks.len().saturating_sub(passed),
            checks: checks.iter().map(CheckJson::new).collect(),
        }
    }
}

impl<'a> CheckJson<'a> {
    fn new(check: &'a Check) -> Self {
        let failure = |failure: &'a Failure| FailureJson {
            about: &failure.about,
            expected: failure.expected.name(),
            found: failure.found.name(),
            cause: &failure.cause,
            vocabulary: failure.vocabulary.map(Vocabulary::name),
        };
        Self {
            line: check.line,
            name: &check.name,
            agent: &check.agent,
            url: &check.url,
            passed: check.passed(),
            failures: check.failures.iter().map(failure).collect(),
            explanation: &check.explanation,
            findings: &check.findings,
        }
    }
}
