//! The robots.txt of many sites: each fetched once however many ask, kept as long as it holds, renewed ahead of
//! its end, and kept for longer, or shared, where there is a store.

mod clock;
mod flight;
mod references;
mod setup;
mod site;

pub use clock::{Clock, SystemClock};
pub use setup::{Setup, SetupError};
pub use site::InEffect;

use crate::http::{BoxFuture, Fetcher, Retrieval};
use crate::machine::{Outage, Settings, State, Validators};
use crate::record::{Body, BodyHash, Origin, key};
use crate::store::{Store, StoreError};
use abide::rep::Access;
use abide::{Client, Moment, Policy};
use flight::Arrival;
use site::Site;
use std::collections::HashMap;
use std::fmt::{self, Debug};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The robots.txt files of many sites, as one robot reads them. Cheap to clone.
///
/// A crawler asks it about every URL before it fetches that URL. Each file is fetched once, however many
/// tasks ask for it, and kept as long as it holds.
///
/// ```no_run
/// use abide_fetch::RobotsCache;
///
/// # async fn crawl() -> Result<(), Box<dyn std::error::Error>> {
/// let robots = RobotsCache::for_robot("ExampleBot/1.0 (+https://bot.example/)")?;
/// let url = "https://news.example/archive/";
/// if robots.for_url(url).await.allows(url) {
///     // fetch it
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RobotsCache {
    shared: Arc<Shared>,
    client: Arc<Client>,
    /// Which of the clients that share this is asking.
    number: usize,
    /// What is said of text without a robots.txt of its own, and while nothing can be found out.
    unknown: Arc<Policy>,
}

/// What asks the sites: a [`Fetcher`], or whatever stands in its place.
pub trait Retriever: Send + Sync {
    /// Asks for the robots.txt at `url`, whose copy has these `validators`. It always comes to an end.
    fn retrieve<'a>(&'a self, url: &'a str, validators: &'a Validators)
    -> BoxFuture<'a, Retrieval>;
}

impl Retriever for Fetcher {
    fn retrieve<'a>(
        &'a self,
        url: &'a str,
        validators: &'a Validators,
    ) -> BoxFuture<'a, Retrieval> {
        Box::pin(Self::retrieve(self, url, validators))
    }
}

/// Hears of what goes on, for logs and figures. It is called in the task that fetches, and should be quick.
pub trait Observer: Send + Sync {
    /// A site was asked for its robots.txt.
    fn retrieved(&self, origin: &Origin, retrieval: &Retrieval) {
        let _ = (origin, retrieval);
    }

    /// A site that had rules serves a file without a single one: an error page perhaps, or somebody else's. The
    /// new file counts, as RFC 9309 has it; this is for people.
    fn emptied(&self, origin: &Origin, was: BodyHash, is: BodyHash) {
        let _ = (origin, was, is);
    }

    /// A store did not do what was asked of it; the answer does not depend on that.
    fn warned(&self, warning: &Warning) {
        let _ = warning;
    }
}

/// Something that an operator should know of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// The site that it happened with.
    pub origin: Origin,
    /// What the store said.
    pub error: StoreError,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the cache, asked about {}: {}", self.origin, self.error)
    }
}

/// What all clients share.
struct Shared {
    retriever: Box<dyn Retriever>,
    settings: Settings,
    clock: Box<dyn Clock>,
    store: Option<Arc<dyn Store>>,
    observer: Option<Arc<dyn Observer>>,
    is_offline: bool,
    sites: moka::sync::Cache<Origin, Arc<Site>>,
    /// Outages outlive the sites that had to go: a site that fails is not asked again the sooner for having been
    /// forgotten. With each, by how much the clock had been set, and whether there was a copy.
    outages: moka::sync::Cache<Origin, (Outage, i64, bool)>,
    /// Retrievals that are on their way.
    flights: Mutex<HashMap<Origin, Arrival>>,
    clients: AtomicUsize,
}

/// Outages that are remembered.
const MOST_OUTAGES: u64 = 65_536;
/// Bytes of files and compiled rules that are kept in memory by default.
const DEFAULT_MEMORY: u64 = 256 << 20;

