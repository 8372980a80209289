//! Combines all sources to one decision per usage, in the steps of docs/spec/decision.md.
//!
//! Conventional records are about crawl (`access`), robots tags about all other usages (`usages`),
//! and ACAP about all of them (`acap`). Some usages depend on others (`dependency`). AI preferences
//! are about three usages more (`preference`). Directives for applications change no usage; the
//! preferences are answered for each application beside them (`applications`).

#[cfg_attr(not(feature = "acap"), path = "no_acap.rs")]
mod acap;
mod access;
mod allows;
mod applications;
mod deciding;
mod decision;
mod dependency;
mod latest;
pub(crate) mod preference;
pub(crate) mod ruling;
mod usages;

pub use deciding::DecidingRule;
pub use decision::{Decision, Iter, Usages};
pub use preference::{
    DocumentState, LicenceDocument, LicenceSource, Preferences, VocabularyAnswer,
};

use acap::AcapSays;
use applications::Applications;
use dependency::Dependencies;
use ruling::Ruling;

use crate::pattern::normal::Forms;
use crate::policy::Policy;
use crate::profile::Profile;
use crate::rep::Access;
use crate::tag::{Binding, Response};
use crate::target::Target;
use crate::verdict::{
    Evidence, Outcome, Provenance, Reason, Role, SharedEvidence, Source, Usage, UsageDecision,
};
use std::borrow::Cow;

impl Policy {
    /// Returns the decision for `target`: an outcome for every usage, with evidence.
    #[must_use]
    pub fn decide<'p>(&'p self, target: &Target<'p>) -> Decision<'p> {
        let policy = self.elsewhere(target).unwrap_or(self);
        let client = policy.client();
        let requested = target.requested(client.profile());
        let path = match &requested {
            Cow::Borrowed(requested) => policy.normalise(requested.as_bytes()),
            Cow::Owned(requested) => policy.normalise(requested.as_bytes()).into_owned(),
        };
        let acap = AcapSays::new(policy, &path, target);
        let tags = Binding::of(target.response(), client);
        let mut shared = SharedEvidence::default();
        let mut crawl = access::crawl(policy, &path, &acap);
        crawl.sort_evidence();
        let crawl = UsageDecision::new(Usage::Crawl, crawl, &mut shared);
        let mut others = Vec::new();
        let is_closed = crawl.outcome == Outcome::Prohibited;
        // Conventional rules are only about crawl.
        if policy.acap().is_some() || !tags.statements.is_empty() {
            let by_tags = usages::by_tags(&tags, client, target.now());
            let mut dependencies = Dependencies::new(crawl.outcome, policy, target);
            let seen = !is_closed || target.response().is_some_and(Response::is_stored);
            others.extend(by_tags.map(|(usage, by_tags)| {
                let by_tags = if seen { by_tags } else { by_tags.not_seen() };
                let mut ruling = acap.about(usage).0.meet(by_tags);
                ruling.sort_evidence();
                dependencies.apply(usage, &mut ruling);
                UsageDecision::new(usage, ruling, &mut shared)
            }));
        }
        let mut applications =
            Applications::new(policy, requested.as_bytes(), &path, crawl.outcome);
        let answers = preference::ask(policy, target, &path, is_closed, |question| {
            let answers = preference::preferences(question, &tags, &acap, &mut shared);
            let without_words = || question.without_words(&tags, &acap);
            applications.add_preferences(question, &answers.usages, without_words, &mut shared);
            answers
        });
        let mut usages = Usages::new(crawl, others);
        let mut needs = match policy.access() {
            Access::Unknown => target.robots_url().into_iter().collect(),
            _ => acap.needs(),
        };
        let preferences = answers.map(|answers| {
            usages.add_preferences(answers.usages);
            add_missing(&mut needs, answers.needs);
            answers.preferences
        });
        Decision {
            target: *target,
            usages,
            preferences,
            crawl_delay: policy.crawl_delay(),
            action_requests: policy.action_requests(),
            applications: applications.decisions,
            tags: tags.rules,
            unknown_tag_rules: tags.unknown,
            needs,
            path: match path.c1 {
                Cow::Borrowed(_) => requested,
                Cow::Owned(rewritten) => text(rewritten),
            },
        }
    }
}

/// Adds URLs that are not needed already.
fn add_missing(needs: &mut Vec<String>, more: Vec<String>) {
    for url in more {
        if !needs.contains(&url) {
            needs.push(url);
        }
    }
}

/// The answer for crawl alone.
fn crawl<'p>(policy: &'p Policy, target: &Target<'_>) -> Ruling<'p> {
    let requested = target.requested(Profile::Careful);
    let path = policy.normalise(requested.as_bytes());
    access::crawl(policy, &path, &AcapSays::new(policy, &path, target))
}

/// Whether `url` may be fetched, for a policy whose ACAP records are about crawl.
fn may_crawl(policy: &Policy, url: &str, path: &Forms<'_>) -> bool {
    Target::new(url).is_ok_and(|target| {
        let acap = AcapSays::new(policy, path, &target);
        access::crawl(policy, path, &acap).outcome == Outcome::Permitted
    })
}

/// A path as text.
fn text<'p>(form: Vec<u8>) -> Cow<'p, str> {
    let text = String::from_utf8(form);
    text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
        .into()
}

/// Evidence that is a fact, and no text.
fn fact<'p>(source: Source, reason: Reason) -> Evidence<'p> {
    Evidence::new(Provenance::of(source), Role::Decided, reason)
}
