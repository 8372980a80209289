//! The list of requirements, and a check that each of them is covered.
//!
//! A requirement is covered by a vector, by a test function named after it, or by an entry in
//! `vectors/uncovered.toml` that gives the reason why no test can show it. That list may only
//! shrink.

use crate::vectors::{VectorFile, folder};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

/// The requirements of this version, by prefix and number.
const RANGES: [(&str, &[std::ops::RangeInclusive<u32>]); 15] = [
    ("REP", &[1..=87]),
    ("PUR", &[1..=17]),
    ("AMB-REP", &[1..=29]),
    ("AMB-PUR", &[1..=11]),
    ("TAG", &[1..=48]),
    ("AMB-TAG", &[1..=21]),
    ("APP", &[1..=36]),
    ("AMB-APP", &[1..=24]),
    ("ACAP", &[1..=144]),
    ("AMB-ACAP", &[1..=37]),
    ("AMB-X", &[1..=16]),
    ("CLA", &[1..=25]),
    ("PREF", &[1..=140]),
    ("AMB-PREF", &[1..=35]),
    ("CLA-PREF", &[1..=22]),
];

/// The IDs that must be covered.
#[must_use]
pub fn all() -> BTreeSet<String> {
    RANGES
        .iter()
        .flat_map(|(prefix, ranges)| {
            ranges
                .iter()
                .cloned()
                .flatten()
                .map(move |number| format!("{prefix}-{number}"))
        })
        .collect()
}

/// The list of requirements that no test shows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uncovered {
    /// The maximum number of entries. It may be lowered, never raised.
    pub most: usize,
    /// The entries.
    #[serde(default)]
    pub entry: Vec<Entry>,
}

/// A requirement that no test shows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The requirement.
    pub id: String,
    /// Why no test can show it.
    pub reason: String,
}

/// Reads `vectors/uncovered.toml`.
///
/// # Panics
/// Panics if the file cannot be read.
#[must_use]
pub fn uncovered() -> Uncovered {
    let text =
        fs::read_to_string(folder().join("uncovered.toml")).expect("uncovered.toml is there");
    toml::from_str(&text).unwrap_or_else(|error| panic!("uncovered.toml: {error}"))
}

/// The IDs in names of test functions: `fn amb_rep_4_ties` below a line `#[test]` covers AMB-REP-4.
#[must_use]
pub fn named_in_tests(sources: &[&str]) -> BTreeSet<String> {
    let lines = |source: &&str| -> Vec<String> {
        source.lines().map(|line| line.trim().to_owned()).collect()
    };
    let pairs = sources.iter().flat_map(|source| {
        let lines = lines(source);
        lines
            .iter()
            .zip(lines.iter().skip(1))
            .map(|(a, b)| (a.clone(), b.clone()))
            .collect::<Vec<_>>()
    });
    pairs
        .filter(|(attribute, _)| attribute == "#[test]")
        .filter_map(|(_, function)| id_of(function.strip_prefix("fn ")?))
        .collect()
}

fn id_of(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split('_').collect();
    let number = parts.iter().position(|part| part.parse::<u32>().is_ok())?;
    let prefix = parts.get(..number)?.join("-").to_uppercase();
    RANGES
        .iter()
        .any(|(known, _)| *known == prefix)
        .then(|| format!("{prefix}-{}", parts[number]))
}

/// Checks that every requirement is covered.
///
/// # Errors
/// Returns a text that lists every gap and every entry that is covered after all, and reports a
/// list that has grown.
pub fn check(files: &[(String, VectorFile)], test_sources: &[&str]) -> Result<(), String> {
    let mut covered: BTreeSet<String> = named_in_tests(test_sources);
    covered.extend(
        files
            .iter()
            .flat_map(|(_, file)| file.ids().map(str::to_owned)),
    );
    let list = uncovered();
    let listed: BTreeSet<&str> = list.entry.iter().map(|entry| entry.id.as_str()).collect();
    let mut gaps = String::new();
    for id in all()
        .iter()
        .filter(|id| !covered.contains(*id) && !listed.contains(id.as_str()))
    {
        let _ = writeln!(
            gaps,
            "{id} has no vector, no test named after it, and no entry in uncovered.toml"
        );
    }
    for entry in list
        .entry
        .iter()
        .filter(|entry| covered.contains(&entry.id))
    {
        let _ = writeln!(
            gaps,
            "{} is covered: take it out of uncovered.toml",
            entry.id
        );
    }
    for entry in list
        .entry
        .iter()
        .filter(|entry| entry.reason.trim().is_empty())
    {
        let _ = writeln!(gaps, "{} has no reason", entry.id);
    }
    if list.entry.len() != list.most {
        let _ = writeln!(
            gaps,
            "uncovered.toml has {} entries, and says {}",
            list.entry.len(),
            list.most
        );
    }
    if gaps.is_empty() { Ok(()) } else { Err(gaps) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_are_counted() {
        assert_eq!(
            all().len(),
            87 + 17 + 29 + 11 + 48 + 21 + 36 + 24 + 144 + 37 + 16 + 25 + 140 + 35 + 22
        );
    }

    #[test]
    fn names_of_tests_are_read() {
        let source = "#[test]\nfn rep_14_line_ends() {}\n    #[test]\n    fn amb_rep_4_ties() {}\nfn pur_5_helper() {}\n#[test]\nfn g_17_law() {}";
        let found: Vec<_> = named_in_tests(&[source]).into_iter().collect();
        assert_eq!(found, ["AMB-REP-4", "REP-14"]);
        let source = "#[test]\nfn pref_20_a() {}\n#[test]\nfn amb_pref_4_b() {}\n#[test]\nfn cla_pref_5_c() {}";
        let found: Vec<_> = named_in_tests(&[source]).into_iter().collect();
        assert_eq!(found, ["AMB-PREF-4", "CLA-PREF-5", "PREF-20"]);
    }

    #[test]
    fn a_gap_is_found() {
        let gaps = check(&[], &[]).expect_err("nothing is covered");
        assert!(gaps.contains("REP-28 has no vector"));
    }
}
