//! The results of `abide test`.

use crate::Versioned;
use abide_analysis::expectation::Check;
use serde::Serialize;

/// What came of a site's expectations of its robots.txt.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestReport<'a> {
    /// The number of checks that passed.
    passed: usize,
    /// The number of checks that failed.
    failed: usize,
    /// One for each agent and URL of each case, in the order of the file.
    checks: &'a [Check],
}

impl<'a> TestReport<'a> {
    /// The report of these checks.
    #[must_use]
    pub fn new(checks: &'a [Check]) -> Versioned<Self> {
        let passed = checks.iter().filter(|check| check.passed).count();
        Versioned::new(Self {
            passed,
            failed: checks.len().saturating_sub(passed),
            checks,
        })
    }
}
