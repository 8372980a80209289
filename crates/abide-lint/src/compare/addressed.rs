//! Which lines of files address a client. Clients that the same lines address get the same answers.

use super::clients::acap_crawlers;
use abide::{Client, Policy, Robots};
use std::collections::BTreeSet;

/// How a client finds its groups in one file, and which groups these are.
pub(super) type ChosenGroups = (Option<&'static str>, Vec<usize>);

/// The lines of files that address a client.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AddressedLines {
    /// In each file.
    groups: Vec<ChosenGroups>,
    /// The names that `ACAP-crawler` fields have, in lower case.
    crawlers: Vec<String>,
    /// The control tokens that the client asks about, and everything else that it asks about
    /// preferences.
    preferences: Option<String>,
}

impl AddressedLines {
    /// `names` are those of the `ACAP-crawler` fields of all files.
    pub(super) fn new(files: &[(&Robots, &Policy)], names: &BTreeSet<String>) -> Self {
        let client = files.first().map(|(_, policy)| policy.client());
        let preferences = client.and_then(Client::preferences);
        let tokens = client.map_or(&[][..], |client| client.product_tokens());
        let tokens = tokens
            .iter()
            .map(|token| token.as_str().to_ascii_lowercase());
        Self {
            groups: files
                .iter()
                .map(|(robots, policy)| chosen(robots, policy))
                .collect(),
            crawlers: tokens.filter(|name| names.contains(name)).collect(),
            // What is asked has no order of its own.
            preferences: preferences.map(|profile| format!("{profile:?}")),
        }
    }
}

fn chosen(robots: &Robots, policy: &Policy) -> ChosenGroups {
    let chosen = policy.chosen_groups();
    let by = chosen.first().map(|selection| selection.by.name());
    let lines = chosen.iter().map(|selection| selection.place.line as usize);
    let groups = lines.filter_map(|line| robots.lines().get(line.checked_sub(1)?)?.group);
    (by, groups.collect())
}

/// The names in `ACAP-crawler` fields of the files, in lower case.
pub(super) fn crawler_names(files: &[&Robots]) -> BTreeSet<String> {
    let values = files.iter().flat_map(|robots| acap_crawlers(robots));
    values
        .map(|value| String::from_utf8_lossy(value).to_ascii_lowercase())
        .collect()
}
