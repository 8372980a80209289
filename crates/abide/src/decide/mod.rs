//! Combines all sources to one decision per usage, in the steps of docs/spec/decision.md.
//!
//! Conventional records are about crawl (`access`), robots tags about all other usages (`usages`),
//! and ACAP about all of them (`acap`). Some usages depend on others (`dependency`). AI preferences
//! are about three usages more (`preference`).

#[cfg_attr(not(feature = "acap"), path = "no_acap.rs")]
mod acap;
mod access;
mod allows;
mod deciding;
mod decision;
mod dependency;
mod latest;
pub(crate) mod preference;
pub(crate) mod ruling;
mod usages;

pub use deciding::DecidingRule;
pub use decision::{Decision, Iter, UsageDecision, Usages};
pub use preference::{
    DocumentState, LicenceDocument, LicenceSource, Preferences, VocabularyAnswer,
};

use acap::AcapSays;
use dependency::Dependencies;
use ruling::Ruling;

use crate::app::{self, ApplicationDecision, Groups, NoteKind};
use crate::pattern::normal::Forms;
use crate::policy::Policy;
use crate::policy::reading::{ends_head, field_for};
use crate::profile::Profile;
use crate::rep::Access;
use crate::tag::{Binding, Response};
use crate::target::Target;
use crate::verdict::{Evidence, Outcome, Provenance, Reason, Role, SharedEvidence, Source, Usage};
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
        let answers = preference::ask(policy, target, &path, is_closed, |question| {
            preference::preferences(question, &tags, &acap, &mut shared)
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
        let applications =
            applications(policy, requested.as_bytes(), &path, usages.crawl().outcome);
        Decision {
            target: *target,
            usages,
            preferences,
            crawl_delay: policy.crawl_delay(),
            action_requests: policy.action_requests(),
            applications,
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

/// Step 9: the directives for every application of the client. The google profile has none
/// (CLA-16), and neither has a file that was not read (AMB-APP-23).
fn applications<'p>(
    policy: &'p Policy,
    requested: &[u8],
    path: &Forms<'_>,
    crawl: Outcome,
) -> Vec<ApplicationDecision<'p>> {
    let client = policy.client();
    let applications = client.applications();
    // For nobody, no line has to be read.
    if client.profile() == Profile::Google || applications.is_empty() {
        return Vec::new();
    }
    let mut decisions: Vec<_> = if policy.asks_applications() {
        let registry = client.registry();
        let groups = directive_groups(policy);
        app::select(policy.text(), &groups, requested, applications, registry)
    } else {
        let silent = applications.iter().map(ApplicationDecision::silent);
        silent.collect()
    };
    let mut stated = None;
    for decision in &mut decisions {
        decision.crawl_disallowed = crawl == Outcome::Prohibited;
        decision.notes.retain_mut(|note| {
            let NoteKind::Overrides(words) = &mut note.kind else {
                return true;
            };
            let entry = client.registry().and_then(|all| all.get(decision.id));
            let entry = entry.and_then(|entry| entry.directives.get(&note.name));
            let value = decision.directives.get(&note.name);
            let meant = entry
                .zip(value)
                .and_then(|(entry, value)| entry.meaning_of(value));
            // Only what the same file states can be overridden, and only by its opposite (APP-22,
            // AMB-APP-14).
            let stated = stated.get_or_insert_with(|| policy.stated_words(path));
            words.retain(|word| match stated.get(&**word) {
                Some(stated_word) if meant != Some(stated_word.sense) => {
                    note.usages.push(stated_word.usage);
                    true
                }
                _ => false,
            });
            let is_covered = !words.is_empty();
            if meant.is_none() {
                note.kind = NoteKind::MayOverride(std::mem::take(words));
            }
            is_covered
        });
    }
    decisions
}

/// The groups of a file that count for applications, as the client reads them.
fn directive_groups(policy: &Policy) -> Groups {
    let (client, text) = (policy.client(), policy.text());
    let readings = client.chosen_readings();
    Groups::read_as(text, readings, |field| {
        let field = field_for(client, field, text.as_bytes());
        (field, ends_head(readings, &field, text.as_bytes()))
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
