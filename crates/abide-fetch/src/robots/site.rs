//! The state of one site at an instant, ready for questions.

use super::documents::{self, read_licence, read_tdmrep};
use crate::machine::{
    Answer, CachedAnswer, DAY, LAST_KNOWN, NextFetch, Outage, RetrievalSettings, SLACK, State,
    Trail,
};
use crate::record::{Body, BodyHash, Origin, Resource};
use abide::preference::{LicenceState, TdmrepState};
use abide::rep::RetrievalState;
use abide::syntax::Inspect;
use abide::{Client, Moment, Policy};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// For how many clients a site keeps compiled rules. What more ask is compiled again.
const MAX_POLICIES: usize = 256;

/// The current rules of a site, with their origin, reason and age.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SiteRules {
    /// The rules.
    pub policy: Arc<Policy>,
    /// The site; `None` for text that is not a URL.
    pub origin: Option<Origin>,
    /// Why they apply.
    pub why: Option<RetrievalState>,
    /// The hash of the file as it was sent, if the rules are those of a file.
    pub sha256: Option<BodyHash>,
    /// How many bytes of the file are kept; 0 without one.
    pub bytes: usize,
    /// Whether the file goes on behind the bytes that were kept; `sha256` covers these only.
    pub is_cut: bool,
    /// When the last response came; `None` if there was none.
    pub fetched_at: Option<Moment>,
    /// When it was last confirmed.
    pub checked_at: Option<Moment>,
    /// Until when it is fresh.
    pub fresh_until: Option<Moment>,
    /// Until when these rules apply: a file until it is not fresh any more, the rules of an outage
    /// until the site is asked again. Then ask for them again. `None` for text that is not a URL.
    pub valid_until: Option<Moment>,
    /// What was requested for the last response, and what answered: redirects, statuses, addresses
    /// and fields. `None` if the record is of a version that did not keep it.
    pub trail: Option<Arc<Trail>>,
    /// The outage, if the last attempt failed.
    pub outage: Option<Outage>,
    /// Whether the last attempt failed for a reason of this machine
    /// ([`Retrieval::is_local`](crate::http::Retrieval::is_local)). Such an outage is not kept, and
    /// the next question asks again.
    pub is_local: bool,
}

/// One robots.txt, or a document beside one, as it was when it was last evaluated. Replaced, never
/// changed.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) resource: Resource,
    pub(super) state: State<Body>,
    why: RetrievalState,
    /// Whether the rules of a file apply.
    has_file_rules: bool,
    /// Since when this is valid.
    pub(super) since: Moment,
    /// Until when this is valid.
    until: Moment,
    /// When to renew it.
    pub(super) renew: Moment,
    /// Whether a renewal is in progress.
    pub(super) is_renewing: AtomicBool,
    /// Whether the last attempt failed for a reason of this machine: it is not kept.
    pub(super) is_local: bool,
    /// By how much the clock had been set when it was evaluated.
    pub(super) clock_was_set: i64,
    /// The compiled rules of each client.
    policies: RwLock<Vec<(usize, Arc<Policy>)>>,
    /// Lets one task at a time fetch the files that it refers to.
    pub(super) preparing: tokio::sync::Mutex<()>,
    /// What its body is as a `tdmrep.json` and as a licence document, each read once.
    tdmrep: OnceLock<TdmrepState>,
    licence: OnceLock<LicenceState>,
}

impl Site {
    /// Evaluates `state` at `at`. It is not evaluated again before `no_sooner`, unless it expires.
    pub(super) fn new(
        resource: Resource,
        state: State<Body>,
        (at, no_sooner): (Moment, Moment),
        clock_was_set: i64,
        settings: &RetrievalSettings,
    ) -> Self {
        let plan = state.plan(at, settings);
        let why = plan.why;
        let renew = match due(&resource, &state, at, settings) {
            Some(renew) => renew.max(no_sooner),
            None => no_sooner,
        };
        let until = match (why, state.copy()) {
            // A copy is valid until it expires, everything else until the next fetch.
            (RetrievalState::Fresh | RetrievalState::RefreshFailed, Some(copy)) => copy.fresh_until,
            // A last known file is dropped on time, even if the wait for the site is long.
            (_, Some(copy)) if plan.last_known.is_some() => renew.min(dropped_at(copy)),
            _ => renew,
        };
        Self {
            resource,
            why,
            has_file_rules: plan.file().is_some(),
            since: at,
            until,
            renew,
            is_renewing: AtomicBool::new(false),
            is_local: false,
            clock_was_set,
            policies: RwLock::default(),
            preparing: tokio::sync::Mutex::default(),
            tdmrep: OnceLock::new(),
            licence: OnceLock::new(),
            state,
        }
    }

    pub(super) fn holds(&self, at: Moment) -> bool {
        // A clock that was set back does not show the age.
        let slack = i64::try_from(SLACK).unwrap_or_default();
        at < self.until && at.unix_seconds().saturating_add(slack) >= self.since.unix_seconds()
    }

    /// The rules for the client with this number, if they were compiled before.
    pub(super) fn policy(&self, number: usize) -> Option<Arc<Policy>> {
        let policies = self.policies.read().unwrap_or_else(PoisonError::into_inner);
        let mut known = policies.iter();
        let (_, policy) = known.find(|(known, _)| *known == number)?;
        Some(Arc::clone(policy))
    }

