//! `unknown-field`: an unknown key.

use crate::file::File;
use crate::rule::{Check, Found, Rule};
use abide::Severity;
use abide::syntax::FieldKind;

pub(crate) static RULE: Rule = Rule::new(
    "unknown-field",
    Severity::Info,
    include_str!("unknown_field.md"),
    Check::File(check),
);

/// Keys that some robots read, or used to read, and what to know about them.
const ELSEWHERE: [(&str, &str); 8] = [
    ("clean-param", "only Yandex uses Clean-param"),
    (
        "content-signal",
        "Content-Signal states AI preferences; it does not stop robots from crawling",
    ),
    (
        "content-usage",
        "Content-Usage states AI preferences; it does not stop robots from crawling",
    ),
    ("host", "only Yandex used Host, until 2018"),
    (
        "nofollow",
        "robots ignore Nofollow in robots.txt; use a robots tag",
    ),
    (
        "noindex",
        "robots ignore Noindex in robots.txt; use a robots tag",
    ),
    ("request-rate", "few robots use Request-rate"),
    ("visit-time", "few robots use Visit-time"),
];

fn check(file: &File<'_>, found: &mut Found) {
    for (line, field, _) in file.fields_of(FieldKind::Other) {
        let Ok(key) = std::str::from_utf8(field.key.of(file.text())) else {
            continue;
        };
        let elsewhere = ELSEWHERE
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(key));
        if let Some((_, known)) = elsewhere {
            found.say(Some(line.number), field.key, *known);
        } else {
            let message = format!(
                "unknown field {}: neither RFC 9309 nor its extensions define it",
                file.shown(field.key)
            );
            found.say(Some(line.number), field.key, message);
        }
    }
}

/// Whether some robots read this key, or used to read it.
pub(super) fn is_elsewhere(key: &str) -> bool {
    ELSEWHERE
        .iter()
        .any(|(known, _)| known.eq_ignore_ascii_case(key))
}
