//! `pattern-full-url`: a URL instead of a path.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::Span;

pub(crate) static RULE: Rule = Rule::new(
    "pattern-full-url",
    Severity::Error,
    include_str!("pattern_full_url.md"),
    RuleCheck::File(check),
)
.instead_of(&["pattern-no-slash"])
.doubting_line();

fn check(file: &File<'_>, found: &mut Findings) {
    for rule in file.rules.iter().flatten() {
        let (Some(host), Some(field)) = (host(rule.value), rule.line.field()) else {
            continue;
        };
        let span = File::statement(rule.line);
        let message = "a pattern with a host never matches; write the path only";
        let place = found.say(Some(rule.line.number), span, message);
        // The root of a host: closing the whole site is probably not what was meant.
        if !matches!(
            rule.value.get(host..),
            None | Some([] | [_] | [_, b'*' | b'$'])
        ) {
            let end = field
                .value
                .start
                .saturating_add(u32::try_from(host).unwrap_or_default());
            let host = Span::new(field.value.start, end);
            place.fix(Fix::replace(Safety::Unsafe, "keep only the path", host, ""));
        }
    }
}

/// The length of scheme and host in bytes, if the value is a URL, with or without its scheme.
fn host(value: &[u8]) -> Option<usize> {
    let lower = value.get(..8).unwrap_or(value).to_ascii_lowercase();
    let schemes = [&b"http://"[..], b"https://"];
    let scheme = schemes
        .into_iter()
        .find(|scheme| lower.starts_with(scheme))
        .map(<[u8]>::len);
    let scheme = scheme.or(lower.starts_with(b"www.").then_some(0))?;
    let host = value.get(scheme..)?;
    let end = host.iter().position(|&byte| byte == b'/');
    Some(scheme + end.unwrap_or(host.len()))
}
