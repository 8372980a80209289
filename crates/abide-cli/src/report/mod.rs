//! Findings in the forms that people and programs read, one file a form.

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
use abide::Span;
use abide_lint::Finding;

/// What was found in one place.
#[derive(Debug)]
pub(crate) struct Linted {
    /// The file or URL.
    pub(crate) name: FileArg,
    /// The decoded text; empty for a response.
    pub(crate) text: Vec<u8>,
    pub(crate) findings: Vec<Finding>,
    /// How many findings were fixed before.
    pub(crate) fixed: usize,
}

impl Linted {
    /// The column where a span begins on its line, and the one behind its end, in characters from 1.
    pub(crate) fn columns(&self, span: Span) -> (usize, usize) {
        let start = span.start as usize;
        let before = self.text.get(..start).unwrap_or_default();
        let line = before
            .iter()
            .rposition(|&byte| byte == b'\n' || byte == b'\r')
            .map_or(0, |at| at + 1);
        let characters = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().count();
        let column = 1 + characters(before.get(line..).unwrap_or_default());
        (column, column + characters(span.of(&self.text)))
    }
}

/// How severe a finding is, in the words of the contract.
pub(crate) fn severity(finding: &Finding) -> &'static str {
    finding.severity().name()
}

/// All findings, each with where it was found.
pub(crate) fn all(linted: &[Linted]) -> impl Iterator<Item = (&Linted, &Finding)> {
    linted
        .iter()
        .flat_map(|one| one.findings.iter().map(move |finding| (one, finding)))
}
