//! Directives for applications, as JSON.

use crate::decision::UsageJson;
use crate::each::{Each, Entries};
use abide::app::{ApplicationDecision, DirectiveRule, DirectiveValue, NoteKind};
use abide::explain::quoted;
use abide::syntax::Inspect;
use abide::verdict::{Role, Source};
use abide::{Policy, Span, Usage};
use base64::Engine;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What a file asks an application to do.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ApplicationAnswer"))]
pub(crate) struct ApplicationJson<'a> {
    /// The directives that apply, with their values. A Token, Date, Byte Sequence or Display String
    /// is an object that names its type.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "BTreeMap<String, DirectiveValueJson<'a>>")
    )]
    directives: Directives<'a>,
    /// The lines that name the application: first those that apply.
    evidence: Each<RuleList<'a>, RuleJson<'a>>,
    /// What the registry says about the directives, for people.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    registered: BTreeMap<Cow<'a, str>, RegisteredJson<'a>>,
    /// Directives that the registry of the application does not know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unregistered: Vec<Cow<'a, str>>,
    /// Directives that the registry calls deprecated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    deprecated: Vec<Cow<'a, str>>,
    /// Directives with a value of another type than the registry says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    type_mismatch: Vec<Cow<'a, str>>,
    /// Words of AI preferences that a directive contradicts, and so overrides.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    overrides: BTreeMap<Cow<'a, str>, Cow<'a, [String]>>,
    /// Words of AI preferences that a directive covers with a value of unknown meaning.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    may_override: BTreeMap<Cow<'a, str>, Cow<'a, [String]>>,
    /// Whether the client may not fetch the resource.
    crawl_disallowed: bool,
    /// If AI preferences are asked for: the answer for the application, in which its directives
    /// override words of robots.txt. The evidence is what decides, and the directives with the
    /// words that they override or agree with.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) preferences: BTreeMap<Usage, UsageJson<'a>>,
}

/// What the registry says about a directive.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "DirectiveDescription"))]
struct RegisteredJson<'a> {
    /// What it means, in short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<Cow<'a, str>>,
    /// The address of its documentation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    documentation: Option<Cow<'a, str>>,
}

/// The directives: in an answer that is written those of the decision.
#[derive(Debug)]
enum Directives<'a> {
    Of(&'a BTreeMap<String, DirectiveValue>),
    Read(BTreeMap<String, DirectiveValueJson<'static>>),
}

impl Serialize for Directives<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Of(directives) => {
                let each = directives.iter();
                serializer
                    .collect_map(each.map(|(name, value)| (name, DirectiveValueJson::new(value))))
            }
            Self::Read(directives) => directives.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Directives<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BTreeMap::deserialize(deserializer).map(Self::Read)
    }
}

/// The lines that name an application: a line can name a thousand.
#[derive(Debug)]
struct RuleList<'a> {
    rules: &'a [DirectiveRule],
    policy: &'a Policy,
}

impl<'a> Entries for RuleList<'a> {
    type Entry = RuleJson<'a>;

    fn entries(&self) -> impl Iterator<Item = RuleJson<'a>> {
        let applying = self.rules.iter().filter(|rule| rule.applies);
        let others = self.rules.iter().filter(|rule| !rule.applies);
        let roles = std::iter::once(Role::Decided).chain(std::iter::repeat(Role::Agreed));
        let others = others.zip(std::iter::repeat(Role::Overridden));
        let all = applying.zip(roles).chain(others);
        all.map(|(rule, role)| RuleJson::new(rule, role, self.policy))
    }
}

/// A line that names the application.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "DirectiveEvidence"))]
struct RuleJson<'a> {
    /// Always `robots.txt`.
    source: Source,
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    line: u32,
    /// First byte, and byte after the last, in the decoded file.
    span: Span,
    /// The line, of which at most 256 bytes are quoted, and then `…`.
    statement: Cow<'a, str>,
    /// Bytes of the path pattern; 0 without one.
    bytes: usize,
    role: Role,
    reason: DirectiveReason,
}

/// Why a line with directives applies, or does not.
#[derive(Clone, Copy, Debug)]
enum DirectiveReason {
    LongestPattern,
    ShorterPattern,
}

abide::named!(
    DirectiveReason,
    [
        LongestPattern = "longest-pattern",
        ShorterPattern = "shorter-pattern"
    ]
);