/// Puts a [`RobotsCache`] together.
#[must_use = "call `build`"]
pub struct Builder {
    client: Client,
    retriever: Box<dyn Retriever>,
    settings: Settings,
    bytes: u64,
    clock: Box<dyn Clock>,
    store: Option<Arc<dyn Store>>,
    observer: Option<Arc<dyn Observer>>,
    is_offline: bool,
}

impl Builder {
    /// How answers and failures are treated.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Octets of files and compiled rules that are kept in memory, 256 MiB where left out; what was not
    /// asked for for the longest time goes first.
    pub fn bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// A clock of one's own.
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Box::new(clock);
        self
    }

    /// Where records outlive the process, or are shared.
    pub fn store(mut self, store: impl Store + 'static) -> Self {
        self.store = Some(Arc::new(store));
        self
    }

    /// Who hears of what goes on.
    pub fn observer(mut self, observer: impl Observer + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Asks no site; what the store does not know, or holds no more, is unknown.
    pub fn offline(mut self, is_offline: bool) -> Self {
        self.is_offline = is_offline;
        self
    }

    /// Builds the cache.
    #[must_use]
    pub fn build(self) -> RobotsCache {
        let sites = moka::sync::Cache::builder()
            .max_capacity(self.bytes)
            // Whatever was fetched is kept, for otherwise it would be fetched again with the next URL.
            .eviction_policy(moka::policy::EvictionPolicy::lru())
            .weigher(|_: &Origin, site: &Arc<Site>| site.weight())
            .build();
        let outages = moka::sync::Cache::builder()
            .max_capacity(MOST_OUTAGES)
            .eviction_policy(moka::policy::EvictionPolicy::lru())
            .build();
        let shared = Shared {
            retriever: self.retriever,
            settings: self.settings,
            clock: self.clock,
            store: self.store,
            observer: self.observer,
            is_offline: self.is_offline,
            sites,
            outages,
            flights: Mutex::default(),
            clients: AtomicUsize::new(0),
        };
        RobotsCache::of(Arc::new(shared), self.client)
    }
}

impl RobotsCache {
    /// Makes a cache that answers for `client` and asks sites through `retriever`: a [`Fetcher`] of your own,
    /// or something else that fetches. [`RobotsCache::for_robot`] is the simpler way.
    pub fn builder(client: Client, retriever: impl Retriever + 'static) -> Builder {
        Builder {
            client,
            retriever: Box::new(retriever),
            settings: Settings::default(),
            bytes: DEFAULT_MEMORY,
            clock: Box::new(SystemClock::default()),
            store: None,
            observer: None,
            is_offline: false,
        }
    }

    fn of(shared: Arc<Shared>, client: Client) -> Self {
        let number = shared.clients.fetch_add(1, Ordering::Relaxed);
        let unknown = Policy::without_rules(Access::Unknown, &client);
        Self {
            shared,
            client: Arc::new(client),
            number,
            unknown: Arc::new(unknown),
        }
    }

    /// Returns a cache that shares these files and answers for another client. No robots.txt is fetched
    /// twice. Make one for each client and keep it, because every site keeps its rules for each.
    #[must_use]
    pub fn for_client(&self, client: Client) -> Self {
        Self::of(Arc::clone(&self.shared), client)
    }

    /// The client that is answered for.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The rules in force for the site of `url`. Fetches them where nobody has, and waits for that; where they
    /// hold and are soon to end, they are renewed meanwhile. Nothing is allowed at text that is no http or
    /// https URL. Must be called within a tokio runtime.
    pub async fn for_url(&self, url: &str) -> Arc<Policy> {
        match self.site(url).await {
            Some(site) => self.policy(&site).await,
            None => Arc::clone(&self.unknown),
        }
    }

    /// The same, with what it rests on.
    pub async fn in_effect(&self, url: &str) -> InEffect {
        match self.site(url).await {
            Some(site) => site.in_effect(self.policy(&site).await),
            None => InEffect {
                policy: Arc::clone(&self.unknown),
                origin: Origin::of(url),
                why: None,
                sha256: None,
                fetched_at: None,
                checked_at: None,
                fresh_until: None,
                outage: None,
            },
        }
    }

