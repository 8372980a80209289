//! Decisions: what is answered.

use crate::SCHEMA;
use abide::verdict::{Evidence, SelectedBy, Selection};
use abide::{Decision, Diagnostic, Policy, UsageDecision};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A decision in the contract's order of fields.
#[derive(Debug, Serialize)]
pub struct DecisionJson<'a> {
    schema: u32,
    id: Option<&'a RawValue>,
    url: &'a str,
    robots_url: Option<&'a str>,
    #[serde(serialize_with = "usages")]
    usages: Vec<(&'static str, UsageJson<'a>)>,
    tags: Nothing,
    unknown_tag_rules: [(); 0],
    applications: Nothing,
    action_requests: [(); 0],
    sitemaps: &'a [Cow<'a, str>],
    #[serde(skip_serializing_if = "Option::is_none")]
    crawl_delay: Option<f64>,
    needs: &'a [String],
    diagnostics: Vec<DiagnosticJson<'a>>,
}

/// An object without members: what is said by sources that are not read yet.
#[derive(Debug, Serialize)]
struct Nothing {}

#[derive(Debug, Serialize)]
struct UsageJson<'a> {
    outcome: &'static str,
    conditions: [(); 0],
    evidence: Vec<EvidenceJson<'a>>,
}

#[derive(Debug, Serialize)]
struct EvidenceJson<'a> {
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statement: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    octets: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    selected_by: Option<SelectionJson<'a>>,
    role: &'static str,
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
}

#[derive(Debug, Serialize)]
struct SelectionJson<'a> {
    by: &'static str,
    token: &'a str,
    line: u32,
}

#[derive(Debug, Serialize)]
struct DiagnosticJson<'a> {
    code: &'static str,
    severity: &'static str,
    line: Option<u32>,
    message: &'a str,
}

impl<'a> DecisionJson<'a> {
    /// The decision about `url` under `policy`, with the request's `id`.
    #[must_use]
    pub fn new(
        id: Option<&'a RawValue>,
        url: &'a str,
        policy: &'a Policy,
        decision: &'a Decision<'a>,
    ) -> Self {
        let usages = decision
            .usages
            .iter()
            .map(|said| (said.usage.name(), UsageJson::new(said)));
        Self {
            schema: SCHEMA,
            id,
            url,
            robots_url: decision.robots_url.as_deref(),
            usages: usages.collect(),
            tags: Nothing {},
            unknown_tag_rules: [],
            applications: Nothing {},
            action_requests: [],
            sitemaps: &decision.sitemaps,
            crawl_delay: decision
                .crawl_delay
                .map(|(delay, _)| f64::from(delay.milliseconds()) / 1_000.0),
            needs: &decision.needs,
            diagnostics: policy
                .diagnostics()
                .iter()
                .map(DiagnosticJson::new)
                .collect(),
        }
    }

    /// The decision as one line, without its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        // Strings and numbers under string keys always serialise.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The decision over several lines, indented, without a line end at the end.
    #[must_use]
    pub fn to_pretty(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

impl<'a> UsageJson<'a> {
    fn new(said: &'a UsageDecision<'a>) -> Self {
        Self {
            outcome: said.outcome.name(),
            conditions: [],
            evidence: said.evidence.iter().map(EvidenceJson::new).collect(),
        }
    }
}

impl<'a> EvidenceJson<'a> {
    fn new(evidence: &'a Evidence<'a>) -> Self {
        use abide::verdict::Reason::{Unavailable, Unreachable};
        let statement =
            (!evidence.statement.is_empty()).then(|| String::from_utf8_lossy(&evidence.statement));
        Self {
            source: evidence.source.name(),
            line: evidence.place.map(|place| place.line),
            span: evidence
                .place
                .map(|place| [place.span.start, place.span.end]),
            statement,
            octets: evidence.octets,
            selected_by: evidence.selected_by.as_ref().map(SelectionJson::new),
            role: evidence.role.name(),
            reason: evidence.reason.name(),
            cause: match evidence.reason {
                Unavailable(cause) | Unreachable(cause) => Some(cause.to_string()),
                _ => None,
            },
        }
    }
}

impl<'a> SelectionJson<'a> {
    fn new(selection: &'a Selection<'a>) -> Self {
        let by: &SelectedBy<'_> = &selection.by;
        Self {
            by: by.name(),
            token: by.token(),
            line: selection.place.line,
        }
    }
}

impl<'a> DiagnosticJson<'a> {
    fn new(diagnostic: &'a Diagnostic) -> Self {
        Self {
            code: diagnostic.code.name(),
            severity: diagnostic.code.severity().name(),
            line: diagnostic.line,
            message: &diagnostic.message,
        }
    }
}

fn usages<S: Serializer>(
    usages: &[(&'static str, UsageJson<'_>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(usages.len()))?;
    for (name, said) in usages {
        map.serialize_entry(name, said)?;
    }
    map.end()
}
