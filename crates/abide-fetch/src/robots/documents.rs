//! The documents beside robots.txt: a site's `tdmrep.json`, and the RSL licence documents that it
//! names. They are fetched and kept like robots.txt files (PREF-131), for clients that ask for AI
//! preferences, and only if they could change an answer.

use super::RobotsCache;
use super::site::Site;
use crate::machine::{Answer, CachedAnswer, DAY, Plan};
use crate::record::{Body, Resource, key};
use abide::preference::{Documents, LicenceState, TdmrepState, Vocabulary};
use abide::rep::{Access, RetrievalState};
use abide::{Policy, Target};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

#[cfg(feature = "file")]
use crate::record::RecordError;
#[cfg(feature = "file")]
use crate::store::{FileStore, StoreError};
#[cfg(feature = "file")]
use abide::Moment;

/// For all documents of a question together.
const DEADLINE: Duration = Duration::from_secs(30);
/// Licence documents that are fetched for a question: eight of the page and eight of robots.txt
/// (PREF-108).
const MAX_DOCUMENTS: usize = 16;

impl RobotsCache {
    /// Returns what is known of the documents beside the robots.txt of `target`, for
    /// [`Target::with_documents`]. Fetches those that are missing or expired, if they could still
    /// change the decision of `policy` (PREF-131, PREF-136), within 30 seconds in all.
    ///
    /// - Documents that `target` already has stay as they are.
    /// - Without preferences in the policy's client, nothing is fetched.
    /// - `tdmrep.json` is only requested if `policy` allows its path. A licence document is only
    ///   requested if the robots.txt of its own site allows its path (PREF-132). Redirects are
    ///   subject to the rules of the site that they lead to.
    /// - Offline nothing is fetched. What is stored and fresh counts, everything else is as if it
    ///   was not given (CLA-PREF-1, CLA-PREF-2).
    ///
    /// `policy` comes from this cache, such as from [`RobotsCache::for_url`]. Must be called within
    /// a tokio runtime.
    ///
    /// ```no_run
    /// use abide::preference::PreferenceProfile;
    /// use abide::{Client, Outcome, ProductToken, Usage};
    /// use abide_fetch::RobotsCache;
    ///
    /// # async fn crawl() -> Result<(), Box<dyn std::error::Error>> {
    /// let client = Client::new(ProductToken::new("ExampleBot")?)
    ///     .with_preferences(PreferenceProfile::default());
    /// let robots = RobotsCache::builder("ExampleBot/1.0 (+https://bot.example/)")?
    ///     .client(client)
    ///     .build()?;
    /// let asked = robots.decide("https://news.example/archive/").await?;
    /// let documents = robots.documents(asked.policy(), &asked.target()).await;
    /// let target = asked.target().with_documents(&documents);
    /// let train = asked.policy().decide(&target).outcome(Usage::Train);
    /// if matches!(train, Outcome::Permitted | Outcome::Unspecified) {
    ///     println!("{} may be used for training: nobody reserved it", asked.url);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn documents(&self, policy: &Policy, target: &Target<'_>) -> Documents {
        let until = Until::new();
        let mut documents = given(target);
        if is_open(policy, target, &documents) {
            let found = match missing_tdmrep(policy, target, &documents) {
                Some(url) => self.tdmrep(policy, &url, &until).await,
                None => None,
            };
            // Offline nothing could be asked for, so silence is not a gap (CLA-PREF-1).
            let otherwise = (!self.shared.is_offline).then_some(TdmrepState::NotKnown);
            documents = match found.or(otherwise) {
                Some(state) => documents.with_tdmrep(state),
                None => documents,
            };
        }
        self.with_licences(documents, policy, target, &until).await
    }

    /// Returns what was known of the documents at the past time `at`: of `tdmrep.json` what
    /// `store` says applied then, of licence documents what applies now (PREF-133).
    /// `policy` is the robots.txt that applied then ([`FileStore::state_at`]).
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot be read.
    #[cfg(feature = "file")]
    pub async fn documents_at(
        &self,
        store: &FileStore,
        at: Moment,
        policy: &Policy,
        target: &Target<'_>,
    ) -> Result<Documents, StoreError> {
        let mut documents = given(target);
        if is_open(policy, target, &documents)
            && let Some(url) = missing_tdmrep(policy, target, &documents)
            && let Some(state) = self.tdmrep_at(store, at, policy, &url).await?
        {
            documents = documents.with_tdmrep(state);
        }
        let until = Until::new();
        Ok(self.with_licences(documents, policy, target, &until).await)
    }

    /// The `tdmrep.json` at `url` as it was known at `at`. `None` if the history does not know it.
    #[cfg(feature = "file")]
    async fn tdmrep_at(
        &self,
        store: &FileStore,
        at: Moment,
        policy: &Policy,
        url: &str,
    ) -> Result<Option<TdmrepState>, StoreError> {
        let Some(resource) = self.allowed(policy, url) else {
            return Ok(Some(TdmrepState::NotKnown));
        };
        let (store, settings) = (store.clone(), self.shared.settings.clone());
        let read = tokio::task::spawn_blocking(move || {
            let state = store.state_at(&resource, at, &settings)?;
            Ok(state
                .and_then(|state| tdmrep(&state.plan(at, &settings), state.copy(), read_tdmrep)))
        });
        read.await
            .unwrap_or_else(|_| Err(RecordError::Shape.into()))
    }

    /// The `tdmrep.json` at `url`, on the site of `policy`. `None` if nothing is known of it.
    async fn tdmrep(&self, policy: &Policy, url: &str, until: &Until) -> Option<TdmrepState> {
        let Some(resource) = self.allowed(policy, url) else {
            return Some(TdmrepState::NotKnown);
        };
        let site = self.of_key_until(resource.as_str(), until).await;
        site?.tdmrep(&self.shared.settings)
    }

    /// Adds the licence documents that the decision needs, until it needs no more.
    async fn with_licences(
        &self,
        mut documents: Documents,
        policy: &Policy,
        target: &Target<'_>,
        until: &Until,
    ) -> Documents {
        let mut wanted = BTreeSet::new();
        loop {
            let mut fetching = JoinSet::new();
            for url in missing_licences(policy, target, &documents) {
                if wanted.len() < MAX_DOCUMENTS && wanted.insert(url.clone()) {
                    let (robots, until) = (self.clone(), until.clone());
                    fetching.spawn(async move { (robots.licence(&url, &until).await, url) });
                }
            }
            if fetching.is_empty() {
                return documents;
            }
            while let Some(fetched) = fetching.join_next().await {
                // One that broke off stays unknown, and is not asked for again.
                if let Ok((state, url)) = fetched {
                    documents = documents.with_licence(url, state);
                }
            }
        }
    }

    /// The licence document at `url`. Whatever prevents it from being had, once it is asked for,
    /// makes it unreadable (PREF-94, AMB-PREF-23).
    async fn licence(&self, url: &str, until: &Until) -> LicenceState {
        let site = match key(url) {
            Some(key) => self.of_key_until(&key, until).await,
            None => None,
        };
        let policy = match site {
            Some(site) => self.policy(&site).await,
            None => Arc::clone(&self.unknown),
        };
        let Some(resource) = self.allowed(&policy, url) else {
            return LicenceState::Unreadable;
        };
        let found = self.of_key_until(resource.as_str(), until).await;
        match found.and_then(|site| site.licence()) {
            Some(state) => state,
            None if self.shared.is_offline => LicenceState::NotKnown,
            None => LicenceState::Unreadable,
        }
    }

    /// What is at `key`, fetched first if needed, if it comes in time.
    async fn of_key_until(&self, key: &str, until: &Until) -> Option<Arc<Site>> {
        if let Some(site) = self.known(key) {
            return Some(site);
        }
        let left = until.left();
        let mut arrival = self.arrival(&Resource::of_key(key)?, None).await;
        until.has(left);
        let arrived = timeout_at(until.at(), arrival.wait_for(Option::is_some)).await;
        arrived.ok()?.ok()?.clone()
    }

    /// The document at `url`, if `policy` allows exactly what is sent for it (PREF-132). Offline
    /// nothing is sent, so rules that are not known do not forbid to look at what is stored.
    fn allowed(&self, policy: &Policy, url: &str) -> Option<Resource> {
        let is_free = self.shared.is_offline && policy.access() == Access::Unknown;
        let document = Resource::document(url);
        document.filter(|document| is_free || policy.allows(document.as_str()))
    }
}

