//! The decision about one target.

use super::preference::Preferences;
use super::ruling::Ruling;
use crate::acap::ActionRequest;
use crate::app::ApplicationDecision;
use crate::moment::Moment;
use crate::rep::CrawlDelay;
use crate::tag::{Effect, StatedRule, effects};
use crate::target::Target;
use crate::verdict::{
    Condition, EvidenceList, Outcome, Place, SharedEvidence, Usage, UsageDecision,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::{Chain, Once};
use std::slice;

/// The answer about a target, usage by usage, with the evidence. Borrows from the policy and the
/// target.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision<'p> {
    /// The target.
    pub target: Target<'p>,
    /// The path and query that the rules were compared with, in form C1.
    pub path: Cow<'p, str>,
    /// The answer for each usage.
    pub usages: Usages<'p>,
    /// The `Crawl-delay` of the chosen group, and its place.
    pub crawl_delay: Option<(CrawlDelay, Place)>,
    /// The robots tag rules that apply to the client, by name, with their values.
    pub tags: BTreeMap<String, Option<String>>,
    /// Names of unknown robots tag rules.
    pub unknown_tag_rules: BTreeSet<String>,
    /// The directives for each application of the client, in their order. They never change a usage
    /// (APP-11).
    pub applications: Vec<ApplicationDecision<'p>>,
    /// What the file asks the client to do with single resources (ACAP-117). abide only lists these
    /// requests.
    pub action_requests: &'p [ActionRequest],
    /// What each vocabulary of AI preferences says, if the client asks for preferences.
    pub preferences: Option<Preferences<'p>>,
    /// URLs that must be fetched for a better answer.
    pub needs: Vec<String>,
}

impl<'p> Decision<'p> {
    /// The answer for `usage`. `None` for training, AI input and search if the client does not ask
    /// for preferences ([`Client::with_preferences`](crate::Client::with_preferences)).
    #[must_use]
    pub fn usage(&self, usage: Usage) -> Option<&UsageDecision<'p>> {
        self.usages.iter().find(|decision| decision.usage == usage)
    }

    /// The outcome for `usage`. [`Outcome::Unknown`] if the client does not ask about it: the
    /// sources were not read for it, and may well prohibit it.
    ///
    /// ```
    /// use abide::preference::PreferenceProfile;
    /// use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
    /// let file = b"User-agent: *\nContent-Usage: train-ai=n\n";
    /// let target = Target::new("https://example.com/x")?;
    /// let client = Client::new(ProductToken::new("ExampleBot")?);
    /// let policy = Policy::compile(file, &client);
    /// assert_eq!(policy.decide(&target).outcome(Usage::Train), Outcome::Unknown);
    /// let policy = Policy::compile(file, &client.with_preferences(PreferenceProfile::default()));
    /// assert_eq!(policy.decide(&target).outcome(Usage::Train), Outcome::Prohibited);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn outcome(&self, usage: Usage) -> Outcome {
        self.usage(usage)
            .map_or(Outcome::Unknown, |decision| decision.outcome)
    }

    /// The last second in which all time limits of this decision hold, such as those of
    /// `unavailable_after` and `time-limit` (ACAP-84): ask again when it has passed. `None` if time
    /// alone changes nothing. Limits in days count if the [`History`](crate::History) says since
    /// when. How long the robots.txt is fresh is not part of a decision.
    ///
    /// ```
    /// use abide::tag::{FieldLine, Response};
    /// use abide::{Client, Policy, ProductToken, Target};
    ///
    /// let fields = [FieldLine::new("X-Robots-Tag", b"unavailable_after: 2026-12-31T08:00:00Z")];
    /// let (page, now) = (Response::new(&fields), "2026-12-01T00:00:00Z".parse()?);
    /// let policy = Policy::compile(b"", &Client::new(ProductToken::new("ExampleBot")?));
    /// let target = Target::new("/x")?.with_response(&page).with_now(now);
    /// let until = policy.decide(&target).valid_until();
    /// assert_eq!(until, Some("2026-12-31T08:00:00Z".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn valid_until(&self) -> Option<Moment> {
        let history = self.target.history();
        let first = (history.first_indexed, history.first_copied);
        let ends = self.usages.iter().flat_map(|said| {
            let end = move |condition: &Condition| condition.end(said.usage, first);
            said.conditions.iter().filter_map(end)
        });
        ends.min()
    }

    /// Whether a robots tag prohibits to index the page, and may never be seen, because crawling is
    /// prohibited (AMB-X-11).
    pub(crate) fn hides_noindex(&self) -> bool {
        let is_noindex = |(name, value): (&String, &Option<String>)| {
            let (name, value) = (name.clone(), value.clone());
            let effects = effects(&StatedRule { name, value }, self.target.now());
            let mut of_index = effects.iter().filter(|(usage, _)| *usage == Usage::Index);
            of_index.any(|(_, effect)| !matches!(effect, Effect::Condition(_)))
        };
        self.usages.crawl().outcome == Outcome::Prohibited && self.tags.iter().any(is_noindex)
    }
}

