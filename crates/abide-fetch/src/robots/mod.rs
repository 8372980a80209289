//! The robots.txt files of many sites, and the documents beside them. Each file is fetched once,
//! kept while it is fresh, and renewed before it expires. A store keeps files beyond the process,
//! or shares them.

mod builder;
mod clock;
#[cfg(feature = "client")]
mod default_fetcher;
mod documents;
mod flight;
mod observer;
mod paced;
mod references;
mod request_rules;
mod site;
mod turns;

pub use builder::Builder;
pub use clock::{Clock, SystemClock};
#[cfg(feature = "client")]
pub use default_fetcher::{DefaultFetcher, SetupError};
pub use observer::{CacheTier, Observer, Warning};
#[cfg(any(feature = "reqwest-middleware", feature = "tower"))]
pub(crate) use request_rules::MAX_EXPIRED;
pub use request_rules::RequestRules;
pub use site::SiteRules;
pub use turns::{Turn, Turns};

#[cfg(feature = "client")]
use crate::http::Fetcher;
use crate::http::{BoxFuture, RedirectCheck, Retrieval};
use crate::machine::{Outage, RetrievalSettings, State, Validators};
use crate::pace::{PaceReport, Pacer, unpaced_fields};
use crate::record::{Body, Origin, Resource, key};
use crate::request_url::{RequestUrl, domain};
#[cfg(feature = "file")]
use crate::store::FileStore;
use crate::store::Store;
#[cfg(feature = "file")]
use crate::store::StoreError;
#[cfg(any(feature = "reqwest-middleware", feature = "tower"))]
use abide::IdentificationError;
use abide::rep::Access;
use abide::{Client, Moment, Policy};
use flight::{Arrival, asks_to_wait, last_asked};
use site::Site;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Debug};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// Of how many sites and names is remembered that a report about them was made.
const MAX_REPORTED: usize = 65_536;

/// A site that was asked so many seconds ago is not asked again for people who want to see what it
/// serves now.
const REFRESH_PAUSE: i64 = 2;

/// The robots.txt files of many sites, as one robot reads them. Cheap to clone.
///
/// A crawler asks it about every URL before it fetches that URL. Each file is fetched once, however
/// many tasks wait for it, and kept while it is fresh.
///
/// ```no_run
/// use abide_fetch::RobotsCache;
///
/// # async fn crawl() -> Result<(), Box<dyn std::error::Error>> {
/// let robots = RobotsCache::for_robot("ExampleBot/1.0 (+https://bot.example/)")?;
/// for link in ["https://news.example/archive/", "https://news.example/a/../private/"] {
///     if let Some(url) = robots.allows(link).await {
///         println!("fetch {url}"); // the URL as it is sent: https://news.example/private/
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RobotsCache {
    shared: Arc<SharedState>,
    client: Arc<Client>,
    /// The number of this client among those that share the cache.
    number: usize,
    /// The answer for text that is not a URL, and when a retrieval was interrupted.
    unknown: Arc<Policy>,
    /// What the retrievals that it begins wait for.
    turns: Option<Arc<dyn Turns>>,
}

/// Fetches robots.txt files and the documents beside them: a `Fetcher` (feature `client`), or your
/// own.
pub trait Retriever: Send + Sync {
    /// Fetches the robots.txt at `url`. `validators` are those of the stored copy. Must always
    /// finish.
    fn retrieve<'a>(&'a self, url: &'a str, validators: &'a Validators)
    -> BoxFuture<'a, Retrieval>;

    /// Fetches the document at `url`, for clients that ask for AI preferences. Follows a redirect
    /// only if `check` allows it, so a retriever that follows redirects has to implement this
    /// method. Must always finish. [default: [`Retriever::retrieve`]]
    fn retrieve_document<'a>(
        &'a self,
        url: &'a str,
        validators: &'a Validators,
        check: &'a dyn RedirectCheck,
    ) -> BoxFuture<'a, Retrieval> {
        let _ = check;
        self.retrieve(url, validators)
    }

    /// Fetches the robots.txt at `url` or, with a `check`, a document, in turns of `pacer`: every
    /// request is a visit to its site, also those of redirects. Must always finish. [default: one
    /// turn at the site of `url`, and one for each redirect that `check` allows. What the task of
    /// the retrieval sends through an adapter of the same pacer is part of its visit]
    fn retrieve_paced<'a>(
        &'a self,
        url: &'a str,
        validators: &'a Validators,
        check: Option<&'a dyn RedirectCheck>,
        pacer: &'a Pacer,
    ) -> BoxFuture<'a, Retrieval> {
        Box::pin(paced::retrieve(self, url, validators, (check, pacer)))
    }
}

