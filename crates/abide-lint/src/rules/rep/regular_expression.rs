//! `regular-expression`: a pattern written as a regular expression.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;

pub(crate) static RULE: Rule = Rule::new(
    "regular-expression",
    Severity::Warning,
    include_str!("regular_expression.md"),
    RuleCheck::File(check),
)
.doubting_line();

fn check(file: &File<'_>, found: &mut Findings) {
    for rule in file.rules.iter().flatten() {
        if let Some(sign) = sign(rule.value) {
            let message =
                format!("{sign} has no special meaning here: patterns have only * and a final $");
            found.say(Some(rule.line.number), File::statement(rule.line), message);
        }
    }
}

/// The first part of a value that only makes sense in a regular expression.
fn sign(value: &[u8]) -> Option<&'static str> {
    const SIGNS: [(&str, &str); 12] = [
        ("(.*", "(.*)"),
        (".*)", "(.*)"),
        ("/.*/", ".*"),
        ("[^", "[^…]"),
        ("[a-z", "[a-z]"),
        ("[A-Z", "[A-Z]"),
        ("[0-9", "[0-9]"),
        ("\\d", "\\d"),
        ("\\.", "\\."),
        ("\\?", "\\?"),
        ("\\/", "\\/"),
        (".+", ".+"),
    ];
    let has = |text: &str| memchr::memmem::find(value, text.as_bytes()).is_some();
    if value.starts_with(b"^") {
        return Some("^");
    }
    if value.starts_with(b".*") {
        return Some(".*");
    }
    // `/x.*` is any ending of a file in other languages of patterns; `/x/.*` is not.
    if value.ends_with(b"/.*") && value.len() > b"/.*".len() {
        return Some(".*");
    }
    if has_alternatives(value) {
        return Some("(a|b)");
    }
    SIGNS
        .iter()
        .find(|(sign, _)| has(sign))
        .map(|(_, name)| *name)
}

/// Whether there is a `|` in parentheses.
fn has_alternatives(value: &[u8]) -> bool {
    let open = memchr::memchr(b'(', value);
    let rest = open.and_then(|at| value.get(at..)).unwrap_or_default();
    let end = memchr::memchr(b')', rest);
    let inside = end.and_then(|end| rest.get(..end)).unwrap_or_default();
    memchr::memchr(b'|', inside).is_some()
}
