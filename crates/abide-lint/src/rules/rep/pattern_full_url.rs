//! `pattern-full-url`: a URL instead of a path.

use super::unfilled_value::host_of;
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::Span;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule::new(
    "pattern-full-url",
    Severity::Error,
    include_str!("pattern_full_url.md"),
    RuleCheck::File(check),
)
.instead_of(&["pattern-no-slash"])
.doubting_line();

fn check(file: &File<'_>, found: &mut Findings) {
    let own = own_hosts(file);
    for rule in file.rules.iter().flatten() {
        let Some(field) = rule.line.field() else {
            continue;
        };
        let message;
        let host = if let Some(host) = host(rule.value) {
            message = "a pattern with a host never matches; write the path only".to_owned();
            host
        } else if let Some(host) = host_as_folder(rule.value, &own) {
            let folder = String::from_utf8_lossy(rule.value.get(..host).unwrap_or_default());
            message = format!(
                "robots take the host in {folder} for a folder, so the rule matches nothing; write the path only"
            );
            host
        } else {
            continue;
        };
        let span = File::statement(rule.line);
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

/// The hosts that the file and its URL name, in lower case.
fn own_hosts(file: &File<'_>) -> BTreeSet<Vec<u8>> {
    let sitemaps = file.robots.sitemaps().map(|(_, value)| value);
    let urls = sitemaps.chain(file.context.url.iter().map(String::as_bytes));
    urls.filter_map(|url| Some(host_of(url)?.to_ascii_lowercase()))
        .filter(|host| host.contains(&b'.'))
        .collect()
}

/// The length of a host in bytes that is the first folder of a path, with the slash before it.
fn host_as_folder(value: &[u8], own: &BTreeSet<Vec<u8>>) -> Option<usize> {
    let rest = value.strip_prefix(b"/")?;
    let ends = |byte: &u8| b"/*$?".contains(byte);
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    let folder = rest.get(..end)?.to_ascii_lowercase();
    let is_www = folder
        .strip_prefix(b"www.")
        .is_some_and(|domain| domain.contains(&b'.'));
    // Links without a scheme make robots ask for the names of other hosts, so such a name alone may
    // be meant.
    let has_path = rest.get(end..).is_some_and(|path| path.len() > 1);
    (own.contains(&folder) || (is_www && has_path)).then_some(1 + end)
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
