//! Findings of the linter as JSON. `schema/lint.json` describes them; the order of fields is
//! stable.

use abide::{Severity, Span};
use abide_lint::Finding;
use abide_lint::finding::{Edit, Fix, Input, RelatedPlace, Safety};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// Version of the format: the value of the `schema` member.
pub const SCHEMA: u32 = 1;

/// A finding, with fields in the order of the schema.
#[derive(Debug, Serialize)]
pub struct FindingJson<'a> {
    schema: u32,
    file: &'a str,
    origin: &'static str,
    code: &'a str,
    severity: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: Option<PlaceJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<RelatedJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<FixJson<'a>>,
}

/// How often a code was found, with fields in the order of the schema.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct StatisticJson {
    schema: u32,
    /// The code.
    pub code: &'static str,
    #[serde(serialize_with = "name")]
    severity: Severity,
    /// The number of findings.
    pub findings: usize,
    /// The number of files with at least one.
    pub files: usize,
    fixable: usize,
    unsafely_fixable: usize,
}

// Serde passes a reference.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn name<S: Serializer>(severity: &Severity, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(severity.name())
}

impl StatisticJson {
    /// No finding yet.
    #[must_use]
    pub const fn new(code: &'static str, severity: Severity) -> Self {
        Self {
            schema: SCHEMA,
            code,
            severity,
            findings: 0,
            files: 0,
            fixable: 0,
            unsafely_fixable: 0,
        }
    }

    /// Counts a finding with this code. The severity is the highest one found.
    pub fn add(&mut self, finding: &Finding) {
        self.findings += 1;
        self.severity = self.severity.max(finding.severity());
        match finding.fix.as_ref().map(|fix| fix.safety) {
            Some(Safety::Safe) => self.fixable += 1,
            Some(Safety::Unsafe) => self.unsafely_fixable += 1,
            None => {}
        }
    }

    /// The highest severity of the findings.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// The number of findings with a fix, safe or not.
    #[must_use]
    pub const fn fixable(&self) -> usize {
        self.fixable + self.unsafely_fixable
    }
}

/// First byte, and the byte after the last.
type SpanJson = [u32; 2];

#[derive(Debug, Serialize)]
struct PlaceJson {
    line: u32,
    span: SpanJson,
    column: usize,
}

#[derive(Debug, Serialize)]
struct RelatedJson<'a> {
    line: u32,
    span: SpanJson,
    message: &'a str,
}

#[derive(Debug, Serialize)]
struct FixJson<'a> {
    safety: &'static str,
    title: &'a str,
    edits: Vec<EditJson<'a>>,
}

#[derive(Debug, Serialize)]
struct EditJson<'a> {
    span: SpanJson,
    replacement: Cow<'a, str>,
}

impl<'a> FindingJson<'a> {
    /// A finding in the file of this name, with this decoded text.
    #[must_use]
    pub fn new(file: &'a str, text: &[u8], finding: &'a Finding) -> Self {
        let place = |line| PlaceJson {
            line,
            span: span(finding.span),
            column: finding.span.columns(text).0,
        };
        Self {
            schema: SCHEMA,
            file,
            origin: match finding.input {
                Input::RobotsTxt => "robots.txt",
                Input::Response => "response",
                Input::Tdmrep => "tdmrep.json",
                Input::Rsl => "rsl",
            },
            code: finding.rule.code(),
            severity: finding.severity().name(),
            message: &finding.message,
            place: finding.line.map(place),
            related: finding.related.iter().map(RelatedJson::new).collect(),
            fix: finding.fix.as_ref().map(FixJson::new),
        }
    }
}

const fn span(span: Span) -> SpanJson {
    [span.start, span.end]
}

impl<'a> RelatedJson<'a> {
    fn new(related: &'a RelatedPlace) -> Self {
        Self {
            line: related.line,
            span: span(related.span),
            message: &related.message,
        }
    }
}

impl<'a> FixJson<'a> {
    fn new(fix: &'a Fix) -> Self {
        let edit = |edit: &'a Edit| EditJson {
            span: span(edit.span),
            replacement: String::from_utf8_lossy(&edit.replacement),
        };
        Self {
            safety: match fix.safety {
                Safety::Safe => "safe",
                Safety::Unsafe => "unsafe",
            },
            title: &fix.title,
            edits: fix.edits.iter().map(edit).collect(),
        }
    }
}
