//! Writes findings for people and programs, one file per format.

mod fingerprint;
mod github;
mod gitlab;
mod human;
mod json;
mod junit;
mod sarif;
mod statistics;

pub(crate) use github::github;
pub(crate) use gitlab::gitlab;
pub(crate) use human::{Footer, human, summary};
pub(crate) use json::{json, jsonl};
pub(crate) use junit::{JunitCase, JunitSuite, junit, write_junit};
pub(crate) use sarif::sarif;
pub(crate) use statistics::Statistics;

use crate::file_arg::FileArg;
use abide::Severity;
use abide_lint::Finding;

/// The findings in one file.
#[derive(Debug)]
pub(crate) struct LintedFile {
    /// The file or URL.
    pub(crate) name: FileArg,
    /// The decoded text; empty for a response.
    pub(crate) text: Vec<u8>,
    pub(crate) findings: Vec<Finding>,
    /// The number of findings that were fixed.
    pub(crate) fixed: usize,
    /// The least severity that fails the run.
    pub(crate) fail_on: Severity,
}

impl LintedFile {
    /// Whether a finding fails the run.
    pub(crate) fn fails(&self, finding: &Finding) -> bool {
        finding.severity() >= self.fail_on
    }
}

/// All findings, each with its file.
pub(crate) fn all(linted: &[LintedFile]) -> impl Iterator<Item = (&LintedFile, &Finding)> {
    linted
        .iter()
        .flat_map(|one| one.findings.iter().map(move |finding| (one, finding)))
}
