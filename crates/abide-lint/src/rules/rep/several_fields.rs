//! `several-fields`: several fields on one line.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::FieldKind;

pub(crate) static RULE: Rule = Rule::new(
    "several-fields",
    Severity::Error,
    include_str!("several_fields.md"),
    RuleCheck::File(check),
)
.instead_of(&[
    "pattern-no-slash",
    "pattern-space",
    "ua-invalid-token",
    "crawl-delay-value",
    "unknown-field",
    "sitemap-not-absolute",
    "several-paths",
    "stray-percent",
    "unfilled-value",
    "readings-differ",
    "url-not-as-sent",
])
.doubting_line();

/// Keys that do not occur in the values of other fields.
const KEYS: [&[u8]; 5] = [
    b"user-agent",
    b"disallow",
    b"allow",
    b"sitemap",
    b"crawl-delay",
];

fn check(file: &File<'_>, found: &mut Findings) {
    for (line, field) in file.fields() {
        let value = field.value.of(file.text());
        let has_glued_key = matches!(
            field.kind,
            FieldKind::UserAgent
                | FieldKind::Allow
                | FieldKind::Disallow
                | FieldKind::Sitemap
                | FieldKind::CrawlDelay
        );
        let glued = || glued_key(value).filter(|_| has_glued_key);
        if let Some(key) = second_key(value).or_else(glued) {
            let key = String::from_utf8_lossy(key);
            let message = format!(
                "two fields on one line: robots read {key} as part of the value; begin a new line before it"
            );
            found.say(Some(line.number), File::statement(line), message);
        }
    }
}

/// Whether a value goes on with another field.
pub(super) fn hides_field(value: &[u8]) -> bool {
    second_key(value).or_else(|| glued_key(value)).is_some()
}

/// A key that follows other text in a value without a space, as where something was appended to a
/// file without a final line end: `Allow: /Sitemap: https://example.com/sitemap.xml`. What follows
/// has to look like a value of the field, because a path may contain its key.
fn glued_key(value: &[u8]) -> Option<&[u8]> {
    (1..value.len()).find_map(|at| {
        let rest = value.get(at..)?;
        let known = KEYS.into_iter().find(|key| begins(rest, key))?;
        let (key, behind) = rest.split_at_checked(known.len())?;
        let behind = behind.trim_ascii_start().strip_prefix(b":")?;
        let own = behind.trim_ascii_start();
        let is_written_so = own.len() < behind.len() || key.first()?.is_ascii_uppercase();
        let is_field = match known {
            b"sitemap" => begins(own, b"http"),
            b"allow" | b"disallow" => is_written_so && matches!(own, [] | [b'/' | b'*', ..]),
            _ => true,
        };
        is_field.then_some(key)
    })
}

/// Whether `text` begins with `key`, in any case.
fn begins(text: &[u8], key: &[u8]) -> bool {
    let start = text.get(..key.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(key))
}

/// A key that follows a space in a value, with its colon.
fn second_key(value: &[u8]) -> Option<&[u8]> {
    let words = value
        .iter()
        .enumerate()
        .filter(|(_, byte)| matches!(byte, b' ' | b'\t'))
        .filter_map(|(at, _)| value.get(at + 1..));
    let mut keys = words.filter_map(|rest| {
        let key = KEYS.into_iter().find(|key| begins(rest, key))?;
        let after = rest.get(key.len()..).unwrap_or_default().trim_ascii_start();
        after.starts_with(b":").then(|| rest.get(..key.len()))?
    });
    // The value itself may be a key and a colon, as in `Disallow: Allow: /`.
    let own = KEYS.into_iter().find_map(|key| {
        let start = value.get(..key.len())?;
        let after = value.get(key.len()..)?.trim_ascii_start();
        (start.eq_ignore_ascii_case(key) && after.starts_with(b":")).then_some(start)
    });
    own.or_else(|| keys.next())
}
