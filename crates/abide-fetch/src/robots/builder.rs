//! Builds a cache, with settings of which each exists once.

use super::{Clock, Observer, Retriever, RobotsCache, SharedState, SystemClock};
use crate::machine::{Outage, RetrievalSettings};
use crate::pace::Pacer;
use crate::record::Resource;
use crate::store::Store;
use abide::Client;
use std::fmt::{self, Debug};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};

/// For how many bytes of outages there is always room.
const MIN_OUTAGE_BYTES: u64 = 64 << 10;
/// How many bytes an outage takes beside the URL of its resource.
const OUTAGE: usize = 256;
/// How many bytes of files and compiled rules are kept in memory by default.
const DEFAULT_MEMORY: u64 = 256 << 20;

impl RobotsCache {
    /// Starts a cache that answers for `client` and fetches through `retriever`, such as a
    /// `Fetcher` that other code uses too. `RobotsCache::builder` is simpler (feature `client`).
    pub fn with_retriever<R: Retriever + 'static>(client: Client, retriever: R) -> Builder<R> {
        Builder::new(client, retriever)
    }
}

/// Settings of a [`RobotsCache`] that fetches through `R`. Created by `RobotsCache::builder` and
/// [`RobotsCache::with_retriever`].
#[must_use = "call `build`"]
pub struct Builder<R> {
    pub(super) client: Client,
    pub(super) retriever: R,
    pub(super) settings: RetrievalSettings,
    memory: u64,
    clock: Box<dyn Clock>,
    store: Option<Arc<dyn Store>>,
    observer: Option<Arc<dyn Observer>>,
    is_offline: bool,
    pacer: Option<Pacer>,
}

impl<R> Builder<R> {
    pub(super) fn new(client: Client, retriever: R) -> Self {
        Self {
            client,
            retriever,
            settings: RetrievalSettings::default(),
            memory: DEFAULT_MEMORY,
            clock: Box::new(SystemClock::default()),
            store: None,
            observer: None,
            is_offline: false,
            pacer: None,
        }
    }

    /// Sets how responses and failures are handled. [default: RFC 9309, carefully]
    pub fn settings(mut self, settings: RetrievalSettings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets how many bytes of files and compiled rules are kept in memory. The least recently used
    /// files are evicted first. A thirty-second part more is for outages of sites whose files were
    /// evicted. [default: 256 MiB]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// Sets the clock. [default: the clock of the system]
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Box::new(clock);
        self
    }

    /// Keeps files in `store`, beyond the process or shared. [default: none]
    pub fn store(mut self, store: impl Store + 'static) -> Self {
        self.store = Some(Arc::new(store));
        self
    }

    /// Reports retrievals, changed files, refusals and failures of the store to `observer`; to two
    /// of them as `(one, other)`. [default: none]
    pub fn observer(mut self, observer: impl Observer + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Whether to send no request. Sites that the store does not have, or only has expired, are
    /// then unknown. [default: no]
    pub fn offline(mut self, is_offline: bool) -> Self {
        self.is_offline = is_offline;
        self
    }

    /// Fetches in the turns of `pacer`, and sets there which delay each site asks of the client,
    /// when it is asked about a URL of the site (REP-63). The adapters take turns there for their
    /// requests. [default: none; `Crawl-delay` is then reported to the observer]
    pub fn pacer(mut self, pacer: Pacer) -> Self {
        self.pacer = Some(pacer);
        self
    }

    /// This builder, fetching through `retriever`.
    #[cfg(feature = "client")]
    pub(super) fn through<Other>(self, retriever: Other) -> Builder<Other> {
        Builder {
            client: self.client,
            retriever,
            settings: self.settings,
            memory: self.memory,
            clock: self.clock,
            store: self.store,
            observer: self.observer,
            is_offline: self.is_offline,
            pacer: self.pacer,
        }
    }
}

impl<R: Retriever + 'static> Builder<R> {
    /// Builds the cache.
    #[must_use]
    pub fn build(self) -> RobotsCache {
        // By default there is room for some 25,000.
        let for_outages = (self.memory / 32).max(MIN_OUTAGE_BYTES);
        let sites = moka::sync::Cache::builder()
            .max_capacity(self.memory)
            // Every file is kept, or it would be fetched again for the next URL.
            .eviction_policy(moka::policy::EvictionPolicy::lru())
            .weigher(|_, site: &Arc<super::site::Site>| site.weight())
            .build();
        let outages = moka::sync::Cache::builder()
            .max_capacity(for_outages)
            .eviction_policy(moka::policy::EvictionPolicy::lru())
            .weigher(|resource: &Resource, _: &(Outage, i64, bool)| {
                let size = resource.as_str().len().saturating_add(OUTAGE);
                u32::try_from(size).unwrap_or(u32::MAX)
            })
            .build();
        let shared = SharedState {
            retriever: Box::new(self.retriever),
            settings: self.settings,
            clock: self.clock,
            store: self.store,
            observer: self.observer,
            is_offline: self.is_offline,
            pacer: self.pacer,
            reported: Mutex::default(),
            sites,
            outages,
            flights: Mutex::default(),
            clients: AtomicUsize::new(0),
        };
        RobotsCache::of(Arc::new(shared), self.client)
    }
}

impl<R> Debug for Builder<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("client", &self.client)
            .field("settings", &self.settings)
            .field("memory", &self.memory)
            .field("store", &self.store)
            .field("is_offline", &self.is_offline)
            .finish_non_exhaustive()
    }
}
