//! The paths of a decision: what `--fields` can select. A test compares them with
//! `schema/decision.json`.

use Kind::{Flag, Integer, Json, Number, Text};
use serde_json::Value;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "writers of tables handle every case"
)]
pub enum Kind {
    /// A string.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// True or false.
    Flag,
    /// Anything else: an object, a list, or a value of more than one kind.
    Json,
}

impl Kind {
    /// The name in lists of fields.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Text => "text",
            Integer => "integer",
            Number => "number",
            Flag => "boolean",
            Json => "JSON",
        }
    }
}

/// A path of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// Names and numbers separated by dots. A word in capitals takes the place of any name, and `N`
    /// of a number from 0: `usages.USAGE.evidence.N.line`.
    pub path: &'static str,
    /// What its values are.
    pub kind: Kind,
}

const fn field(path: &'static str, kind: Kind) -> Field {
    Field { path, kind }
}

/// All paths of a decision, in the order of the contract.
pub const ALL: &[Field] = &[
    field("schema", Integer),
    field("id", Json),
    field("url", Text),
    field("requested", Text),
    field("agent", Json),
    field("user_agent", Json),
    field("user_agent.line", Text),
    field("user_agent.taken", Text),
    field("user_agent.why", Text),
    field("profile", Text),
    field("known_robot", Json),
    field("known_robot.token", Text),
    field("known_robot.operator", Text),
    field("known_robot.applied", Json),
    field("known_robot.applied.N", Text),
    field("known_robot.documentation", Text),
    field("known_robot.checked", Text),
    field("robots_url", Text),
    field("retrieval", Json),
    field("retrieval.state", Text),
    field("retrieval.sha256", Text),
    field("retrieval.cut", Flag),
    field("retrieval.fetched_at", Text),
    field("retrieval.checked_at", Text),
    field("retrieval.fresh_until", Text),
    field("retrieval.unreachable_since", Text),
    field("usages", Json),
    field("usages.USAGE", Json),
    field("usages.USAGE.outcome", Text),
    field("usages.USAGE.conditions", Json),
    field("usages.USAGE.conditions.N", Json),
    field("usages.USAGE.conditions.N.kind", Text),
    field("usages.USAGE.conditions.N.value", Text),
    field("usages.USAGE.evidence", Json),
    field("usages.USAGE.evidence.N", Json),
    field("usages.USAGE.evidence.N.source", Text),
    field("usages.USAGE.evidence.N.vocabulary", Text),
    field("usages.USAGE.evidence.N.locator", Text),
    field("usages.USAGE.evidence.N.sha256", Text),
    field("usages.USAGE.evidence.N.line", Integer),
    field("usages.USAGE.evidence.N.field", Text),
    field("usages.USAGE.evidence.N.member", Integer),
    field("usages.USAGE.evidence.N.offset", Integer),
    field("usages.USAGE.evidence.N.span", Json),
    field("usages.USAGE.evidence.N.span.N", Integer),
    field("usages.USAGE.evidence.N.statement", Text),
    field("usages.USAGE.evidence.N.bytes", Integer),
    field("usages.USAGE.evidence.N.selected_by", Json),
    field("usages.USAGE.evidence.N.selected_by.by", Text),
    field("usages.USAGE.evidence.N.selected_by.token", Text),
    field("usages.USAGE.evidence.N.selected_by.line", Integer),
    field("usages.USAGE.evidence.N.rule", Text),
    field("usages.USAGE.evidence.N.notes", Json),
    field("usages.USAGE.evidence.N.notes.N", Text),
    field("usages.USAGE.evidence.N.role", Text),
    field("usages.USAGE.evidence.N.reason", Text),
    field("usages.USAGE.evidence.N.cause", Text),
    field("preferences", Json),
    field("preferences.VOCABULARY", Json),
    field("preferences.VOCABULARY.revision", Text),
    field("preferences.VOCABULARY.words", Json),
    field("preferences.VOCABULARY.words.WORD", Json),
    field("preferences.VOCABULARY.usages", Json),
    field("preferences.VOCABULARY.usages.USAGE", Text),
    field("preferences.VOCABULARY.documents", Json),
    field("preferences.VOCABULARY.documents.N", Json),
    field("preferences.VOCABULARY.documents.N.url", Text),
    field("preferences.VOCABULARY.documents.N.from", Text),
    field("preferences.VOCABULARY.documents.N.state", Text),
    field("tags", Json),
    field("tags.RULE", Json),
    field("unknown_tag_rules", Json),
    field("unknown_tag_rules.N", Text),
    field("applications", Json),
    field("applications.APPLICATION", Json),
    field("applications.APPLICATION.directives", Json),
    field("applications.APPLICATION.directives.DIRECTIVE", Json),
    field("applications.APPLICATION.evidence", Json),
    field("applications.APPLICATION.evidence.N", Json),
    field("applications.APPLICATION.evidence.N.source", Text),
    field("applications.APPLICATION.evidence.N.line", Integer),
    field("applications.APPLICATION.evidence.N.span", Json),
    field("applications.APPLICATION.evidence.N.span.N", Integer),
    field("applications.APPLICATION.evidence.N.statement", Text),
    field("applications.APPLICATION.evidence.N.bytes", Integer),
    field("applications.APPLICATION.evidence.N.role", Text),
    field("applications.APPLICATION.evidence.N.reason", Text),
    field("applications.APPLICATION.unregistered", Json),
    field("applications.APPLICATION.unregistered.N", Text),
    field("applications.APPLICATION.deprecated", Json),
    field("applications.APPLICATION.deprecated.N", Text),
    field("applications.APPLICATION.type_mismatch", Json),
    field("applications.APPLICATION.type_mismatch.N", Text),
    field("applications.APPLICATION.overrides", Json),
    field("applications.APPLICATION.overrides.DIRECTIVE", Json),
    field("applications.APPLICATION.overrides.DIRECTIVE.N", Text),
    field("applications.APPLICATION.may_override", Json),
    field("applications.APPLICATION.may_override.DIRECTIVE", Json),
    field("applications.APPLICATION.may_override.DIRECTIVE.N", Text),
    field("applications.APPLICATION.crawl_disallowed", Flag),
    field("action_requests", Json),
    field("action_requests.N", Json),
    field("action_requests.N.action", Text),
    field("action_requests.N.path", Text),
    field("action_requests.N.requires_confirmation", Flag),
    field("sitemaps", Json),
    field("sitemaps.N", Text),
    field("crawl_delay", Number),
    field("needs", Json),
    field("needs.N", Text),
    field("diagnostics", Json),
    field("diagnostics.N", Json),
    field("diagnostics.N.code", Text),
    field("diagnostics.N.severity", Text),
    field("diagnostics.N.line", Integer),
    field("diagnostics.N.message", Text),
];