#[cfg(feature = "client")]
impl Retriever for Fetcher {
    fn retrieve<'a>(
        &'a self,
        url: &'a str,
        validators: &'a Validators,
    ) -> BoxFuture<'a, Retrieval> {
        Box::pin(Self::retrieve(self, url, validators))
    }

    fn retrieve_document<'a>(
        &'a self,
        url: &'a str,
        validators: &'a Validators,
        check: &'a dyn RedirectCheck,
    ) -> BoxFuture<'a, Retrieval> {
        Box::pin(self.document(url, validators, check))
    }

    fn retrieve_paced<'a>(
        &'a self,
        url: &'a str,
        validators: &'a Validators,
        check: Option<&'a dyn RedirectCheck>,
        pacer: &'a Pacer,
    ) -> BoxFuture<'a, Retrieval> {
        Box::pin(self.paced(url, validators, check, pacer))
    }
}

/// How a site stands.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SiteState {
    /// All that is known of it.
    pub state: State<Body>,
    /// When it was evaluated.
    pub at: Moment,
    /// Until when the site asked to be left alone, if [`RobotsCache::refreshed`] did not ask it for
    /// that reason.
    pub asks_to_wait: Option<Moment>,
    /// Whether the attempt failed for a reason of this machine ([`SiteRules::is_local`]).
    pub is_local: bool,
}

impl SiteState {
    fn of(site: &Site) -> Self {
        Self {
            state: site.state.clone(),
            at: site.since,
            asks_to_wait: None,
            is_local: site.is_local,
        }
    }
}

/// The state that all clients share.
struct SharedState {
    retriever: Box<dyn Retriever>,
    settings: RetrievalSettings,
    clock: Box<dyn Clock>,
    store: Option<Arc<dyn Store>>,
    observer: Option<Arc<dyn Observer>>,
    is_offline: bool,
    pacer: Option<Pacer>,
    /// What is reported once, and was: sites whose delay nothing honours, and names that other
    /// clients send. As hashes.
    reported: Mutex<HashSet<u64>>,
    sites: moka::sync::Cache<Resource, Arc<Site>>,
    /// Outages of sites that were evicted from memory, so that a failing site is not fetched again
    /// too early. With each: by how much the clock had been set, and whether there was a copy.
    outages: moka::sync::Cache<Resource, (Outage, i64, bool)>,
    /// Retrievals in progress.
    flights: Mutex<HashMap<Resource, Arrival>>,
    clients: AtomicUsize,
}

impl RobotsCache {
    fn of(shared: Arc<SharedState>, client: Client) -> Self {
        let number = shared.clients.fetch_add(1, Ordering::Relaxed);
        let unknown = Policy::without_rules(Access::Unknown, &client);
        Self {
            shared,
            client: Arc::new(client),
            number,
            unknown: Arc::new(unknown),
            turns: None,
        }
    }

    /// Returns a cache that shares these files and answers for another client. No robots.txt is
    /// fetched twice. Create one per client and keep it, because every site keeps compiled rules
    /// for each.
    #[must_use]
    pub fn for_client(&self, client: Client) -> Self {
        Self::of(Arc::clone(&self.shared), client)
    }

    /// Returns this cache for a caller whose retrievals wait for `turns`. Use it where many callers
    /// share a cache, so that none of them waits for the sites of another.
    #[must_use]
    pub fn in_turns(&self, turns: impl Turns + 'static) -> Self {
        Self {
            turns: Some(Arc::new(turns)),
            ..self.clone()
        }
    }

    /// The pacer that the cache was built with.
    #[must_use]
    pub fn pacer(&self) -> Option<&Pacer> {
        self.shared.pacer.as_ref()
    }

    /// The client that the cache answers for.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Returns the current rules of the site of `url`, for questions about several URLs of the
    /// site. Fetches them first if they are missing or expired; if they expire soon, returns them
    /// and renews them in the background. For text that is not an http or https URL, nothing is
    /// allowed. Must be called within a tokio runtime.
    ///
    /// The rules answer for this site alone ([`Policy::for_site`]), and judge the text that they
    /// are given: ask them about a [`RequestUrl`], and send that. [`RobotsCache::allows`] does
    /// both. They do not change later, so ask for them again when they do not apply any more
    /// ([`SiteRules::valid_until`]).
    pub async fn for_url(&self, url: &str) -> Arc<Policy> {
        match self.site(url).await {
            Some(site) => self.policy(&site).await,
            None => Arc::clone(&self.unknown),
        }
    }

