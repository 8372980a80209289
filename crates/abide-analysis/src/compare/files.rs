//! Compares two files for all clients.

use super::addressed::{AddressedLines, crawler_names};
use super::clients::NamedClient;
use super::data;
use super::report::{Aspect, Change, Comparison};
use super::{CompiledFile, compared_within};
use crate::bound::{Bound, GoesOn, Work};
use abide::Robots;
use serde::Serialize;
use std::collections::BTreeMap;

/// What changes from one file to another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Differences {
    /// The robots that were compared. Robots that the same lines address are together.
    pub clients: Vec<ClientDifferences>,
    /// The values of all `Sitemap` records, sorted, if they change (REP-63).
    #[serde(serialize_with = "data::texts")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Change<Vec<String>>>"))]
    pub sitemaps: Option<Change<Vec<Vec<u8>>>>,
    /// How many robots were not compared at all, because the comparison reached its limit.
    #[serde(serialize_with = "data::count")]
    #[cfg_attr(feature = "schema", schemars(with = "usize"))]
    pub left_out: Vec<NamedClient>,
}

/// Robots that the same lines address in both files, and what changes for each of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ClientDifferences {
    /// The robots; with neither agent nor purpose, all that no line names.
    #[serde(rename = "names")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub clients: Vec<NamedClient>,
    /// Whether it was shown that nothing changes for them.
    #[serde(rename = "equivalent")]
    is_equivalent: bool,
    /// What changes for each of them. [`Comparison::groups`] has the names of the first one.
    #[serde(flatten)]
    pub comparison: Comparison,
}

impl ClientDifferences {
    fn new(client: NamedClient, mut comparison: Comparison) -> Self {
        let applications = client.left_out_applications;
        if applications > 0 {
            comparison.is_complete = false;
            let aspect = Aspect::MoreDirectives { applications };
            comparison.unfinished.push(aspect);
        }
        Self {
            clients: vec![client],
            is_equivalent: comparison.is_equivalent(),
            comparison,
        }
    }
}

impl Differences {
    /// Whether everything was compared and nothing changes.
    #[must_use]
    pub fn is_equivalent(&self) -> bool {
        let same = |one: &ClientDifferences| one.is_equivalent;
        self.left_out.is_empty() && self.sitemaps.is_none() && self.clients.iter().all(same)
    }

    /// Whether everything was compared.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.left_out.is_empty() && self.clients.iter().all(|one| one.comparison.is_complete)
    }
}

/// What changes from `old` to `new` for `clients`. Clients addressed by the same lines share one
/// comparison. `bound` limits all comparisons together.
#[must_use]
pub fn files(old: &Robots, new: &Robots, clients: &[NamedClient], bound: Bound) -> Differences {
    files_while(old, new, clients, bound, &|| true).unwrap_or_default()
}

/// Like [`files`], but stops when `goes_on` returns false before a client, and returns `None`.
#[must_use]
pub fn files_while(
    old: &Robots,
    new: &Robots,
    clients: &[NamedClient],
    bound: Bound,
    goes_on: GoesOn<'_>,
) -> Option<Differences> {
    let mut work = Work::new(bound);
    let mut differences = Differences {
        sitemaps: Change::between(sitemaps(old), sitemaps(new)),
        ..Differences::default()
    };
    let mut known: BTreeMap<AddressedLines, usize> = BTreeMap::new();
    let names = crawler_names(&[old, new]);
    // Reading a byte of a file is faster than comparing a place of a pattern.
    let read = (bytes_for_all(old) + bytes_for_all(new)) / 8;
    for (at, client) in clients.iter().enumerate() {
        if !goes_on() {
            return None;
        }
        if !work.spend(100 + read) {
            // Nothing is known about these, not even whether they are addressed like others.
            differences.left_out = clients.get(at..).unwrap_or_default().to_vec();
            break;
        }
        let addressed = AddressedLines::of(&client.client, &[old, new], &names);
        if let Some(one) = known
            .get(&addressed)
            .and_then(|at| differences.clients.get_mut(*at))
        {
            one.clients.push(client.clone());
            continue;
        }
        known.insert(addressed, differences.clients.len());
        let compared = |robots| CompiledFile {
            robots,
            policy: Robots::counting_policy(robots, &client.client),
        };
        let (old, new) = (compared(old), compared(new));
        // One hostile group cannot use up what all later clients need.
        let half = work.half();
        let mut own = half;
        let comparison = compared_within(&old, &new, &mut own);
        let compared = ClientDifferences::new(client.clone(), comparison);
        differences.clients.push(compared);
        work.spend(own.spent_since(half));
    }
    Some(differences)
}

/// How many bytes are read for every client: those of lines in no group.
fn bytes_for_all(robots: &Robots) -> u64 {
    let lines = robots.lines().iter();
    let outside = lines.filter(|line| line.group.is_none());
    outside
        .map(|line| u64::from(line.span.end - line.span.start))
        .sum()
}

fn sitemaps(robots: &Robots) -> Vec<Vec<u8>> {
    let mut values: Vec<_> = robots.sitemaps().map(|(_, value)| value.to_vec()).collect();
    values.sort();
    values.dedup();
    values
}