/// The field that a path is an instance of: `usages.crawl.evidence.0.line` is one of
/// `usages.USAGE.evidence.N.line`. `None` for a path that no decision has.
///
/// ```
/// use abide_contract::fields::{Kind, named};
/// let field = named("usages.crawl.evidence.0.line").ok_or("unknown")?;
/// assert_eq!(field.kind, Kind::Integer);
/// assert!(named("usages.crawl.evidence.first").is_none());
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn named(path: &str) -> Option<&'static Field> {
    ALL.iter().find(|field| is_instance(path, field.path))
}

/// Whether `step` is a placeholder for any name.
fn is_placeholder(step: &str) -> bool {
    step.len() > 1 && step.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn is_instance(path: &str, of: &str) -> bool {
    let steps: Vec<&str> = path.split('.').collect();
    let pattern: Vec<&str> = of.split('.').collect();
    let fits = |(step, pattern): (&&str, &&str)| match *pattern {
        "N" => step.parse::<usize>().is_ok(),
        "USAGE" => is_usage(step),
        "VOCABULARY" => step.parse::<abide::preference::Vocabulary>().is_ok(),
        name if is_placeholder(name) => !step.is_empty(),
        name => *step == name,
    };
    steps.len() == pattern.len() && steps.iter().zip(&pattern).all(fits)
}

fn is_usage(name: &str) -> bool {
    use abide::Usage;
    Usage::ALL.iter().any(|usage| usage.name() == name)
}

/// The value at `path` in a decision; `None` if it has none there, or null.
#[must_use]
pub fn value<'v>(decision: &'v Value, path: &str) -> Option<&'v Value> {
    let found = path
        .split('.')
        .try_fold(decision, |value, step| match value {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?),
            other => other.get(step),
        });
    found.filter(|value| !value.is_null())
}