/// The answer for each of [`Usage::ACAP`], in that order, and then for each of
/// [`Usage::PREFERENCES`] if the client asks for preferences.
///
/// ```
/// # use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
/// # let client = Client::new(ProductToken::new("ExampleBot")?);
/// # let policy = Policy::compile(b"User-agent: *\nDisallow: /x\n", &client);
/// let decision = policy.decide(&Target::new("/x")?);
/// assert_eq!(decision.usages.crawl().outcome, Outcome::Prohibited);
/// assert!(decision.usages.iter().map(|said| said.usage).eq(Usage::ACAP.iter().copied()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Usages<'p> {
    crawl: UsageDecision<'p>,
    /// All usages except crawl. Empty if no source mentions any of them.
    others: Vec<UsageDecision<'p>>,
    /// Those that AI preferences are about. `None` if the client does not ask for preferences,
    /// empty if no source states any.
    preferences: Option<Vec<UsageDecision<'p>>>,
}

impl<'p> Usages<'p> {
    /// Combines the answer for crawl with the answers for all other usages, in their order, or with
    /// none.
    pub(super) const fn new(crawl: UsageDecision<'p>, others: Vec<UsageDecision<'p>>) -> Self {
        Self {
            crawl,
            others,
            preferences: None,
        }
    }

    /// Adds the answers for the usages that AI preferences are about, in their order, or none.
    pub(super) fn add_preferences(&mut self, preferences: Vec<UsageDecision<'p>>) {
        self.preferences = Some(preferences);
    }

    /// The answer for crawl.
    #[must_use]
    pub const fn crawl(&self) -> &UsageDecision<'p> {
        &self.crawl
    }

    /// The answer for each usage, in the order of [`Usage::ACAP`], then of [`Usage::PREFERENCES`].
    pub fn iter(&self) -> Iter<'_, 'p> {
        let others = match &*self.others {
            [] => UNSPECIFIED.as_slice(),
            others => others,
        };
        let preferences = match self.preferences.as_deref() {
            None => &[],
            Some([]) => UNSPECIFIED_PREFERENCES.as_slice(),
            Some(preferences) => preferences,
        };
        Iter(
            std::iter::once(&self.crawl)
                .chain(others)
                .chain(preferences),
        )
    }
}

/// The answers, one after the other. Created by [`Usages::iter`].
#[derive(Clone, Debug)]
pub struct Iter<'a, 'p>(
    Chain<
        Chain<Once<&'a UsageDecision<'p>>, slice::Iter<'a, UsageDecision<'p>>>,
        slice::Iter<'a, UsageDecision<'p>>,
    >,
);

impl<'a, 'p> Iterator for Iter<'a, 'p> {
    type Item = &'a UsageDecision<'p>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    // The chain folds its parts one by one, which is faster than to ask each time which is next.
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, f: F) -> B {
        self.0.fold(init, f)
    }
}

impl DoubleEndedIterator for Iter<'_, '_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back()
    }
}

impl<'a, 'p> IntoIterator for &'a Usages<'p> {
    type Item = &'a UsageDecision<'p>;
    type IntoIter = Iter<'a, 'p>;

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

/// Only crawl has an answer.
static UNSPECIFIED: [UsageDecision<'static>; Usage::OF_ACAP.len() - 1] = {
    let mut others = [const { UsageDecision::unspecified(Usage::Other) }; Usage::OF_ACAP.len() - 1];
    let mut at = 0;
    while at < others.len() {
        #[expect(clippy::indexing_slicing, reason = "there is one usage more")]
        {
            others[at].usage = Usage::OF_ACAP[at.wrapping_add(1)];
        }
        at = at.wrapping_add(1);
    }
    others
};

/// No preference is stated.
static UNSPECIFIED_PREFERENCES: [UsageDecision<'static>; Usage::OF_PREFERENCES.len()] = {
    let [first, second, third] = Usage::OF_PREFERENCES;
    [
        UsageDecision::unspecified(first),
        UsageDecision::unspecified(second),
        UsageDecision::unspecified(third),
    ]
};

impl<'p> UsageDecision<'p> {
    /// No source mentions `usage`.
    const fn unspecified(usage: Usage) -> Self {
        Self {
            usage,
            outcome: Outcome::Unspecified,
            conditions: Vec::new(),
            evidence: EvidenceList::EMPTY,
        }
    }

    /// An answer whose evidence is in order.
    pub(super) fn new(usage: Usage, ruling: Ruling<'p>, shared: &mut SharedEvidence<'p>) -> Self {
        Self {
            usage,
            outcome: ruling.outcome,
            conditions: ruling.conditions,
            evidence: shared.list(ruling.evidence),
        }
    }
}
