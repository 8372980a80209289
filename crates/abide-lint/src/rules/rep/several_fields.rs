//! `several-fields`: several fields on one line.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;

pub(crate) static RULE: Rule = Rule::new(
    "several-fields",
    Severity::Error,
    include_str!("several_fields.md"),
    RuleCheck::File(check),
)
.instead_of(&[
    "pattern-space",
    "ua-invalid-token",
    "crawl-delay-value",
    "unknown-field",
    "sitemap-not-absolute",
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
        if let Some(key) = second_key(value) {
            let key = String::from_utf8_lossy(key);
            let message = format!(
                "two fields on one line: robots read {key} as part of the value; begin a new line before it"
            );
            found.say(Some(line.number), File::statement(line), message);
        }
    }
}

/// A key that follows a space in a value, with its colon.
fn second_key(value: &[u8]) -> Option<&[u8]> {
    let words = value
        .iter()
        .enumerate()
        .filter(|(_, byte)| matches!(byte, b' ' | b'\t'))
        .filter_map(|(at, _)| value.get(at + 1..));
    let mut keys = words.filter_map(|rest| {
        let key = KEYS.into_iter().find(|key| {
            rest.get(..key.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(key))
        })?;
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