/// Until when the documents of a question have to be there. Waiting for turns does not count: that
/// other questions are asked is no failure of a site.
#[derive(Clone, Debug)]
struct Until(Arc<Mutex<Instant>>);

impl Until {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(after(DEADLINE))))
    }

    fn at(&self) -> Instant {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn left(&self) -> Duration {
        self.at().saturating_duration_since(Instant::now())
    }

    /// Leaves at least as much time as was `left` before a wait.
    fn has(&self, left: Duration) {
        let mut at = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *at = after(left).max(*at);
    }
}

/// So long from now.
fn after(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or(now)
}

/// The documents that the caller knows.
fn given(target: &Target<'_>) -> Documents {
    target.documents().cloned().unwrap_or_default()
}

/// Whether the client asks for the `tdmrep.json` of the site of `target`, and nobody gave it.
fn is_open(policy: &Policy, target: &Target<'_>, documents: &Documents) -> bool {
    let profile = policy.client().preferences();
    let asks = profile.is_some_and(|profile| profile.asks(Vocabulary::Tdmrep));
    asks && documents.tdmrep().is_none() && target.tdmrep_url().is_some()
}

/// The URL of the `tdmrep.json`, if it could change the decision.
fn missing_tdmrep(policy: &Policy, target: &Target<'_>, documents: &Documents) -> Option<String> {
    let url = target.tdmrep_url()?;
    let unknown = documents.clone().with_tdmrep(TdmrepState::NotKnown);
    let decision = policy.decide(&target.with_documents(&unknown));
    decision.needs.contains(&url).then_some(url)
}

