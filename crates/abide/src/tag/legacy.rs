//! The historical grammar: rules separated by commas, with a product token and a colon before rules
//! for one robot (AMB-TAG-3). Meta elements use it without product tokens (TAG-24).

use super::Scope;
use super::rule::{RuleKind, StatedRule, is_known_rule, takes_value};
use crate::visible::shown;

/// A part of a line: whom it is for, and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) scope: Scope,
    pub(super) rule: StatedRule,
    pub(super) text: String,
}

/// Reads one field line. A product token applies to everything after it on the line.
pub(super) fn line(value: &str) -> Vec<Segment> {
    let mut scope = Scope::Everyone;
    let mut segments = Vec::new();
    for text in divide(value) {
        let mut stated = text;
        if let Some((name, rest)) = text.split_once(':') {
            let name = name.trim().to_ascii_lowercase();
            let is_rule = takes_value(&name)
                || RuleKind::of(&name) != RuleKind::Unknown
                || is_new_rule(&name, rest);
            if !is_rule && !name.is_empty() {
                scope = if name == "*" {
                    Scope::Everyone
                } else {
                    Scope::Token(name)
                };
            }
            if !is_rule {
                stated = rest.trim();
            }
        }
        if let Some(rule) = rule(stated) {
            segments.push(Segment {
                scope: scope.clone(),
                rule,
                text: text.to_owned(),
            });
        }
    }
    segments
}

/// Whether `name: value` is an unknown rule rather than a product token before a rule. Read as a
/// token, it would limit the rules after it to a robot of that name. Every rule with a limit is
/// called `max-…`, and what follows a product token is a word.
fn is_new_rule(name: &str, value: &str) -> bool {
    let is_word = |value: &str| value.starts_with(|c: char| c.is_ascii_alphabetic() || c == ';');
    let value = value.trim();
    name.starts_with("max-") || !(value.is_empty() || is_word(value))
}

/// Whether a text is a rule, perhaps with its value, or behind a product token.
pub(super) fn names_rule(text: &str) -> bool {
    let name = text.rsplit(':').next().unwrap_or(text).trim();
    let valued = text.split(':').next().unwrap_or(text).trim();
    is_known_rule(name) || is_known_rule(valued)
}

/// Whether `text` consists of rules that a `;` joins, so that it is one rule, which no robot knows.
pub(crate) fn is_joined(text: &str) -> bool {
    text.contains(';') && text.split(';').all(names_rule)
}

/// What is wrong with rules that a `;` joins.
pub(crate) fn joined_rules(place: &str, text: &str) -> String {
    let parts: Vec<&str> = text.split(';').map(str::trim).collect();
    format!(
        "{place}: \";\" does not separate rules, so {} has no effect; write {}",
        shown(text.as_bytes()),
        shown(parts.join(", ").as_bytes())
    )
}

/// Reads the content of a meta element.
pub(super) fn rules(content: &str) -> Vec<StatedRule> {
    let mut rules: Vec<_> = divide(content).into_iter().filter_map(rule).collect();
    // A page can have a meta element for every few bytes.
    rules.shrink_to_fit();
    rules
}

fn rule(text: &str) -> Option<StatedRule> {
    let text = text.trim_matches(super::is_html_space);
    let (name, value) = match text.split_once(':') {
        Some((name, value)) => (
            name.trim(),
            Some(value.trim()).filter(|value| !value.is_empty()),
        ),
        None => (text, None),
    };
    let name = name.to_ascii_lowercase();
    (!name.is_empty()).then(|| StatedRule {
        name,
        value: value.map(str::to_owned),
    })
}

/// The parts between commas, except a comma after the weekday of a date: a digit follows it, and no
/// rule begins with one.
pub(super) fn divide(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut end = rest.find(',').unwrap_or(rest.len());
        let is_date = rest.get(..end).is_some_and(|part| {
            part.rsplit_once(':')
                .map_or(part, |(name, _)| name)
                .to_ascii_lowercase()
                .contains("unavailable_after")
        });
        let behind = rest.get(end.saturating_add(1)..).unwrap_or_default();
        if is_date
            && behind
                .trim_start()
                .starts_with(|c: char| c.is_ascii_digit())
        {
            let more = behind.find(',').unwrap_or(behind.len());
            end = end.saturating_add(1).saturating_add(more);
        }
        parts.push(
            rest.get(..end)
                .unwrap_or_default()
                .trim_matches(super::is_html_space),
        );
        rest = rest.get(end.saturating_add(1)..).unwrap_or_default();
    }
    parts
}
