//! What changes, and for whom, from one robots.txt to another, for every URL at once.
//!
//! What a policy says about a URL depends only on which patterns match it, and patterns are regular
//! languages ([`crate::language`]). So the URLs fall into finitely many regions, in each of which
//! the same patterns match. A search looks breadth first for the regions that the files may treat
//! differently. [`abide`] then decides a shortest URL of each region under both files. Nothing is
//! sampled, and nothing is decided here.
//!
//! URLs are paths with query. A permission on condition of another resource of the site is decided
//! with that resource; an absolute URL in such a condition counts as another site's. Permissions
//! references and licence documents are not fetched, so what depends on them is unknown in both
//! files. Robots tags and the passing of time are not part of a file, and are not compared.
//!
//! Training, AI input and search are compared for clients that ask for preferences. [`clients`] and
//! [`known_clients`] ask for them if a file states any (`preferences`).
//!
//! ```
//! use abide::{Client, Outcome, ProductToken, Robots};
//! use abide_analysis::Bound;
//! use abide_analysis::compare;
//! let old = Robots::parse(b"User-agent: *\nDisallow: /private/\n");
//! let new = Robots::parse(b"User-agent: *\nDisallow: /private/\nAllow: /private/press\n");
//! let client = Client::new(ProductToken::new("ExampleBot")?);
//! let comparison = compare::policies(&old, &new, &client, Bound::default());
//! let [region] = comparison.regions.as_slice() else { panic!() };
//! assert_eq!(region.witness, "/private/press");
//! assert_eq!((region.old.outcome, region.new.outcome), (Outcome::Prohibited, Outcome::Permitted));
//! assert!(comparison.is_complete && !comparison.is_equivalent());
//! # Ok::<(), abide::ProductTokenError>(())
//! ```

mod addressed;
mod audience;
mod cases;
mod cause;
mod changed_paths;
mod clients;
mod data;
mod directives;
mod effect;
mod files;
mod google;
mod names;
mod openness;
mod preferences;
mod prominence;
mod report;
mod review;
mod shown;
mod sides;
mod stated;
mod urls;
mod usages;

pub(crate) use addressed::{AddressedLines, crawler_names};
pub(crate) use cases::each_case;
pub use cause::{Cause, CauseKind, RegionPlace};
pub use clients::{NamedClient, claiming, clients, clients_named, known_clients};
pub use files::{ClientDifferences, Differences, files, files_while};
pub use openness::{AccessException, AccessSurvey, Openness, SiteAccess, openness};
pub(crate) use preferences::has_own_group;
pub use prominence::prominence;
pub use report::{
    Aspect, Change, Chosen, Comparison, DirectiveRegion, Directives, Region, RequestedAction,
    VocabularyChange,
};
pub use review::Review;
pub use urls::{ChangedUrl, ChangedUrls, UrlChange};

use crate::bound::{Bound, Work};
use crate::language::alphabet::Alphabet;
use abide::preference::Vocabulary;
use abide::syntax::{Inspect, PathPattern};
use abide::{Client, Policy, Robots, Usage};
use usages::UsageDifferences;

/// One of the two files, compiled for the client.
struct CompiledFile<'r> {
    robots: &'r Robots,
    policy: Policy,
}

/// What changes for `client` and its applications from the file `old` to the file `new`.
///
/// Both files must be parsed with the same profile; otherwise the comparison is incomplete. `bound`
/// limits work and memory, even for hostile files.
#[must_use]
pub fn policies(old: &Robots, new: &Robots, client: &Client, bound: Bound) -> Comparison {
    let mut work = Work::new(bound);
    let compared = |robots| CompiledFile {
        robots,
        policy: Robots::counting_policy(robots, client),
    };
    let (old, new) = (compared(old), compared(new));
    compared_within(&old, &new, &mut work)
}

fn compared_within(old: &CompiledFile<'_>, new: &CompiledFile<'_>, work: &mut Work) -> Comparison {
    compared_outside(&[], old, new, work)
}

