//! Directives for applications, as JSON.

use abide::Policy;
use abide::app::{ApplicationDecision, DirectiveRule, DirectiveValue, NoteKind};
use abide::explain::quoted;
use abide::syntax::Inspect;
use base64::Engine;
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;

#[derive(Debug, Serialize)]
pub(crate) struct ApplicationJson<'a> {
    directives: EachDirective<'a>,
    evidence: EachRule<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unregistered: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    deprecated: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    type_mismatch: Vec<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    overrides: BTreeMap<&'a str, &'a [String]>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    may_override: BTreeMap<&'a str, &'a [String]>,
    crawl_disallowed: bool,
}

/// The directives, which become JSON one after the other.
#[derive(Debug)]
struct EachDirective<'a>(&'a BTreeMap<String, DirectiveValue>);

impl Serialize for EachDirective<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let each = self.0.iter();
        serializer.collect_map(each.map(|(name, value)| (name, DirectiveValueJson(value))))
    }
}

/// The lines that name an application, which become JSON one after the other: a line can name a
/// thousand.
#[derive(Debug)]
struct EachRule<'a> {
    rules: &'a [DirectiveRule],
    policy: &'a Policy,
}

impl Serialize for EachRule<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let applying = self.rules.iter().filter(|rule| rule.applies);
        let others = self.rules.iter().filter(|rule| !rule.applies);
        let roles = std::iter::once("decided").chain(std::iter::repeat("agreed"));
        let others = others.zip(std::iter::repeat("overridden"));
        let all = applying.zip(roles).chain(others);
        serializer.collect_seq(all.map(|(rule, role)| RuleJson::new(rule, role, self.policy)))
    }
}

#[derive(Debug, Serialize)]
struct RuleJson<'a> {
    source: &'static str,
    line: u32,
    span: [u32; 2],
    statement: Cow<'a, str>,
    bytes: usize,
    role: &'static str,
    reason: &'static str,
}

impl<'a> ApplicationJson<'a> {
    pub(crate) fn new(said: &'a ApplicationDecision<'a>, policy: &'a Policy) -> Self {
        let noted = |wanted: &NoteKind| -> Vec<&'a str> {
            let notes = said.notes.iter().filter(|note| note.kind == *wanted);
            notes.map(|note| note.name.as_str()).collect()
        };
        let overrides = said.notes.iter().filter_map(|note| match &note.kind {
            NoteKind::Overrides(categories) => Some((note.name.as_str(), categories.as_slice())),
            _ => None,
        });
        let may_override = said.notes.iter().filter_map(|note| match &note.kind {
            NoteKind::MayOverride(words) => Some((note.name.as_str(), words.as_slice())),
            _ => None,
        });
        Self {
            directives: EachDirective(&said.directives),
            evidence: EachRule {
                rules: &said.rules,
                policy,
            },
            unregistered: noted(&NoteKind::Unregistered),
            deprecated: noted(&NoteKind::Deprecated),
            type_mismatch: noted(&NoteKind::TypeMismatch),
            overrides: overrides.collect(),
            may_override: may_override.collect(),
            crawl_disallowed: said.crawl_disallowed,
        }
    }
}

impl<'a> RuleJson<'a> {
    fn new(found: &DirectiveRule, role: &'static str, policy: &'a Policy) -> Self {
        let place = Inspect::of(policy).statement_place(found.place.line);
        Self {
            source: "robots.txt",
            line: place.line,
            span: [place.span.start, place.span.end],
            statement: quoted(place.span.of(policy.text().as_bytes())),
            bytes: found.bytes,
            role,
            reason: if found.applies {
                "longest-pattern"
            } else {
                "shorter-pattern"
            },
        }
    }
}

/// A directive's value: a JSON value of the same kind if there is one, otherwise an object that
/// names the type.
#[derive(Debug)]
struct DirectiveValueJson<'a>(&'a DirectiveValue);

impl Serialize for DirectiveValueJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            DirectiveValue::Integer(value) => serializer.serialize_i64(*value),
            DirectiveValue::Decimal(text) => {
                serializer.serialize_f64(text.parse().expect("a Decimal is a number"))
            }
            DirectiveValue::String(text) => serializer.serialize_str(text),
            DirectiveValue::Boolean(value) => serializer.serialize_bool(*value),
            DirectiveValue::Token(text) => typed(serializer, "token", text),
            DirectiveValue::DisplayString(text) => typed(serializer, "display-string", text),
            DirectiveValue::Date(seconds) => typed(serializer, "date", seconds),
            DirectiveValue::ByteSequence(bytes) => {
                let encoded = base64::engine::general_purpose::STANDARD.encode(bytes);
                typed(serializer, "byte-sequence", &encoded)
            }
            other => serializer.serialize_str(&other.to_string()),
        }
    }
}

fn typed<S: Serializer>(
    serializer: S,
    name: &'static str,
    value: &impl Serialize,
) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_struct("value", 2)?;
    object.serialize_field("type", name)?;
    object.serialize_field("value", value)?;
    object.end()
}
