//! Parts of the report that people read, made of text that `show` makes safe.

use abide::verdict::Source;
use abide_lint::compare::{Answer, Cause, Chosen, Differences, Directives, Region};
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
