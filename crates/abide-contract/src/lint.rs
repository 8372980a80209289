//! Findings of the linter, and how often there are such.

use crate::Versioned;
use abide::Severity;
use abide_lint::Finding;
use abide_lint::finding::{Fix, Input, RelatedPlace, Safety};
use serde::Serialize;

/// A finding in a file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileFinding<'a> {
    /// The file or URL, as it was named; `stdin`; `the response`.
    file: &'a str,
    /// What the finding is about.
    origin: Input,
    /// The rule that found it: `abide lint --explain CODE`.
    code: &'a str,
    /// How much the finding matters.
    severity: Severity,
    /// One sentence.
    message: &'a str,
    #[serde(flatten)]
    place: Option<FindingPlace>,
    /// Other places that belong to it.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    related: &'a [RelatedPlace],
    /// What would fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'a Fix>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FindingPlace {
    /// From 1; absent if the finding is about the whole file.
    line: u32,
    /// The first byte, and the byte after the last, in the text as it was read.
    span: [u32; 2],
    /// Where the span begins on its line, in characters from 1.
    column: usize,
}

impl<'a> FileFinding<'a> {
    /// A finding in the file of this name, with this decoded text.
    #[must_use]
    pub fn new(file: &'a str, text: &[u8], finding: &'a Finding) -> Versioned<Self> {
        let place = |line| FindingPlace {
            line,
            span: [finding.span.start, finding.span.end],
            column: finding.span.columns(text).0,
        };
        Versioned::new(Self {
            file,
            origin: finding.input,
            code: finding.rule.code(),
            severity: finding.severity(),
            message: &finding.message,
            place: finding.line.map(place),
            related: &finding.related,
            fix: finding.fix.as_ref(),
        })
    }
}

/// How often a code was found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Statistic {
    /// The rule: `abide lint --explain CODE`.
    pub code: &'static str,
    /// The highest severity of its findings.
    pub severity: Severity,
    /// The number of findings.
    pub findings: usize,
    /// The number of files with at least one.
    pub files: usize,
    /// Findings with a fix that changes no answer.
    fixable: usize,
    /// Findings with another fix.
    unsafely_fixable: usize,
}

impl Statistic {
    /// No finding yet.
    #[must_use]
    pub const fn new(code: &'static str, severity: Severity) -> Self {
        Self {
            code,
            severity,
            findings: 0,
            files: 0,
            fixable: 0,
            unsafely_fixable: 0,
        }
    }

    /// Counts a finding with this code.
    pub fn add(&mut self, finding: &Finding) {
        self.findings += 1;
        self.severity = self.severity.max(finding.severity());
        match finding.fix.as_ref().map(|fix| fix.safety) {
            Some(Safety::Safe) => self.fixable += 1,
            Some(Safety::Unsafe) => self.unsafely_fixable += 1,
            None => {}
        }
    }

    /// The number of findings with a fix, safe or not.
    #[must_use]
    pub const fn fixable(&self) -> usize {
        self.fixable + self.unsafely_fixable
    }
}
