//! Usages that depend on another usage, or on another resource: step 8 (ACAP-89, ACAP-90, ACAP-96,
//! ACAP-97, ACAP-105, CLA-11).

use super::said::Said;
use super::{UsageDecision, crawl, fact};
use crate::acap::{self, Substitute};
use crate::policy::Policy;
use crate::target::{Target, Version};
use crate::verdict::{Condition, Evidence, Outcome, Reason, Source, Usage};

/// Notes on evidence: `needs-fetch` if crawl is prohibited; `pending` if the usage has to wait
/// until another resource is crawled.
const NEEDS_FETCH: &[&str] = &["needs-fetch"];
const PENDING: &[&str] = &["pending"];
const BOTH: &[&str] = &["needs-fetch", "pending"];

/// Applies all dependencies to `usages`, which are all usages except crawl.
pub(super) fn apply<'p>(
    usages: &mut [UsageDecision<'p>],
    crawl: &UsageDecision<'p>,
    policy: &'p Policy,
    target: &Target<'_>,
) {
    let crawl_prohibited = crawl.outcome == Outcome::Prohibited;
    for said in usages.iter_mut() {
        older_version(said, target);
        let pending = substitute(said, policy, target);
        for evidence in &mut said.evidence {
            evidence.notes = match (crawl_prohibited, pending) {
                (true, true) => BOTH,
                (true, false) => NEEDS_FETCH,
                (false, true) => PENDING,
                (false, false) => &[],
            };
        }
    }
    copies(usages);
}

/// Prohibits a usage of an older version (`History::version`) if the usage is permitted only until
/// the next crawl: that crawl has already happened, or the version would not be old.
fn older_version(said: &mut UsageDecision<'_>, target: &Target<'_>) {
    let is_old = target.history().version == Version::Old;
    if is_old && said.conditions.contains(&Condition::UntilRecrawled) {
        let cause = said.evidence.first().cloned();
        prohibit(said, Reason::OlderVersion, cause);
    }
}

/// Prohibits the usage if its conditions demand that another resource is used instead of the target
/// and that resource must not be crawled. Returns whether the usage has to wait until such a
/// resource is crawled.
fn substitute(said: &mut UsageDecision<'_>, policy: &Policy, target: &Target<'_>) -> bool {
    let uris: Vec<String> = said
        .conditions
        .iter()
        .filter_map(|condition| match condition {
            Condition::MustUse(Substitute::Uri(uri)) => Some(uri.clone()),
            _ => None,
        })
        .collect();
    let hindered = uris
        .iter()
        .any(|uri| !may_be_crawlable(uri, policy, target));
    if hindered {
        let cause = said.evidence.first().cloned();
        prohibit(said, Reason::SubstituteNotCrawlable, cause);
    }
    !hindered && !uris.is_empty()
}

/// Whether the resource at `uri` may be crawled. A resource of another site counts as crawlable,
/// because this robots.txt says nothing about other sites.
fn may_be_crawlable(uri: &str, policy: &Policy, target: &Target<'_>) -> bool {
    let robots_url = target.robots_url();
    let url = acap::reference_url(uri, robots_url.as_deref());
    let Ok(substitute) = Target::new(&url) else {
        return false;
    };
    substitute.robots_url() != robots_url
        || crawl(policy, &substitute).outcome == Outcome::Permitted
}

/// Applies what preserving says to the usages that present copies: if no copy may be kept, none can
/// be presented. If a copy may be kept only until the next crawl, an old copy cannot be presented.
fn copies(usages: &mut [UsageDecision<'_>]) {
    let preserve = usages.iter().find(|said| said.usage == Usage::Preserve);
    let Some(preserve) = preserve.cloned() else {
        return;
    };
    let cause = preserve.evidence.first();
    let prohibited = preserve.outcome == Outcome::Prohibited;
    let until_recrawled = preserve.conditions.contains(&Condition::UntilRecrawled);
    for said in usages {
        let reason = match said.usage {
            Usage::PresentCurrentcopy | Usage::PresentOldcopy if prohibited => {
                Reason::PreserveProhibited
            }
            Usage::PresentOldcopy if until_recrawled => Reason::PreserveUntilRecrawled,
            _ => continue,
        };
        if said.outcome != Outcome::Prohibited {
            prohibit(said, reason, cause.cloned());
        }
    }
}

/// Prohibits the usage, with the statement `cause` as evidence.
fn prohibit<'p>(said: &mut UsageDecision<'p>, reason: Reason, cause: Option<Evidence<'p>>) {
    let own = fact(Source::Dependency, reason);
    let evidence = match cause {
        None => own,
        Some(cause) => Evidence {
            place: cause.place,
            statement: cause.statement,
            locator: cause.locator,
            selected_by: cause.selected_by,
            notes: cause.notes,
            ..own
        },
    };
    // A prohibition has no conditions, so none are carried over.
    let mut joined = Said::new(said.outcome, std::mem::take(&mut said.evidence));
    joined.prohibit(evidence);
    *said = UsageDecision::new(said.usage, joined);
}
