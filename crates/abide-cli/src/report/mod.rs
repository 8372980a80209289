//! Writes findings for people and programs, one file per format.

mod github;
mod gitlab;
mod human;
mod json;
mod junit;
mod sarif;

pub(crate) use github::github;
pub(crate) use gitlab::gitlab;
pub(crate) use human::{human, summary};
pub(crate) use json::{json, jsonl};
pub(crate) use junit::junit;
pub(crate) use sarif::sarif;

use crate::file_arg::FileArg;
use abide_lint::Finding;

/// The findings in one file.
#[derive(Debug)]
pub(crate) struct Linted {
    /// The file or URL.
    pub(crate) name: FileArg,
    /// The decoded text; empty for a response.
    pub(crate) text: Vec<u8>,
    pub(crate) findings: Vec<Finding>,
    /// The number of findings that were fixed.
    pub(crate) fixed: usize,
}

/// The severity of a finding, in the words of the JSON.
pub(crate) fn severity(finding: &Finding) -> &'static str {
    finding.severity().name()
}

/// All findings, each with its file.
pub(crate) fn all(linted: &[Linted]) -> impl Iterator<Item = (&Linted, &Finding)> {
    linted
        .iter()
        .flat_map(|one| one.findings.iter().map(move |finding| (one, finding)))
}
