//! `pattern-full-url`: a URL where a path belongs.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Check, Found, Rule};
use abide::Severity;
use abide::text::Span;

pub(crate) static RULE: Rule = Rule::new(
    "pattern-full-url",
    Severity::Error,
    include_str!("pattern_full_url.md"),
    Check::File(check),
)
.instead_of(&["pattern-no-slash"]);

fn check(file: &File<'_>, found: &mut Found) {
    for rule in file.rules.iter().flatten() {
        let Some(path) = path(rule.value) else {
            continue;
        };
        let span = File::statement(rule.line);
        let message = "a pattern is a path: with scheme and host it matches nothing";
        let place = found.say(Some(rule.line.number), span, message);
        let Some(field) = rule.line.field() else {
            continue;
        };
        let host = Span::new(field.value.start, field.value.start + path);
        place.fix(Fix::replace(Safety::Unsafe, "keep the path alone", host, ""));
    }
}

/// Where the path begins in a value that is a whole URL, in octets.
fn path(value: &[u8]) -> Option<u32> {
    let lower = value.get(..8).unwrap_or(value).to_ascii_lowercase();
    let scheme = [&b"http://"[..], b"https://"].into_iter().find(|scheme| lower.starts_with(scheme))?;
    let host = value.get(scheme.len()..)?;
    let end = host.iter().position(|&octet| octet == b'/')?;
    u32::try_from(scheme.len() + end).ok()
}
