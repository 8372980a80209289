//! `pattern-dollar-inside`: a `$` that is not at the end.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::Span;

pub(crate) static RULE: Rule = Rule::new(
    "pattern-dollar-inside",
    Severity::Warning,
    include_str!("pattern_dollar_inside.md"),
    RuleCheck::File(check),
)
.doubting_line()
.or(Severity::Info);

fn check(file: &File<'_>, found: &mut Findings) {
    for rule in file.rules.iter().flatten() {
        let body = rule.value.strip_suffix(b"$").unwrap_or(rule.value);
        let (Some(at), Some(field)) = (
            body.iter().position(|&byte| byte == b'$'),
            rule.line.field(),
        ) else {
            continue;
        };
        let Ok(offset) = u32::try_from(at) else {
            continue;
        };
        let start = field.value.start + offset;
        let message = "\"$\" means the end of the URL only at the end of a pattern; this one is an ordinary character";
        let place = found.say(Some(rule.line.number), Span::new(start, start + 1), message);
        // Some sites have a `$` in their URLs, as in `/page$history`.
        if body.get(at + 1).is_some_and(u8::is_ascii_alphanumeric) {
            place.severity(Severity::Info);
        }
    }
}
