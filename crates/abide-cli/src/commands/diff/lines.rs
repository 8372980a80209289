//! Parts of the report that people read, made of text that `show` makes safe.

use abide::verdict::Source;
use abide::{Outcome, Usage};
use abide_lint::compare::{
    Answer, Cause, Change, Chosen, Differences, Directives, NamedClient, Region,
};
use abide_lint::preferences::in_words;
use std::collections::BTreeSet;

/// Makes foreign text safe.
pub(super) type Show<'s> = &'s dyn Fn(&[u8]) -> String;

/// The line that decides, or why none does.
pub(super) fn decided(answer: &Answer, show: Show<'_>) -> String {
    let what = match &answer.decided_by {
        None => "no line is about it".to_owned(),
        Some(by) => {
            let words = by.reason.name().replace('-', " ");
            match by.line {
                Some(line) if by.source == Source::Default => {
                    format!("{words} in the group of line {line}")
                }
                Some(line) => format!("line {line}: {}", show(&by.statement)),
                None => words,
            }
        }
    };
    let conditions = answer.conditions.iter();
    let conditions: Vec<String> = conditions
        .map(|condition| format!("; only with {}", show(condition.to_string().as_bytes())))
        .collect();
    what + &conditions.concat()
}

/// The regions of a cause, each set of URLs once.
pub(super) fn regions<'d>(cause: &Cause, differences: &'d Differences) -> Vec<&'d Region> {
    let mut seen = BTreeSet::new();
    let places = cause.regions.iter();
    let regions = places.filter_map(|place| {
        let clients = differences.clients.get(place.clients)?;
        clients.comparison.regions.get(place.region)
    });
    let line = |answer: &Answer| answer.decided_by.as_ref().and_then(|by| by.line);
    let mut regions: Vec<&Region> = regions
        .filter(|region| {
            let key = (
                region.usage.name(),
                &region.witness,
                line(&region.old),
                line(&region.new),
            );
            seen.insert(key)
        })
        .collect();
    regions.sort_by_key(|region| region.witness.len());
    regions
}

/// A change that concerns preferences and is no region.
pub(super) struct PreferenceRow<'d> {
    pub(super) clients: Vec<NamedClient>,
    pub(super) what: String,
    pub(super) old: String,
    pub(super) new: String,
    pub(super) witness: Option<&'d str>,
}

/// Licence documents, and what single vocabularies say otherwise; each change once.
pub(super) fn preference_rows<'d>(
    differences: &'d Differences,
    show: Show<'_>,
) -> Vec<PreferenceRow<'d>> {
    let mut rows: Vec<PreferenceRow<'d>> = Vec::new();
    let mut add = |clients: &[NamedClient], what: String, (old, new), witness| {
        let is_like = |row: &&mut PreferenceRow<'_>| {
            (&row.what, &row.old, &row.new, row.witness) == (&what, &old, &new, witness)
        };
        match rows.iter_mut().find(is_like) {
            Some(row) => row.clients.extend_from_slice(clients),
            None => rows.push(PreferenceRow {
                clients: clients.to_vec(),
                what,
                old,
                new,
                witness,
            }),
        }
    };
    for one in &differences.clients {
        for change in &one.comparison.vocabularies {
            let what = format!("{} about {}", change.vocabulary, change.usage);
            let sides = (in_words(change.old), in_words(change.new));
            add(&one.clients, what, sides, Some(change.witness.as_str()));
        }
        if let Some(Change { old, new }) = &one.comparison.licences {
            let urls = |urls: &[String]| {
                let urls: Vec<_> = urls.iter().map(|url| show(url.as_bytes())).collect();
                nothing_or(&urls)
            };
            let what = "licence documents".to_owned();
            add(&one.clients, what, (urls(old), urls(new)), None);
        }
    }
    rows
}

/// An outcome in words.
pub(super) fn outcome_of(usage: Usage, outcome: Outcome) -> String {
    if Usage::PREFERENCES.contains(&usage) {
        in_words(outcome)
    } else {
        outcome.to_string()
    }
}

pub(super) fn counted(count: usize, what: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { what } else { many })
}

pub(super) fn nothing_or(all: &[String]) -> String {
    if all.is_empty() {
        "nothing".to_owned()
    } else {
        all.join(", ")
    }
}

pub(super) fn group(chosen: Option<&Chosen>) -> &'static str {
    match chosen {
        None => "none",
        Some(chosen) if chosen.by == "any-crawler" => "that of \"*\"",
        Some(chosen) if chosen.by == "purpose" => "that of its purpose",
        Some(_) => "its own",
    }
}

pub(super) fn asked_of(asked: &Directives, show: Show<'_>) -> String {
    let value = |(name, value): (&String, &abide::app::DirectiveValue)| {
        format!("{name}={}", show(value.to_string().as_bytes()))
    };
    let values = nothing_or(&asked.values.iter().map(value).collect::<Vec<_>>());
    let lines: Vec<_> = asked.lines.iter().map(u32::to_string).collect();
    match lines.as_slice() {
        [] => values,
        [line] => format!("line {line}: {values}"),
        _ => format!("lines {}: {values}", lines.join(", ")),
    }
}
