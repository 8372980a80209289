//! `pattern-dollar-inside`: a `$` that is not at the end.

use crate::file::File;
use crate::rule::{Check, Found, Rule};
use abide::Severity;
use abide::Span;

pub(crate) static RULE: Rule = Rule::new(
    "pattern-dollar-inside",
    Severity::Warning,
    include_str!("pattern_dollar_inside.md"),
    Check::File(check),
);

fn check(file: &File<'_>, found: &mut Found) {
    for rule in file.rules.iter().flatten() {
        let body = rule.value.strip_suffix(b"$").unwrap_or(rule.value);
        let (Some(at), Some(field)) = (
            body.iter().position(|&byte| byte == b'$'),
            rule.line.field(),
        ) else {
            continue;
        };
        let Ok(at) = u32::try_from(at) else {
            continue;
        };
        let start = field.value.start + at;
        let message = "\"$\" means the end of the URL only at the end of a pattern; this one is an ordinary character";
        found.say(Some(rule.line.number), Span::new(start, start + 1), message);
    }
}
