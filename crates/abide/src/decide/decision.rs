//! A decision: what is answered about one target.

use super::said::Said;
use crate::acap::ActionRequest;
use crate::app::ApplicationDecision;
use crate::diagnostic::Diagnostic;
use crate::rep::CrawlDelay;
use crate::target::Target;
use crate::verdict::{Condition, Evidence, Outcome, Place, Usage};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What is asked of a client about a target, usage by usage, with the evidence. It borrows from the
/// policy that made it, and from the target.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision<'p> {
    /// What was asked about.
    pub target: Target<'p>,
    /// Path and query that the rules were compared with, in form C1.
    pub path: Cow<'p, str>,
    /// What is said about each usage.
    pub usages: Usages<'p>,
    /// The chosen group's `Crawl-delay`, and its place.
    pub crawl_delay: Option<(CrawlDelay, Place)>,
    /// The robots tag rules that bind the client, by name, with their values.
    pub tags: BTreeMap<String, Option<String>>,
    /// Names of robots tag rules that nobody here knows.
    pub unknown_tag_rules: BTreeSet<String>,
    /// What the file asks each application of the client to do, in their order. Beside the usages,
    /// never in them (APP-11).
    pub applications: Vec<ApplicationDecision<'p>>,
    /// What the file asks the client to do with single resources (ACAP-117). Nobody here does it.
    pub action_requests: &'p [ActionRequest],
    /// What is odd about what the target's response says.
    pub diagnostics: Vec<Diagnostic>,
    /// URLs that have to be fetched before more can be said.
    pub needs: Vec<String>,
}

impl<'p> Decision<'p> {
    /// What is said about `usage`.
    #[must_use]
    pub fn usage(&self, usage: Usage) -> Option<&UsageDecision<'p>> {
        self.usages.iter().find(|said| said.usage == usage)
    }

    /// The outcome for `usage`.
    #[must_use]
    pub fn outcome(&self, usage: Usage) -> Outcome {
        self.usage(usage)
            .map_or(Outcome::Unspecified, |said| said.outcome)
    }
}

/// What is said about each of [`Usage::ALL`], in that order.
///
/// ```
/// # use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
/// # let policy = Policy::compile(b"User-agent: *\nDisallow: /x\n", &Client::new(ProductToken::new("ExampleBot")?));
/// let decision = policy.decide(&Target::new("/x")?);
/// assert_eq!(decision.usages.crawl().outcome, Outcome::Prohibited);
/// assert!(decision.usages.iter().map(|said| said.usage).eq(Usage::ALL));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Usages<'p> {
    crawl: UsageDecision<'p>,
    /// All but crawl; empty where nobody said anything about any of them.
    others: Vec<UsageDecision<'p>>,
}

impl<'p> Usages<'p> {
    /// What is said about crawl, and about each of the other usages, in their order; or about none of these.
    pub(super) const fn new(crawl: UsageDecision<'p>, others: Vec<UsageDecision<'p>>) -> Self {
        Self { crawl, others }
    }

    /// What is said about crawl.
    #[must_use]
    pub const fn crawl(&self) -> &UsageDecision<'p> {
        &self.crawl
    }

    /// What is said about each usage, in the order of [`Usage::ALL`].
    pub fn iter(&self) -> EachUsage<'_, 'p> {
        let others = match &*self.others {
            [] => UNSPECIFIED.as_slice(),
            others => others,
        };
        std::iter::once(&self.crawl).chain(others)
    }
}

/// What is said about each usage, one after the other.
pub type EachUsage<'a, 'p> = std::iter::Chain<
    std::iter::Once<&'a UsageDecision<'p>>,
    std::slice::Iter<'a, UsageDecision<'p>>,
>;

impl<'a, 'p> IntoIterator for &'a Usages<'p> {
    type Item = &'a UsageDecision<'p>;
    type IntoIter = EachUsage<'a, 'p>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Usages<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl Eq for Usages<'_> {}

/// Nobody spoke about any usage but crawl.
static UNSPECIFIED: [UsageDecision<'static>; Usage::ALL.len() - 1] = {
    let mut others = [const { UsageDecision::unspecified(Usage::Other) }; Usage::ALL.len() - 1];
    let mut at = 0;
    while at < others.len() {
        #[expect(clippy::indexing_slicing, reason = "there is one usage more")]
        {
            others[at].usage = Usage::ALL[at.wrapping_add(1)];
        }
        at = at.wrapping_add(1);
    }
    others
};

/// What is said about one usage.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UsageDecision<'p> {
    /// The usage.
    pub usage: Usage,
    /// What is asked.
    pub outcome: Outcome,
    /// What a conditional outcome demands, sorted by kind, then value.
    pub conditions: Vec<Condition>,
    /// What made the outcome: the deciding entry first, then all that matched and lost, in file
    /// order. Empty where nobody spoke.
    pub evidence: Vec<Evidence<'p>>,
}

impl<'p> UsageDecision<'p> {
    /// Nobody spoke about `usage`.
    const fn unspecified(usage: Usage) -> Self {
        Self {
            usage,
            outcome: Outcome::Unspecified,
            conditions: Vec::new(),
            evidence: Vec::new(),
        }
    }

    pub(super) fn new(usage: Usage, said: Said<'p>) -> Self {
        let mut evidence = said.evidence;
        in_order(&mut evidence);
        Self {
            usage,
            outcome: said.outcome,
            conditions: said.conditions,
            evidence,
        }
    }
}

/// The deciding piece stays first; the others stand in the order of their sources and places.
fn in_order(evidence: &mut [Evidence<'_>]) {
    if let Some((_, others)) = evidence.split_first_mut() {
        others.sort_by_key(|one| (one.source, one.place, one.tag_place));
    }
}
