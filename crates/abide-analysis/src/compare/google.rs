//! Where Google's parser and RFC 9309 do not see the same changes of what may be crawled.

use super::CompiledFile;
use super::compared_within;
use super::files::Differences;
use super::report::Region;
use crate::bound::{Bound, GoesOn, Work};
use abide::{Limits, Outcome, Policy, Profile, Robots, Usage};
use std::collections::BTreeSet;

/// The work of compiling both files for a client, twice.
const WORK_OF_CLIENT: u64 = 100;

/// The changes that one of the two readings sees and the other does not.
pub(super) struct OneSided {
    /// The entries of [`Differences::clients`] that have one.
    pub(super) clients: BTreeSet<usize>,
    /// A path of the first one.
    pub(super) witness: String,
    /// Whether the old file allows it, in the reading that sees the change.
    pub(super) was_allowed: bool,
    /// Whether the answer changes for other clients on other paths, or the other way round.
    pub(super) has_others: bool,
}

/// What Google's parser sees otherwise.
#[derive(Default)]
pub(super) struct GoogleReading {
    pub(super) only_google: Option<OneSided>,
    pub(super) only_rfc: Option<OneSided>,
    /// Whether the comparison reached its limit.
    pub(super) is_unfinished: bool,
}

impl GoogleReading {
    /// Compares both files in the google profile, and the changes with those of `differences`. The
    /// entries for which `is_left_out` holds send no requests.
    pub(super) fn of(
        old: &Robots,
        new: &Robots,
        differences: &Differences,
        is_left_out: &dyn Fn(usize) -> bool,
        bound: Bound,
        goes_on: GoesOn<'_>,
    ) -> Self {
        let mut reading = Self::default();
        if old.profile() != Profile::Careful || new.profile() != Profile::Careful {
            return reading;
        }
        let parsed = [old, new]
            .map(|robots| Robots::parse_as(robots.to_bytes(), Profile::Google, Limits::default()));
        let mut work = Work::new(bound);
        for (at, one) in differences.clients.iter().enumerate() {
            let Some(first) = one.clients.first().filter(|_| goes_on()) else {
                break;
            };
            if !work.spend(WORK_OF_CLIENT) {
                reading.is_unfinished = true;
                break;
            }
            // Purposes and control tokens are nothing that the parser knows.
            if first.purpose.is_some() || is_left_out(at) {
                continue;
            }
            let client = first.client.clone();
            let client = client.without_applications().without_preferences();
            let of_google = client.clone().with_profile(Profile::Google);
            let [before, after] = parsed.each_ref().map(|robots| CompiledFile {
                robots,
                policy: robots.counting_policy(&of_google),
            });
            let half = work.half();
            let mut own = half;
            let google = compared_within(&before, &after, &mut own);
            work.spend(own.spent_since(half));
            reading.is_unfinished |= !google.is_complete;
            let careful = || [old, new].map(|robots| robots.counting_policy(&client));
            add(
                &mut reading.only_google,
                at,
                unseen(&google.regions, careful),
            );
            let of_google = || [before.policy, after.policy];
            add(
                &mut reading.only_rfc,
                at,
                unseen(&one.comparison.regions, of_google),
            );
        }
        reading
    }
}

/// A region about crawling in which the policies of the other reading say the same. Compiles them
/// only if there is such a region: a policy costs as much as a file has ACAP records.
fn unseen(regions: &[Region], policies: impl FnOnce() -> [Policy; 2]) -> Option<&Region> {
    let crawl = |region: &&Region| region.usage == Usage::Crawl && !region.is_robots_txt();
    let mut crawl = regions.iter().filter(crawl).peekable();
    crawl.peek()?;
    let [old, new] = policies();
    crawl.find(|region| {
        // Google's parser takes what follows `//` for a host, if no host is before it.
        let url = format!("https://example.com{}", region.witness);
        old.allows(&url) == new.allows(&url)
    })
}

fn add(to: &mut Option<OneSided>, at: usize, region: Option<&Region>) {
    let Some(region) = region else {
        return;
    };
    let one = to.get_or_insert_with(|| OneSided {
        clients: BTreeSet::new(),
        witness: region.witness.clone(),
        was_allowed: region.old.outcome == Outcome::Permitted,
        has_others: false,
    });
    let was_allowed = region.old.outcome == Outcome::Permitted;
    if one.witness == region.witness && one.was_allowed == was_allowed {
        one.clients.insert(at);
    } else {
        one.has_others = true;
    }
}
