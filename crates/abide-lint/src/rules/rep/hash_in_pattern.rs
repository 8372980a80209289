//! `hash-in-pattern`: a comment that cuts a pattern short.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::Span;
use abide::syntax::{Line, Rule as PathRule};

pub(crate) static RULE: Rule = Rule::new(
    "hash-in-pattern",
    Severity::Warning,
    include_str!("hash_in_pattern.md"),
    RuleCheck::File(check),
)
.or(Severity::Info)
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
            let place = found.say(Some(rule.line.number), hash, message);
            // Whatever was to follow, the pages are covered.
            let cover = file.does_already(rule.line, rule.value);
            let cover = cover.and_then(|line| file.line(line));
            if cover.is_some_and(|cover| is_sure(file, cover, rule)) {
                place.severity(Severity::Info);
            }
        }
    }
}

/// Whether the line that covers a rule is meant as it is: it comes first, or says more, and has no
/// comment that cuts it short.
fn is_sure(file: &File<'_>, cover: &Line, rule: &PathRule<'_>) -> bool {
    let value = cover.field().map(|field| field.value.of(file.text()));
    let says_more = value.is_some_and(|value| value != rule.value);
    cover.comment.is_none() && (says_more || cover.number < rule.line.number)
}
