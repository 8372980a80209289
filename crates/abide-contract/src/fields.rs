//! The paths of a decision: what `--fields` can select.

use Kind::{Flag, Integer, Json, Number, Text};
use abide::preference::Vocabulary;
use abide::{Named, Usage};
use serde_json::Value;
use std::sync::LazyLock;

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

/// All paths of a decision, in the order of the contract. A test writes the list.
pub static ALL: LazyLock<Vec<Field>> = LazyLock::new(|| {
    let lines = include_str!("fields.txt").lines();
    let fields = lines.filter_map(|line| line.split_once(' '));
    let fields = fields.map(|(path, kind)| Field {
        path,
        kind: match kind {
            "text" => Text,
            "integer" => Integer,
            "number" => Number,
            "boolean" => Flag,
            _ => Json,
        },
    });
    fields.collect()
});

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
        "USAGE" => Usage::by_name(step).is_some(),
        "VOCABULARY" => Vocabulary::by_name(step).is_some(),
        name if is_placeholder(name) => !step.is_empty(),
        name => *step == name,
    };
    steps.len() == pattern.len() && steps.iter().zip(&pattern).all(fits)
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
