//! Compares two files for all clients.

use super::bound::{Bound, Work};
use super::clients::{NamedClient, acap_crawlers};
use super::report::{Changed, Comparison};
use super::{Compared, compared_within};
use abide::{Policy, Robots};
use std::collections::{BTreeMap, BTreeSet};

/// What changes from one file to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Differences {
    /// The clients that were compared, in the order given. Clients that share all rules are
    /// together.
    pub clients: Vec<ClientDifferences>,
    /// The values of `Sitemap` records, sorted, if they change (REP-63).
    pub sitemaps: Option<Changed<Vec<Vec<u8>>>>,
    /// The number of clients that were not compared because the bound was reached.
    pub left_out: usize,
}

/// What changes for some clients.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClientDifferences {
    /// Clients that are addressed by the same lines in both files.
    pub clients: Vec<NamedClient>,
    /// What changes for each of them. [`Comparison::groups`] has the names of the first one.
    pub comparison: Comparison,
}

impl Differences {
    /// Whether everything was compared and nothing changes.
    #[must_use]
    pub fn is_equivalent(&self) -> bool {
        let same = |one: &ClientDifferences| one.comparison.is_equivalent();
        self.left_out == 0 && self.sitemaps.is_none() && self.clients.iter().all(same)
    }

    /// Whether everything was compared.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.left_out == 0 && self.clients.iter().all(|one| one.comparison.is_complete)
    }
}

/// What changes from `old` to `new` for `clients`. Clients addressed by the same lines share one
/// comparison. `bound` limits all comparisons together.
#[must_use]
pub fn files(old: &Robots, new: &Robots, clients: &[NamedClient], bound: Bound) -> Differences {
    let mut work = Work::new(bound);
    let mut differences = Differences {
        sitemaps: Changed::between(sitemaps(old), sitemaps(new)),
        ..Differences::default()
    };
    let mut known: BTreeMap<Addressed, usize> = BTreeMap::new();
    let names = crawler_names(old, new);
    // Reading a byte of a file is faster than comparing a place of a pattern.
    let read = (old.text().as_bytes().len() + new.text().as_bytes().len()) as u64 / 8;
    for (at, client) in clients.iter().enumerate() {
        if !work.spend(100 + read) {
            differences.left_out = clients.len() - at;
            break;
        }
        let compared = |robots| Compared {
            robots,
            policy: Robots::policy(robots, &client.client),
        };
        let (old, new) = (compared(old), compared(new));
        let addressed = Addressed::new(&old, &new, client, &names);
        if let Some(one) = known
            .get(&addressed)
            .and_then(|at| differences.clients.get_mut(*at))
        {
            one.clients.push(client.clone());
            continue;
        }
        known.insert(addressed, differences.clients.len());
        let half = work.half();
        let mut own = half;
        differences.clients.push(ClientDifferences {
            clients: vec![client.clone()],
            comparison: compared_within(&old, &new, &mut own),
        });
        work.spend(own.spent_since(half));
    }
    differences
}

/// The lines of two files that address a client.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Addressed {
    groups: [(Option<&'static str>, Vec<usize>); 2],
    /// The name, if an ACAP record has it.
    crawler: Option<String>,
}

impl Addressed {
    fn new(
        old: &Compared<'_>,
        new: &Compared<'_>,
        client: &NamedClient,
        names: &BTreeSet<String>,
    ) -> Self {
        let name = client
            .agent
            .as_ref()
            .map(|agent| agent.to_ascii_lowercase());
        Self {
            groups: [old, new].map(|one| chosen(one.robots, &one.policy)),
            crawler: name.filter(|name| names.contains(name)),
        }
    }
}

/// By what the client finds its groups, and which groups these are.
fn chosen(robots: &Robots, policy: &Policy) -> (Option<&'static str>, Vec<usize>) {
    let chosen = policy.chosen_groups();
    let by = chosen.first().map(|selection| selection.by.name());
    let lines = chosen.iter().map(|selection| selection.place.line as usize);
    let groups = lines.filter_map(|line| robots.lines().get(line.checked_sub(1)?)?.group);
    (by, groups.collect())
}

/// The names in `ACAP-crawler` fields of either file, in lower case.
fn crawler_names(old: &Robots, new: &Robots) -> BTreeSet<String> {
    let values = acap_crawlers(old).chain(acap_crawlers(new));
    values
        .map(|value| String::from_utf8_lossy(value).to_ascii_lowercase())
        .collect()
}

fn sitemaps(robots: &Robots) -> Vec<Vec<u8>> {
    let mut values: Vec<_> = robots.sitemaps().map(|(_, value)| value.to_vec()).collect();
    values.sort();
    values.dedup();
    values
}