    /// Returns the current rules of the site of `url`, with their origin, reason and age.
    pub async fn site_rules(&self, url: &str) -> SiteRules {
        match self.site(url).await {
            Some(site) => site.site_rules(self.policy(&site).await),
            None => SiteRules {
                policy: Arc::clone(&self.unknown),
                origin: Origin::of(url),
                why: None,
                sha256: None,
                bytes: 0,
                is_cut: false,
                fetched_at: None,
                checked_at: None,
                fresh_until: None,
                valid_until: None,
                trail: None,
                outage: None,
                is_local: false,
            },
        }
    }

    /// Returns the rules of the site of `url` that applied at the past time `at`, by the history in
    /// `store`, with the hash and the times of their file: a proof in one call. Fetches nothing.
    /// `None` if nothing was known of the site yet, and for text that is not a URL.
    ///
    /// The client and the [`RetrievalSettings`] are those of this cache. Permissions references are
    /// not kept, so what they said is unknown.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be read.
    #[cfg(feature = "file")]
    pub fn site_rules_at(
        &self,
        store: &FileStore,
        url: &str,
        at: Moment,
    ) -> Result<Option<SiteRules>, StoreError> {
        let settings = &self.shared.settings;
        let Some(resource) = Resource::robots_txt(url) else {
            return Ok(None);
        };
        let Some(state) = store.state_at(&resource, at, settings)? else {
            return Ok(None);
        };
        let site = Site::new(resource, state, (at, at), 0, settings);
        let policy = site.compiled(&self.client, settings);
        Ok(Some(site.site_rules(Arc::new(policy))))
    }

    /// Returns what [`RobotsCache::site_rules`] would return, if that is in memory, fresh, and
    /// compiled for this client. Nothing is waited for, and little is computed.
    #[must_use]
    pub fn known_rules(&self, url: &str) -> Option<SiteRules> {
        let site = self.known(&key(url)?)?;
        let policy = site.policy(self.number)?;
        self.set_delay(&site, &policy);
        self.shared.looked_up(CacheTier::Memory, true);
        Some(site.site_rules(policy))
    }

    /// Returns how the site of `url` stands. Fetches like [`RobotsCache::for_url`]. For tools that
    /// need more than a policy.
    pub async fn state(&self, url: &str) -> Option<SiteState> {
        self.site(url).await.map(|site| SiteState::of(&site))
    }

    /// Returns the state of the site of `url` like [`RobotsCache::state`], but asks the site for
    /// its robots.txt even if the known one is fresh, and even during an outage. It is not asked if
    /// it was within the last two seconds, nor before the time that its `Retry-After` asks for
    /// ([`SiteState::asks_to_wait`]). With a copy the request is conditional. For tools that show
    /// people what a site serves now: a crawler asks when a copy expires.
    pub async fn refreshed(&self, url: &str) -> Option<SiteState> {
        let resource = Resource::of_key(&key(url)?)?;
        let pause = |at: Moment| at.plus_seconds(REFRESH_PAUSE.saturating_neg());
        let since = pause(self.shared.clock.now());
        let mut site = self.flown(&resource, since).await?;
        let is_asked = |site: &Site| last_asked(&site.state) >= Some(since);
        let waits = |site: &Site| asks_to_wait(&site.state, self.shared.clock.now());
        let may_ask = !site.is_local && !self.shared.is_offline;
        if may_ask && !is_asked(&site) && waits(&site).is_none() {
            // That flight was one that began before, and found the file fresh.
            site = self.flown(&resource, since).await?;
        }
        Some(SiteState {
            asks_to_wait: waits(&site).filter(|_| !is_asked(&site)),
            ..SiteState::of(&site)
        })
    }

    /// What the flight of `resource` brings, which asks the site unless it was asked since then.
    async fn flown(&self, resource: &Resource, since: Moment) -> Option<Arc<Site>> {
        let mut arrival = self.arrival(resource, Some(since)).await;
        arrival.wait_for(Option::is_some).await.ok()?.clone()
    }

    /// The site of `url`, fetched first if needed. `None` for text that is not a URL, and if the
    /// retrieval was interrupted.
    async fn site(&self, url: &str) -> Option<Arc<Site>> {
        self.of_key(&key(url)?).await
    }

    /// The site of `key`, fetched first if needed.
    async fn of_key(&self, key: &str) -> Option<Arc<Site>> {
        let known = self.known(key);
        self.shared.looked_up(CacheTier::Memory, known.is_some());
        match known {
            Some(site) => Some(site),
            None => self.arrived(key).await,
        }
    }

