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
use abide::explain::counted;
use abide_analysis::words::enumerated_lines;
use abide_lint::Finding;
use std::collections::BTreeMap;

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

/// How many notes of one code are shown of a file; the rest is counted.
const MAX_NOTES: usize = 3;
/// How many lines are named in a sentence.
const MAX_LINES: usize = 5;

/// What is shown of the findings in a file.
pub(crate) struct ShownFindings<'f> {
    pub(crate) findings: Vec<&'f Finding>,
    /// The notes that are only counted, by code: a sentence for each.
    pub(crate) counted: Vec<(&'static str, String)>,
}

impl LintedFile {
    /// The findings that are shown: without `shows_all` only the first notes of each code, so that
    /// they do not hide what matters.
    pub(crate) fn shown(&self, shows_all: bool) -> ShownFindings<'_> {
        let mut notes: BTreeMap<&'static str, Vec<Option<u32>>> = BTreeMap::new();
        let is_shown = |finding: &&Finding| {
            if shows_all || finding.severity() > Severity::Info {
                return true;
            }
            let lines = notes.entry(finding.rule.code()).or_default();
            lines.push(finding.line);
            lines.len() <= MAX_NOTES
        };
        let findings = self.findings.iter().filter(is_shown).collect();
        let counted = notes.into_iter().filter_map(|(code, lines)| {
            let rest = lines.get(MAX_NOTES..).filter(|rest| !rest.is_empty())?;
            let mut numbers: Vec<u32> = rest.iter().copied().flatten().collect();
            numbers.dedup();
            let place = match numbers.as_slice() {
                [] => String::new(),
                numbers => format!(", on {}", enumerated_lines(numbers, MAX_LINES)),
            };
            let count = counted(rest.len() as u64, "more note");
            Some((
                code,
                format!("{count} of this code{place}; --all shows every note"),
            ))
        });
        let counted = counted.collect();
        ShownFindings { findings, counted }
    }
}

/// All findings, each with its file.
pub(crate) fn all(linted: &[LintedFile]) -> impl Iterator<Item = (&LintedFile, &Finding)> {
    linted
        .iter()
        .flat_map(|one| one.findings.iter().map(move |finding| (one, finding)))
}