    /// Everything that is known of the site of `url`, which is asked as for [`RobotsCache::for_url`], and when it was
    /// looked at: for those who make something else of it than a policy.
    pub async fn state(&self, url: &str) -> Option<(State<Body>, Moment)> {
        let site = self.site(url).await?;
        Some((site.state.clone(), site.since))
    }

    /// The site of `url`, as it is known or as soon as it is; `None` for text without one, and where looking for it
    /// broke off.
    async fn site(&self, url: &str) -> Option<Arc<Site>> {
        let key = key(url)?;
        match self.known(&key) {
            Some(site) => Some(site),
            None => self.arrived(&key).await,
        }
    }

    /// The site in memory, if it holds; somebody is sent to renew it where that is due.
    fn known(&self, key: &str) -> Option<Arc<Site>> {
        let site = self.shared.sites.get(key)?;
        let at = self.shared.clock.now();
        if !site.holds(at) {
            return None;
        }
        if at >= site.renew && !site.is_renewing.swap(true, Ordering::AcqRel) {
            self.shared.flight(&site.origin, Some(Arc::clone(&site)));
        }
        Some(site)
    }

    /// The site as soon as it is there; `None` where looking for it broke off.
    async fn arrived(&self, key: &str) -> Option<Arc<Site>> {
        let origin = Origin::of(key)?;
        let mut arrival = self.shared.flight(&origin, None);
        let arrived = arrival.wait_for(Option::is_some).await.ok()?;
        arrived.clone()
    }

    /// What the site says to this client; made once, with what the file refers to.
    async fn policy(&self, site: &Arc<Site>) -> Arc<Policy> {
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
            let _turn = site.preparing.lock().await;
            if let Some(policy) = site.policy(robots.number) {
                return policy;
            }
            let robots_url = site.origin.robots_url();
            let policy = robots.with_references(policy, &robots_url).await;
            robots.remembered(&site, policy)
        });
        prepared.await.unwrap_or_else(|_| Arc::clone(&self.unknown))
    }

    fn remembered(&self, site: &Arc<Site>, policy: Policy) -> Arc<Policy> {
        let policy = site.remember(self.number, policy);
        self.shared.weigh(site);
        policy
    }

    /// `policy`, of the robots.txt at `robots_url`, with the permissions that it refers to and was not given. They
    /// are fetched, and one that cannot be is as unreachable as a file; offline, they stay unknown. Policies of
    /// [`RobotsCache::for_url`] have them already.
    pub async fn with_references(&self, policy: Policy, robots_url: &str) -> Policy {
        if self.shared.is_offline {
            return policy;
        }
        let (retriever, settings) = (self.shared.retriever.as_ref(), &self.shared.settings);
        references::with_references(policy, robots_url, retriever, settings).await
    }

    /// How many authorities are known.
    #[must_use]
    pub fn sites(&self) -> u64 {
        self.shared.sites.run_pending_tasks();
        self.shared.sites.entry_count()
    }
}

impl Shared {
    /// Remembers what came of a flight.
    fn keep(&self, site: &Arc<Site>) {
        let origin = site.origin.clone();
        match site.state.outage() {
            Some(outage) => self.outages.insert(
                origin,
                (*outage, site.clock_was_set, site.state.copy().is_some()),
            ),
            None => self.outages.invalidate(origin.as_str()),
        }
        self.sites.insert(site.origin.clone(), Arc::clone(site));
    }

    /// The site has another weight now, unless it has been replaced meanwhile.
    fn weigh(&self, site: &Arc<Site>) {
        let current = self.sites.entry(site.origin.clone());
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

impl<T: Observer + ?Sized> Observer for Arc<T> {
    fn retrieved(&self, origin: &Origin, retrieval: &Retrieval) {
        (**self).retrieved(origin, retrieval);
    }

    fn emptied(&self, origin: &Origin, was: BodyHash, is: BodyHash) {
        (**self).emptied(origin, was, is);
    }

    fn warned(&self, warning: &Warning) {
        (**self).warned(warning);
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

impl Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("client", &self.client)
            .field("octets", &self.bytes)
            .field("store", &self.store)
            .finish_non_exhaustive()
    }
}
