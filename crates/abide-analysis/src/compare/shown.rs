//! Which differences a report shows by themselves, and which ones only follow from others.

use super::audience::Audience;
use super::effect::{self, closes, is_void, opens};
use super::files::Differences;
use super::report::{Comparison, Region};
use abide::Usage;
use std::collections::BTreeSet;

/// The regions to show. `/robots.txt` is only shown for a usage without any other region.
pub(super) fn shown(comparison: &Comparison) -> impl Iterator<Item = &Region> {
    let others = comparison.regions.iter();
    let others = others.filter(|one| !one.is_robots_txt());
    let others: BTreeSet<Usage> = others.map(|region| region.usage).collect();
    let regions = comparison.regions.iter();
    regions.filter(move |one| !one.is_robots_txt() || !others.contains(&one.usage))
}

/// Which changes of preferences follow from changes of crawling.
pub(super) struct Consequences {
    /// The lines that change what may be crawled, by file.
    crawling: BTreeSet<(&'static str, u32)>,
    /// The entries of robots for which a control token with a group of its own is in the
    /// comparison.
    with_token: BTreeSet<usize>,
}

impl Consequences {
    pub(super) fn new(differences: &Differences, audience: &Audience<'_>) -> Self {
        let entries = 0..differences.clients.len();
        let is_token = |at: &usize| audience.is_control_token(*at);
        let tokens: BTreeSet<usize> = entries.clone().filter(is_token).collect();
        let robots = differences.clients.iter().enumerate();
        // A token follows no change of crawling of its own, because it never crawls.
        let robots = robots.filter(|(at, _)| !tokens.contains(at));
        let regions = robots.flat_map(|(_, one)| &one.comparison.regions);
        let fetchers = audience.fetchers_for(&tokens);
        Self {
            crawling: regions.filter_map(crawling_line).collect(),
            with_token: entries
                .filter(|at| tokens.contains(at) || audience.are_among(*at, &fetchers))
                .collect(),
        }
    }

    /// Regions of an entry about preferences: those that follow from a change of crawling because
    /// of control tokens, and those that change by themselves. That `Content-Usage` says nothing
    /// where crawling is disallowed is in neither.
    pub(super) fn apart<'d>(
        &self,
        at: usize,
        regions: impl Iterator<Item = &'d Region>,
    ) -> (Vec<&'d Region>, Vec<&'d Region>) {
        let regions = regions.filter(|region| !is_void(&region.old) && !is_void(&region.new));
        regions.partition(|region| {
            let by = effect::deciding(region);
            let is_known = by.is_some_and(|by| self.crawling.contains(&(by.file, by.line)));
            is_known
                && effect::is_by_control_token(region)
                // With a group of its own, the token says so itself, and the change is shown there.
                && !self.with_token.contains(&at)
        })
    }
}

/// The line that closes or opens URLs.
fn crawling_line(region: &Region) -> Option<(&'static str, u32)> {
    let (answer, file) = if closes(region) {
        (&region.new, "new")
    } else if opens(region) {
        (&region.old, "old")
    } else {
        return None;
    };
    Some((file, answer.decided_by.as_ref()?.line?))
}
