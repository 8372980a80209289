//! Which lines of files address a client. Clients that the same lines address get the same answers.

use super::names::acap_crawlers;
use abide::{Client, Robots};
use std::collections::BTreeSet;

/// How a client finds its groups in one file, and which groups these are.
type ChosenGroups = (Option<&'static str>, Vec<usize>);

/// The lines of files that address a client.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AddressedLines {
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
    pub(crate) fn of(client: &Client, files: &[&Robots], names: &BTreeSet<String>) -> Self {
        let tokens = client.product_tokens().iter();
        let tokens = tokens.map(|token| token.as_str().to_ascii_lowercase());
        Self {
            // How it finds them too: two robots can share a group that names one and not the other.
            groups: files.iter().map(|robots| chosen(robots, client)).collect(),
            crawlers: tokens.filter(|name| names.contains(name)).collect(),
            // What is asked has no order of its own.
            preferences: client.preferences().map(|profile| format!("{profile:?}")),
        }
    }
}

/// How a client finds its groups, and which these are.
fn chosen(robots: &Robots, client: &Client) -> ChosenGroups {
    let chosen = robots.chosen_groups(client);
    let by = chosen.first().map(|selection| selection.by.name());
    let lines = chosen.iter().map(|selection| selection.place.line as usize);
    let groups = lines.filter_map(|line| robots.lines().get(line.checked_sub(1)?)?.group);
    (by, groups.collect())
}

/// The names in `ACAP-crawler` fields of the files, in lower case.
pub(crate) fn crawler_names(files: &[&Robots]) -> BTreeSet<String> {
    let values = files.iter().flat_map(|robots| acap_crawlers(robots));
    values
        .map(|value| String::from_utf8_lossy(value).to_ascii_lowercase())
        .collect()
}