    /// Who says whether redirects may be followed: for a document, this cache, whose client asks
    /// for it. A robots.txt is subject to no rules. What it fetches is part of the turn of the
    /// document: if it waited for another turn, all turns could wait for each other.
    fn redirect_check(&self, resource: &Resource) -> Option<Self> {
        let check = || Self {
            turns: None,
            ..self.clone()
        };
        resource.is_document().then(check)
    }

    /// Waits for a turn to begin a retrieval, if turns are taken and anything is fetched.
    async fn own_turn(&self, resource: &Resource) -> Option<Turn> {
        let turns = self.turns.as_ref().filter(|_| !self.shared.is_offline)?;
        let url = url::Url::parse(resource.as_str()).ok();
        let host = url.as_ref().and_then(url::Url::host_str);
        Some(turns.turn(domain(host.unwrap_or_default())).await)
    }

    /// The site in memory, if it is fresh. Starts a renewal if that is due.
    fn known(&self, key: &str) -> Option<Arc<Site>> {
        let site = self.shared.sites.get(key)?;
        let at = self.shared.clock.now();
        if !site.holds(at) {
            return None;
        }
        if at >= site.renew && !site.is_renewing.swap(true, Ordering::AcqRel) {
            let check = self.redirect_check(&site.resource);
            self.shared
                .flight(&site.resource, Some(Arc::clone(&site)), check, None, None);
        }
        Some(site)
    }

    /// Waits for the site. `None` if the retrieval was interrupted.
    async fn arrived(&self, key: &str) -> Option<Arc<Site>> {
        let mut arrival = self.arrival(&Resource::of_key(key)?, None).await;
        let arrived = arrival.wait_for(Option::is_some).await.ok()?;
        arrived.clone()
    }

    /// The flight of `resource`: the one that is on its way, or a new one when it has its turn. No
    /// flight waits for a turn, or others would wait for it. With `since`, an answer of the site
    /// from before does not do.
    async fn arrival(&self, resource: &Resource, since: Option<Moment>) -> Arrival {
        if let Some(arrival) = self.shared.flying(resource) {
            return arrival;
        }
        let turn = self.own_turn(resource).await;
        if turn.is_some()
            && let Some(site) = self.known(resource.as_str())
            && since.is_none_or(|since| last_asked(&site.state) >= Some(since))
        {
            return watch::channel(Some(site)).1;
        }
        let check = self.redirect_check(resource);
        self.shared.flight(resource, None, check, turn, since)
    }

    /// The rules of the site for this client, whose delay the pacer then knows.
    async fn policy(&self, site: &Arc<Site>) -> Arc<Policy> {
        let policy = self.compiled(site).await;
        self.set_delay(site, &policy);
        policy
    }

    /// Sets the delay that the site asks of this client. If the pacer is full, it knows that it may
    /// have missed a delay.
    fn set_delay(&self, site: &Site, policy: &Policy) {
        if let Some(pacer) = &self.shared.pacer {
            let delay = policy.crawl_delay().map(|(delay, _)| delay.duration());
            let _ = pacer.honour(site.resource.as_str(), self.number, delay);
        }
    }

    /// The rules of the site for this client, compiled once, with the files that it refers to.
    async fn compiled(&self, site: &Arc<Site>) -> Arc<Policy> {
        if let Some(policy) = site.policy(self.number) {
            return policy;
        }
        let policy = site.compiled(&self.client, &self.shared.settings);
        if policy.references().is_empty() {
            return self.remembered(site, policy);
        }
        // A task of its own: whoever stops waiting does not stop it.
        let (robots, site) = (self.clone(), Arc::clone(site));
        let prepared = tokio::spawn(async move {
            let _turn = robots.own_turn(&site.resource).await;
            let _preparing = site.preparing.lock().await;
            if let Some(policy) = site.policy(robots.number) {
                return policy;
            }
            let robots_url = site.resource.url();
            let (policy, is_local) = robots.shared.with_references(policy, &robots_url).await;
            if is_local {
                return Arc::new(policy);
            }
            robots.remembered(&site, policy)
        });
        prepared.await.unwrap_or_else(|_| Arc::clone(&self.unknown))
    }

    fn remembered(&self, site: &Arc<Site>, policy: Policy) -> Arc<Policy> {
        let policy = site.remember(self.number, policy);
        self.shared.weigh(site);
        self.shared.report_pace(&site.resource, &policy);
        policy
    }

