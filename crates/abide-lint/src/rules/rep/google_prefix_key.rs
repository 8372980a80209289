//! `google-prefix-key`: a key that google/robotstxt reads as another key.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::FieldKind;

pub(crate) static RULE: Rule = Rule::new(
    "google-prefix-key",
    Severity::Warning,
    include_str!("google_prefix_key.md"),
    RuleCheck::File(check),
);

/// google/robotstxt reads a key that begins with one of these as that key.
const KEYS: [&str; 5] = ["user-agent", "useragent", "allow", "disallow", "sitemap"];

fn check(file: &File<'_>, found: &mut Findings) {
    for (line, field, _) in file.fields_of(FieldKind::Other) {
        let key = field.key.of(file.text());
        if let Some(taken) = taken(key) {
            let message = format!(
                "Google's parser reads every key that begins with {taken:?} as {taken}; others ignore it"
            );
            found.say(Some(line.number), field.key, message);
        }
    }
}

/// The key that google/robotstxt reads instead of an unknown one.
pub(super) fn taken(key: &[u8]) -> Option<&'static str> {
    let begins = |known: &&str| {
        let start = key.get(..known.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(known.as_bytes()))
    };
    KEYS.into_iter().find(begins)
}