/// The URLs of the licence documents that are not known and could change the decision.
fn missing_licences(policy: &Policy, target: &Target<'_>, documents: &Documents) -> Vec<String> {
    if policy.client().preferences().is_none() {
        return Vec::new();
    }
    let decision = policy.decide(&target.with_documents(documents));
    let answers = decision.preferences.iter();
    let named: BTreeSet<&str> = answers
        .flat_map(|preferences| &preferences.vocabularies)
        .flat_map(|vocabulary| &vocabulary.documents)
        .filter_map(|document| document.url.as_deref())
        .collect();
    let mut needs = decision.needs;
    needs.retain(|url| named.contains(url.as_str()));
    needs
}

/// What is known of a `tdmrep.json` by `plan` and `copy`. `None` if it has to be fetched first.
pub(super) fn tdmrep(
    plan: &Plan<'_, Body>,
    copy: Option<&CachedAnswer<Body>>,
    read: impl Fn(&Body) -> TdmrepState,
) -> Option<TdmrepState> {
    match (plan.why, copy.map(|copy| &copy.kept)) {
        (RetrievalState::Fresh | RetrievalState::RefreshFailed, Some(Answer::File(body))) => {
            Some(read(body))
        }
        (RetrievalState::Fresh | RetrievalState::RefreshFailed, Some(Answer::Missing(_))) => {
            Some(TdmrepState::Absent)
        }
        (RetrievalState::Unreachable | RetrievalState::GraceIsOver, _) => {
            Some(match plan.last_known.map(read) {
                Some(TdmrepState::File(file)) => TdmrepState::LastKnown(file),
                // What it prohibited stays prohibited (PREF-135).
                Some(TdmrepState::TooLarge) => TdmrepState::TooLarge,
                _ => TdmrepState::NotKnown,
            })
        }
        _ => None,
    }
}

/// What is known of a licence document by `why` and `copy`. `None` if it has to be fetched first.
pub(super) fn licence(
    why: RetrievalState,
    copy: Option<&CachedAnswer<Body>>,
    read: impl Fn(&Body) -> LicenceState,
) -> Option<LicenceState> {
    match (why, copy.map(|copy| &copy.kept)) {
        (RetrievalState::Fresh | RetrievalState::RefreshFailed, Some(Answer::File(body))) => {
            Some(read(body))
        }
        (RetrievalState::Fresh | RetrievalState::RefreshFailed, Some(Answer::Missing(_)))
        | (RetrievalState::Unreachable | RetrievalState::GraceIsOver, _) => {
            Some(LicenceState::Unreadable)
        }
        _ => None,
    }
}

/// Reads a `tdmrep.json`. One that continues after the limit is too large (PREF-85).
pub(super) fn read_tdmrep(body: &Body) -> TdmrepState {
    if body.is_cut() {
        TdmrepState::TooLarge
    } else {
        abide_documents::tdmrep(body.as_bytes())
    }
}

/// Reads a licence document. One that continues after the limit is unreadable (PREF-108).
pub(super) fn read_licence(body: &Body) -> LicenceState {
    if body.is_cut() {
        LicenceState::Unreadable
    } else {
        abide_documents::rsl(body.as_bytes())
    }
}

/// For how many seconds a body is fresh at most, if it is a licence document (PREF-107).
pub(super) fn max_age(body: &Body) -> Option<u64> {
    match read_licence(body) {
        LicenceState::Read(document) => Some(document.max_age_days().saturating_mul(DAY)),
        LicenceState::Unreadable | LicenceState::NotKnown => None,
    }
}