    /// Adds the permissions files that `policy`, of the robots.txt at `robots_url`, refers to. They
    /// are fetched; a file that cannot be fetched is unreachable, and offline they stay unknown.
    /// Policies of
    /// [`RobotsCache::for_url`] already have them.
    pub async fn with_references(&self, policy: Policy, robots_url: &str) -> Policy {
        self.shared.with_references(policy, robots_url).await.0
    }

    /// Reports that `policy` does not allow `url`, unless it applies because of a fault of this
    /// machine: its site refused nothing.
    pub(crate) fn report_refusal(&self, url: &str, policy: &Policy, is_local: bool) {
        if let Some(observer) = self.shared.observer.as_ref().filter(|_| !is_local) {
            observer.refused(url, policy);
        }
    }

    /// Reports that another client sends `user_agent`, unless it names this one (REP-25).
    #[cfg(any(feature = "reqwest-middleware", feature = "tower"))]
    pub(crate) fn check_name(&self, user_agent: &str) {
        let Some(observer) = &self.shared.observer else {
            return;
        };
        let found = self.client.check_identification(user_agent);
        let is_other =
            |error: &&IdentificationError| !matches!(error, IdentificationError::NoContact);
        if let Some(error) = found.iter().find(is_other)
            && self.shared.is_first_report((self.number, user_agent))
        {
            observer.misnamed(user_agent, error);
        }
    }

    /// How many robots.txt files and documents are in memory.
    #[must_use]
    pub fn sites(&self) -> u64 {
        self.shared.sites.run_pending_tasks();
        self.shared.sites.entry_count()
    }

    /// How many bytes they take in memory, about.
    #[must_use]
    pub fn memory_used(&self) -> u64 {
        self.shared.sites.run_pending_tasks();
        self.shared.sites.weighted_size()
    }
}

impl SharedState {
    fn looked_up(&self, cache: CacheTier, is_there: bool) {
        if let Some(observer) = &self.observer {
            observer.looked_up(cache, is_there);
        }
    }

    /// Reports what nothing honours.
    fn report_pace(&self, resource: &Resource, policy: &Policy) {
        if let Some(pacer) = &self.pacer {
            for (line, field) in unpaced_fields(policy) {
                let site = resource.to_string();
                pacer.report(&PaceReport::NotPaced { site, line, field });
            }
            return;
        }
        if let (Some(observer), Some((delay, _))) = (&self.observer, policy.crawl_delay())
            && self.is_first_report(resource)
        {
            observer.unpaced(resource, delay);
        }
    }

    fn is_first_report(&self, about: impl Hash) -> bool {
        let mut hasher = DefaultHasher::new();
        about.hash(&mut hasher);
        let mut known = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_REPORTED {
            known.clear();
        }
        known.insert(hasher.finish())
    }

    /// `policy` with the permissions files that it refers to, and whether one of them could not be
    /// fetched for a reason of this machine.
    async fn with_references(&self, policy: Policy, robots_url: &str) -> (Policy, bool) {
        if self.is_offline {
            return (policy, false);
        }
        references::with_references(policy, robots_url, self).await
    }

    /// Stores the result of a retrieval.
    fn keep(&self, site: &Arc<Site>) {
        if site.is_local {
            return;
        }
        let resource = site.resource.clone();
        match site.state.outage() {
            Some(outage) => self.outages.insert(
                resource,
                (*outage, site.clock_was_set, site.state.copy().is_some()),
            ),
            None => self.outages.invalidate(resource.as_str()),
        }
        self.sites.insert(site.resource.clone(), Arc::clone(site));
    }

    /// Updates the weight of a site, unless the site was replaced meanwhile.
    fn weigh(&self, site: &Arc<Site>) {
        let current = self.sites.entry(site.resource.clone());
        current.and_compute_with(|current| {
            let current = current.map(moka::Entry::into_value);
            if current.is_some_and(|current| Arc::ptr_eq(&current, site)) {
                moka::ops::compute::Op::Put(Arc::clone(site))
            } else {
                moka::ops::compute::Op::Nop
            }
        });
    }
}

/// A redirect may be followed if the robots.txt of the site that it leads to allows it for the
/// client (PREF-132).
impl RedirectCheck for RobotsCache {
    fn may_follow<'a>(&'a self, to: &'a RequestUrl) -> BoxFuture<'a, bool> {
        Box::pin(async move { self.allows(to.as_str()).await.is_some() })
    }
}

impl Debug for RobotsCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Robots")
            .field("client", &self.client)
            .field("sites", &self.shared.sites.entry_count())
            .field("store", &self.shared.store)
            .finish_non_exhaustive()
    }
}