/// Compares two files on the paths that no pattern of `left_out` matches.
fn compared_outside(
    left_out: &[PathPattern<'static>],
    old: &CompiledFile<'_>,
    new: &CompiledFile<'_>,
    work: &mut Work,
) -> Comparison {
    let profile = old.robots.profile();
    // A pattern means something else in another profile, so no search can compare the two.
    if new.robots.profile() != profile {
        return Comparison {
            unfinished: vec![Aspect::AllUsages],
            ..Comparison::default()
        };
    }
    let alphabet = Alphabet::of(profile);
    // Directives are compared below, one application after another.
    let UsageDifferences {
        mut regions,
        vocabularies,
        mut is_complete,
        has_preferences,
    } = match without_applications([old, new]) {
        Some([old, new]) => usages::compare(left_out, &old, &new, alphabet, work),
        None => usages::compare(left_out, old, new, alphabet, work),
    };
    let mut unfinished = Vec::new();
    if !is_complete {
        let has_acap =
            |compared: &CompiledFile<'_>| Inspect::of(&compared.policy).acap_patterns().is_some();
        unfinished.push(if has_acap(old) || has_acap(new) {
            Aspect::AllUsages
        } else if has_preferences {
            Aspect::Preferences
        } else {
            Aspect::Crawl
        });
    }
    // The order that `Comparison::regions` promises.
    let place = |region: &Region| Usage::ALL.iter().position(|usage| *usage == region.usage);
    regions.sort_by_key(|region| (place(region), region.witness.len()));
    let mut directives = Vec::new();
    let read = directives::reading(old.robots) + directives::reading(new.robots);
    for application in old.policy.client().applications() {
        // The directives of one application are found by reading every App-Directives line.
        if !work.spend(read) {
            is_complete = false;
            let application = application.id().to_owned();
            unfinished.push(Aspect::Directives { application });
            break;
        }
        let (found, all) = directives::compare(old, new, application, alphabet, work);
        directives.extend(found);
        is_complete &= all;
        if !all {
            let application = application.id().to_owned();
            unfinished.push(Aspect::Directives { application });
        }
    }
    let delay = |compared: &CompiledFile<'_>| compared.policy.crawl_delay().map(|(delay, _)| delay);
    Comparison {
        regions,
        vocabularies,
        licences: Change::between(licences(&old.policy), licences(&new.policy)),
        directives,
        groups: Change::between(Chosen::of(&old.policy), Chosen::of(&new.policy)),
        crawl_delay: Change::between(delay(old), delay(new)),
        action_requests: Change::between(requests(&old.policy), requests(&new.policy)),
        unfinished,
        is_complete,
    }
}

/// The files for a client without applications, about which each decision would ask all lines.
/// `None` if the client has none.
fn without_applications<'r>(files: [&CompiledFile<'r>; 2]) -> Option<[CompiledFile<'r>; 2]> {
    let [old, _] = files;
    let client = old.policy.client();
    (!client.applications().is_empty()).then(|| {
        let client = client.clone().without_applications();
        files.map(|compared| CompiledFile {
            robots: compared.robots,
            policy: compared.robots.counting_policy(&client),
        })
    })
}

/// The licence documents that bind the client, each once.
fn licences(policy: &Policy) -> Vec<String> {
    let statements = Inspect::of(policy).preference_statements().into_iter();
    let licences = statements.filter(|statement| statement.vocabulary == Vocabulary::Rsl);
    let urls = licences.map(|licence| String::from_utf8_lossy(licence.statement).into_owned());
    let mut urls: Vec<String> = urls.collect();
    urls.sort();
    urls.dedup();
    urls
}

fn requests(policy: &Policy) -> Vec<RequestedAction> {
    let requests = policy.action_requests().iter();
    let mut requests: Vec<_> = requests
        .map(|request| RequestedAction {
            action: request.action,
            path: request.path.clone(),
        })
        .collect();
    requests.sort_by(|one, other| {
        let key = |request: &RequestedAction| request.action.name();
        (key(one), &one.path).cmp(&(key(other), &other.path))
    });
    requests.dedup();
    requests
}
