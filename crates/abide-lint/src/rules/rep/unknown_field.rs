//! `unknown-field`: an unknown key, or one with a meaning elsewhere (PREF-129, PREF-130).

use crate::file::File;
use crate::peers::taken_by_google;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::explain::shown;
use abide::syntax::{Addressee, FieldKind, Line, PathPattern, preference_vocabulary};
use abide::verdict::Sense;
use abide::{Client, DecidingRule, Policy, ProductToken, Severity, Target};
use abide_analysis::sample;
use std::collections::BTreeMap;

pub(crate) static RULE: Rule = Rule::new(
    "unknown-field",
    Severity::Info,
    include_str!("unknown_field.md"),
    RuleCheck::File(check),
)
.or(Severity::Warning);

/// Keys that some robots read, or used to read, and what to know about them.
const ELSEWHERE: [(&str, Severity, &str); 30] = [
    ("agentmap", Severity::Info, POINTER),
    ("ai-policy", Severity::Warning, MEANT),
    ("ai-txt", Severity::Info, TEXT_FILE),
    ("ai-usage", Severity::Warning, MEANT),
    ("ai.txt", Severity::Info, TEXT_FILE),
    ("allowaitraining", Severity::Info, EXPIRED_ALLOW),
    (
        "clean-param",
        Severity::Info,
        "only Yandex uses Clean-param",
    ),
    ("compensation", Severity::Warning, RSL),
    ("disallowaitraining", Severity::Info, EXPIRED_DISALLOW),
    ("host", Severity::Info, "only Yandex used Host, until 2018"),
    ("licence", Severity::Warning, LICENCE),
    ("llm-policy", Severity::Info, POINTER),
    ("llms", Severity::Info, TEXT_FILE),
    ("llms-full", Severity::Info, TEXT_FILE),
    ("llms-txt", Severity::Info, TEXT_FILE),
    ("llms.txt", Severity::Info, TEXT_FILE),
    ("noai", Severity::Warning, TAG),
    (
        "nofollow",
        Severity::Info,
        "robots ignore Nofollow in robots.txt; use a robots tag",
    ),
    ("noimageai", Severity::Warning, TAG),
    (
        "noindex",
        Severity::Info,
        "robots ignore Noindex in robots.txt; use a robots tag",
    ),
    ("noml", Severity::Warning, TAG),
    ("permits", Severity::Warning, RSL),
    ("prohibits", Severity::Warning, RSL),
    (
        "request-rate",
        Severity::Info,
        "few robots use Request-rate",
    ),
    ("schemamap", Severity::Info, POINTER),
    ("standard", Severity::Warning, RSL),
    ("tdm-policy", Severity::Warning, TDM_FIELD),
    ("tdm-reservation", Severity::Warning, TDM_FIELD),
    ("usage-preference", Severity::Warning, MEANT),
    ("visit-time", Severity::Info, "few robots use Visit-time"),
];

const POINTER: &str = "this line points to another file; it allows and disallows nothing";
const TEXT_FILE: &str =
    "robots look for such a file by themselves, if at all; this line allows and disallows nothing";
const EXPIRED_ALLOW: &str =
    "this key is from a draft of 2025 that expired, and no robot is known to read it";
const EXPIRED_DISALLOW: &str = "this key is from a draft of 2025 that expired, and no robot is known to read it; name the robots that train, such as GPTBot, in User-agent lines";
const LICENCE: &str = "robots ignore this key; the key of RSL is License";
const MEANT: &str =
    "no robot is known to read this key; name the robots that you mean in User-agent lines";
const TAG: &str = "this is a rule of robots tags, and no robot reads it in robots.txt; name the robots that train, such as GPTBot, in User-agent lines";
const RSL: &str =
    "RSL says this in the document that License leads to; robots ignore it in robots.txt";
const TDM_FIELD: &str = "this is a response field, or a member of /.well-known/tdmrep.json; robots ignore it in robots.txt";

fn check(file: &File<'_>, found: &mut Findings) {
    let mut policies = BTreeMap::new();
    for (line, field, value) in file.fields_of(FieldKind::Other) {
        if file.robots.is_preference(line) {
            continue;
        }
        let Ok(key) = std::str::from_utf8(field.key.of(file.text())) else {
            continue;
        };
        if key.eq_ignore_ascii_case("noindex") {
            let message = noindex(file, line, value, &mut policies);
            found.say(Some(line.number), field.key, message);
        } else if let Some((severity, known)) = known(key) {
            let place = found.say(Some(line.number), field.key, known);
            place.severity(severity);
        } else if taken_by_google(key.as_bytes()).is_none() {
            let message = format!(
                "unknown field {}: neither RFC 9309 nor its extensions define it",
                file.shown(field.key)
            );
            found.say(Some(line.number), field.key, message);
        }
    }
}

/// The largest number of groups for whose robots `Noindex` lines are read.
const MAX_GROUPS: usize = 64;

/// What to do in place of a `Noindex` line: a robot that may not fetch a page never sees its tags.
fn noindex(
    file: &File<'_>,
    line: &Line,
    value: &[u8],
    policies: &mut BTreeMap<Option<usize>, Policy>,
) -> String {
    const TAG: &str = "<meta name=\"robots\" content=\"noindex\">";
    if !policies.contains_key(&line.group) && policies.len() < MAX_GROUPS {
        policies.insert(line.group, file.robots.policy(&client_of(file, line.group)));
    }
    let pattern = PathPattern::read(value).ok();
    let path = pattern.and_then(|pattern| sample::matching(&pattern));
    let target = path.as_deref().and_then(|path| Target::new(path).ok());
    let rule = policies.get(&line.group).zip(target);
    match rule.map(|(policy, target)| policy.deciding_rule(&target)) {
        Some(DecidingRule::Rule {
            line,
            sense: Sense::Disallow,
        }) => {
            let closing = file.line(line).and_then(Line::field);
            let is_same = closing.is_some_and(|field| field.value.of(file.text()) == value);
            // The Disallow of more pages may be needed for the others.
            let open = if is_same {
                "remove that Disallow".to_owned()
            } else {
                format!("add {}", shown(&[b"Allow: ", value].concat()))
            };
            format!(
                "robots ignore Noindex in robots.txt, and because of line {line} they never see tags of these pages; {open} and send {TAG}"
            )
        }
        _ => format!("robots ignore Noindex in robots.txt; send {TAG} in the page"),
    }
}

/// The client whose rules are those of a group.
pub(super) fn client_of(file: &File<'_>, group: Option<usize>) -> Client {
    let addressees = group.and_then(|group| file.addressees.get(group));
    let token = addressees.and_then(|named| match named.first()? {
        Addressee::Token(token) => ProductToken::nonstandard(token).ok(),
        _ => None,
    });
    token.map_or_else(Client::unnamed, Client::new)
}

/// What there is to know about a key.
fn known(key: &str) -> Option<(Severity, &'static str)> {
    let mut table = ELSEWHERE.iter();
    let row = table.find(|(known, ..)| known.eq_ignore_ascii_case(key));
    row.map(|(_, severity, text)| (*severity, *text))
}

/// Whether some robots read this key, or used to read it, or it states AI preferences.
pub(super) fn is_elsewhere(key: &str) -> bool {
    known(key).is_some() || preference_vocabulary(key.as_bytes()).is_some()
}
