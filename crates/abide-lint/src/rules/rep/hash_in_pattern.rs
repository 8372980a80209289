//! `hash-in-pattern`: a comment that cuts a pattern short.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::Span;

pub(crate) static RULE: Rule = Rule::new(
    "hash-in-pattern",
    Severity::Warning,
    include_str!("hash_in_pattern.md"),
    RuleCheck::File(check),
)
.doubting_line();

fn check(file: &File<'_>, found: &mut Findings) {
    for rule in file.rules.iter().flatten() {
        let (Some(comment), Some(field)) = (rule.line.comment, rule.line.field()) else {
            continue;
        };
        // Only a `#` right after the value is suspicious. After a space it is an ordinary comment.
        if !rule.value.is_empty() && field.value.end == comment.start {
            let message = "\"#\" begins a comment, so the pattern ends before it; URLs are sent without a fragment";
            let hash = Span::new(comment.start, comment.start + 1);
            found.say(Some(rule.line.number), hash, message);
        }
    }
}