    /// The current rules, compiled for `client`, and bound to the site.
    pub(super) fn compiled(&self, client: &Client, settings: &RetrievalSettings) -> Policy {
        let policy = self.state.plan(self.since, settings).policy(client);
        policy.for_site(self.resource.origin().spellings())
    }

    /// What is known of a `tdmrep.json`; `None` if it has to be fetched first.
    pub(super) fn tdmrep(&self, settings: &RetrievalSettings) -> Option<TdmrepState> {
        let plan = self.state.plan(self.since, settings);
        let read = |body: &Body| self.tdmrep.get_or_init(|| read_tdmrep(body)).clone();
        documents::tdmrep(&plan, self.state.copy(), read)
    }

    /// What is known of a licence document; `None` if it has to be fetched first.
    pub(super) fn licence(&self) -> Option<LicenceState> {
        let read = |body: &Body| self.licence.get_or_init(|| read_licence(body)).clone();
        documents::licence(self.why, self.state.copy(), read)
    }

    /// Keeps the compiled rules for the client with this number.
    pub(super) fn remember(&self, number: usize, policy: Policy) -> Arc<Policy> {
        let policy = Arc::new(policy);
        let policies = self.policies.write();
        let mut policies = policies.unwrap_or_else(PoisonError::into_inner);
        policies.retain(|(known, _)| *known != number);
        if policies.len() >= MAX_POLICIES {
            policies.remove(0);
        }
        policies.push((number, Arc::clone(&policy)));
        policy
    }

    pub(super) fn site_rules(&self, policy: Arc<Policy>) -> SiteRules {
        let copy = self.state.copy();
        let file = self.state.body().filter(|_| self.has_file_rules);
        SiteRules {
            policy,
            origin: Some(self.resource.origin()),
            why: Some(self.why),
            sha256: file.map(Body::hash),
            bytes: file.map_or(0, |body| body.as_bytes().len()),
            is_cut: file.is_some_and(Body::is_cut),
            fetched_at: copy.map(|copy| copy.fetched_at),
            checked_at: copy.map(|copy| copy.checked_at),
            fresh_until: copy.map(|copy| copy.fresh_until),
            valid_until: Some(self.until),
            trail: copy.and_then(|copy| copy.trail.clone()),
            outage: self.state.outage().copied(),
            is_local: self.is_local,
        }
    }

    /// How many bytes it takes in memory.
    pub(super) fn weight(&self) -> u32 {
        let policies = self.policies.read().unwrap_or_else(PoisonError::into_inner);
        // Their text is the body; one that had to be transcoded is not much more.
        let rules = policies.iter().fold(0_usize, |sum, (_, policy)| {
            sum.saturating_add(Inspect::of(policy).compiled_size())
                .saturating_add(policy.client().size())
        });
        let body = self.state.copy().map_or(0, |copy| match &copy.kept {
            Answer::File(body) => body.as_bytes().len(),
            Answer::Missing(_) => 0,
        });
        // What is read of a document takes a few times as much as its bytes.
        let read = if self.resource.is_document() {
            body.saturating_mul(3)
        } else {
            0
        };
        let trail = self.state.copy().and_then(|copy| copy.trail.as_ref());
        // Validators may have some bytes too.
        let whole = rules
            .saturating_add(trail.map_or(0, |trail| trail.size()))
            .saturating_add(body)
            .saturating_add(read)
            .saturating_add(self.resource.as_str().len())
            .saturating_add(1_024);
        u32::try_from(whole).unwrap_or(u32::MAX)
    }
}

/// The first instant at which `copy` is not the last known one any more.
fn dropped_at(copy: &CachedAnswer<Body>) -> Moment {
    let after = i64::try_from(LAST_KNOWN).unwrap_or(i64::MAX);
    copy.checked_at.plus_seconds(after.saturating_add(1))
}

/// When the site is to be asked again; `None` for at once. Sites that were asked at the same
/// instant are not due at the same instant: a copy after seven to nine tenths of its time, a
/// failure after up to a fifth more than its wait. The part is the site's own, so that nothing here
/// is left to chance.
pub(super) fn due(
    resource: &Resource,
    state: &State<Body>,
    at: Moment,
    settings: &RetrievalSettings,
) -> Option<Moment> {
    let plan = state.plan(at, settings);
    let part = |of: u64, what: Moment| {
        let mut hasher = DefaultHasher::new();
        (resource, what).hash(&mut hasher);
        hasher.finish().checked_rem(of).unwrap_or_default()
    };
    match (plan.why, state.copy(), state.outage()) {
        (RetrievalState::Fresh, Some(copy), _) => {
            let spread = u16::try_from(part(201, copy.checked_at)).unwrap_or_default();
            Some(copy.refresh_after(spread.saturating_add(700)))
        }
        (RetrievalState::Due | RetrievalState::NeverAsked, ..) => None,
        (_, _, Some(outage)) => match plan.next {
            NextFetch::Now => None,
            NextFetch::At(retry_at) => {
                let wait = retry_at
                    .unix_seconds()
                    .saturating_sub(outage.last.unix_seconds());
                let most = u64::try_from(wait).unwrap_or_default() / 5;
                let later = i64::try_from(part(most.saturating_add(1), outage.last));
                let later = later.unwrap_or_default();
                let day = i64::try_from(DAY).unwrap_or_default();
                let latest = outage.last.unix_seconds().saturating_add(day);
                let retry_at = retry_at.unix_seconds().saturating_add(later).min(latest);
                Some(Moment::from_unix_seconds(retry_at))
            }
        },
        _ => None,
    }
}