impl<'a> ApplicationJson<'a> {
    pub(crate) fn new(decision: &'a ApplicationDecision<'a>, policy: &'a Policy) -> Self {
        let noted = |wanted: &NoteKind| -> Vec<Cow<'a, str>> {
            let notes = decision.notes.iter().filter(|note| note.kind == *wanted);
            notes.map(|note| note.name.as_str().into()).collect()
        };
        let overrides = decision.notes.iter().filter_map(|note| match &note.kind {
            NoteKind::Overrides(categories) => Some((note.name.as_str(), categories)),
            _ => None,
        });
        let may_override = decision.notes.iter().filter_map(|note| match &note.kind {
            NoteKind::MayOverride(words) => Some((note.name.as_str(), words)),
            _ => None,
        });
        let lists = |(name, words): (&'a str, &'a Vec<String>)| (name.into(), words.into());
        Self {
            directives: Directives::Of(&decision.directives),
            evidence: Each::Of(RuleList {
                rules: &decision.rules,
                policy,
            }),
            registered: registered(decision, policy),
            unregistered: noted(&NoteKind::Unregistered),
            deprecated: noted(&NoteKind::Deprecated),
            type_mismatch: noted(&NoteKind::TypeMismatch),
            overrides: overrides.map(lists).collect(),
            may_override: may_override.map(lists).collect(),
            crawl_disallowed: decision.crawl_disallowed,
            preferences: decision
                .preferences
                .iter()
                .map(|preference| (preference.usage, UsageJson::of_application(preference)))
                .collect(),
        }
    }
}

/// What the registry says about the directives of a decision.
fn registered<'a>(
    decision: &'a ApplicationDecision<'a>,
    policy: &'a Policy,
) -> BTreeMap<Cow<'a, str>, RegisteredJson<'a>> {
    let entry = policy
        .client()
        .registry()
        .and_then(|all| all.get(decision.id));
    let noted = decision.notes.iter().map(|note| &note.name);
    let names = decision.directives.keys().chain(noted);
    let described = names.filter_map(|name| {
        let known = entry?.directives.get(name)?;
        if known.description.is_none() && known.documentation.is_none() {
            return None;
        }
        let json = RegisteredJson {
            description: known.description.as_deref().map(Into::into),
            documentation: known.documentation.as_deref().map(Into::into),
        };
        Some((name.as_str().into(), json))
    });
    described.collect()
}

impl<'a> RuleJson<'a> {
    fn new(found: &DirectiveRule, role: Role, policy: &'a Policy) -> Self {
        let place = Inspect::of(policy).statement_place(found.place.line);
        Self {
            source: Source::RobotsTxt,
            line: place.line,
            span: place.span,
            statement: quoted(place.span.of(policy.text().as_bytes())),
            bytes: found.bytes,
            role,
            reason: if found.applies {
                DirectiveReason::LongestPattern
            } else {
                DirectiveReason::ShorterPattern
            },
        }
    }
}

/// A directive's value: a JSON value of the same kind if there is one, otherwise an object that
/// names the type.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "DirectiveValue"))]
enum DirectiveValueJson<'a> {
    Flag(bool),
    Integer(i64),
    Decimal(f64),
    Text(Cow<'a, str>),
    Typed(TypedValue<'a>),
}

/// A value that JSON has no kind for.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "TypedValue"))]
struct TypedValue<'a> {
    #[serde(rename = "type")]
    kind: ValueType,
    value: TextOrInteger<'a>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline))]
enum TextOrInteger<'a> {
    Integer(i64),
    Text(Cow<'a, str>),
}

/// The types of RFC 9651 that JSON has no kind for.
#[derive(Clone, Copy, Debug)]
enum ValueType {
    Token,
    Date,
    ByteSequence,
    DisplayString,
}

abide::named!(
    ValueType,
    [
        Token = "token",
        Date = "date",
        ByteSequence = "byte-sequence",
        DisplayString = "display-string"
    ]
);

impl<'a> DirectiveValueJson<'a> {
    fn new(value: &'a DirectiveValue) -> Self {
        let typed = |kind, value| Self::Typed(TypedValue { kind, value });
        let text = |kind, text: &'a str| typed(kind, TextOrInteger::Text(text.into()));
        match value {
            DirectiveValue::Integer(value) => Self::Integer(*value),
            DirectiveValue::Decimal(text) => {
                Self::Decimal(text.parse().expect("a Decimal is a number"))
            }
            DirectiveValue::String(text) => Self::Text(text.into()),
            DirectiveValue::Boolean(value) => Self::Flag(*value),
            DirectiveValue::Token(token) => text(ValueType::Token, token),
            DirectiveValue::DisplayString(shown) => text(ValueType::DisplayString, shown),
            DirectiveValue::Date(seconds) => {
                typed(ValueType::Date, TextOrInteger::Integer(*seconds))
            }
            DirectiveValue::ByteSequence(bytes) => {
                let encoded = base64::engine::general_purpose::STANDARD.encode(bytes);
                typed(ValueType::ByteSequence, TextOrInteger::Text(encoded.into()))
            }
            other => Self::Text(other.to_string().into()),
        }
    }
}
