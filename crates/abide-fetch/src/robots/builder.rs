//! Builds a cache, with settings of which each exists once.

use super::{Clock, Observer, Retriever, RobotsCache, SharedState, SystemClock};
use crate::guard::Guard;
use crate::http::{
    ConcurrencyLimits, Fetcher, Options, OptionsError, Resolver, SystemConnector, SystemResolver,
};
use crate::machine::{Outage, RetrievalSettings};
use crate::pace::Pacer;
use crate::record::Resource;
use crate::store::Store;
use abide::explain::visible;
use abide::rep::{NameKind, UserAgentLine};
use abide::{Client, IdentificationError, ProductToken};
use std::fmt::{self, Debug};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use thiserror::Error;

/// For how many bytes of outages there is always room.
const MIN_OUTAGE_BYTES: u64 = 64 << 10;
/// How many bytes an outage takes beside the URL of its resource.
const OUTAGE: usize = 256;
/// How many bytes of files and compiled rules are kept in memory by default.
const DEFAULT_MEMORY: u64 = 256 << 20;

impl RobotsCache {
    /// Builds a cache for the robot that sends `user_agent`. By default it connects to public
    /// addresses only, keeps up to 256 MiB in memory, and handles expiry and failures as RFC 9309
    /// says.
    ///
    /// # Errors
    /// [`SetupError`] for a user agent without the name of one robot, such as that of a browser,
    /// and for one that no field can carry.
    pub fn for_robot(user_agent: &str) -> Result<Self, SetupError> {
        Self::builder(user_agent)?.build()
    }

    /// Starts a cache like [`RobotsCache::for_robot`], with your own settings.
    ///
    /// The product token is the first product in `user_agent` that is no browser, library or
    /// crawling software, such as the word after `compatible;` ([`ProductToken::of_user_agent`]).
    /// Groups for other names in it count where a file has none for the token
    /// ([`Client::with_identification`]).
    ///
    /// ```
    /// use abide_fetch::RobotsCache;
    /// use std::time::Duration;
    ///
    /// let cache = RobotsCache::builder("ExampleBot/1.0 (+https://bot.example/)")?
    ///     .memory(64 << 20)
    ///     .deadline(Duration::from_secs(10))
    ///     .build()?;
    /// assert_eq!(cache.client().product_tokens()[0].as_str(), "ExampleBot");
    /// # Ok::<(), abide_fetch::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// [`SetupError::NoProductToken`] for a user agent without the name of a robot, such as that of
    /// a browser, and [`SetupError::UnclearProductToken`] for several words without a version.
    pub fn builder(user_agent: &str) -> Result<Builder, SetupError> {
        let token = own_name(user_agent)?;
        Ok(Self::builder_for(Client::new(token), user_agent))
    }

    /// Starts a cache like [`RobotsCache::builder`] that answers for `client`, with purposes, ACAP
    /// names or further product tokens. `user_agent` is what it sends, and may be any line if
    /// `client` has no product token. Its parsing limit also limits the download.
    pub fn builder_for(client: Client, user_agent: &str) -> Builder {
        let http = DefaultFetcher {
            guard: Guard::new(),
            options: Options::new(user_agent),
            resolver: Arc::new(SystemResolver),
        };
        Builder::new(client, http)
    }

    /// Starts a cache that answers for `client` and fetches through `retriever`, such as a
    /// [`Fetcher`] that other code uses too. [`RobotsCache::builder`] is simpler.
    pub fn with_retriever<R: Retriever + 'static>(client: Client, retriever: R) -> Builder<R> {
        Builder::new(client, retriever)
    }
}

/// The product token of the robot that sends `user_agent`, if the line leaves no doubt about it.
fn own_name(user_agent: &str) -> Result<ProductToken, SetupError> {
    let line = UserAgentLine::new(user_agent);
    let Some(token) = ProductToken::of_user_agent(user_agent) else {
        return Err(SetupError::NoProductToken {
            user_agent: visible(user_agent.as_bytes()),
        });
    };
    let products = line.names().filter(|(_, kind)| *kind == NameKind::Product);
    let names: Vec<&str> = products.map(|(name, _)| name).collect();
    if names.len() > 1 && !user_agent.contains(&format!("{token}/")) {
        return Err(SetupError::UnclearProductToken {
            user_agent: visible(user_agent.as_bytes()),
            joined: visible(names.join("-").as_bytes()),
        });
    }
    Ok(token)
}

/// Settings of a [`RobotsCache`] that fetches through `R`. Created by [`RobotsCache::builder`] and
/// [`RobotsCache::with_retriever`].
#[must_use = "call `build`"]
pub struct Builder<R = DefaultFetcher> {
    client: Client,
    retriever: R,
    settings: RetrievalSettings,
    memory: u64,
    clock: Box<dyn Clock>,
    store: Option<Arc<dyn Store>>,
    observer: Option<Arc<dyn Observer>>,
    is_offline: bool,
    pacer: Option<Pacer>,
}

/// The retriever of a [`RobotsCache::builder`]: a [`Fetcher`] that is set up when the cache is
/// built.
#[derive(Clone, Debug)]
pub struct DefaultFetcher {
    guard: Guard,
    options: Options,
    resolver: Arc<dyn Resolver>,
}

impl<R> Builder<R> {
    fn new(client: Client, retriever: R) -> Self {
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
    fn through<Other>(self, retriever: Other) -> Builder<Other> {
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

impl Builder {
    /// Answers for `client`, for purposes, ACAP names or further product tokens. Its parsing limit
    /// also limits the download. [default: the product token of the user agent]
    pub fn client(mut self, client: Client) -> Self {
        self.client = client;
        self
    }

    /// Connects only to addresses that `guard` allows. [default: public addresses]
    pub fn guard(mut self, guard: Guard) -> Self {
        self.retriever.guard = guard;
        self
    }

    /// Sets how long one retrieval may take, redirects and body included. [default: 30 s]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.retriever.options.deadline = deadline;
        self
    }

    /// Sets what looks up the addresses of names. [default: [`SystemResolver`]]
    pub fn resolver(mut self, resolver: impl Resolver + 'static) -> Self {
        self.retriever.resolver = Arc::new(resolver);
        self
    }

    /// Sets the limits of concurrency. [default: 512 connections, 2 per host]
    pub fn concurrency(mut self, limits: ConcurrencyLimits) -> Self {
        self.retriever.options.concurrency = limits;
        self
    }

    /// Builds the cache.
    ///
    /// # Errors
    /// [`SetupError`] if the user agent does not name a product token of the client (REP-25), or
    /// cannot be sent.
    pub fn build(self) -> Result<RobotsCache, SetupError> {
        let DefaultFetcher {
            guard,
            mut options,
            resolver,
        } = self.retriever.clone();
        let findings = self.client.check_identification(&options.user_agent);
        let is_fatal =
            |error: &IdentificationError| !matches!(error, IdentificationError::NoContact);
        if let Some(finding) = findings.into_iter().find(is_fatal) {
            return Err(SetupError::Identification(finding));
        }
        options.body_limit = self.client.limits().bytes();
        let client = self.client.clone().with_identification(&options.user_agent);
        let settings = self.settings.clone();
        let fetcher = Fetcher::with_network(guard, options, settings, resolver, SystemConnector)?;
        Ok(self.client(client).through(fetcher).build())
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

/// Why a cache cannot be set up.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The user agent has no product token: it names nobody, or only what browsers send.
    #[error(
        "expected a user agent with the name of your robot, such as \"ExampleBot/1.0 (+https://bot.example/)\", but found {user_agent:?}, which names no robot that a robots.txt could address"
    )]
    NoProductToken {
        /// The user agent, safe to show.
        user_agent: String,
    },
    /// The user agent has several words, and none of them has the form of a name.
    #[error(
        "expected a user agent with one name and its version, such as \"{joined}/1.0 (+https://bot.example/)\", but found {user_agent:?}: which of its words do sites write in robots.txt?"
    )]
    UnclearProductToken {
        /// The user agent, safe to show.
        user_agent: String,
        /// Its words as one name, safe to show.
        joined: String,
    },
    /// The user agent does not name a product token or purpose of the client.
    #[error("the user agent does not identify the client: {0}")]
    Identification(IdentificationError),
    /// The user agent cannot be sent, or TLS cannot be set up.
    #[error(transparent)]
    Options(#[from] OptionsError),
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn rep_25_the_product_token_of_a_user_agent() {
        for (user_agent, token) in [
            ("ExampleBot/1.0 (+https://bot.example/)", "ExampleBot"),
            ("ExampleBot", "ExampleBot"),
            (
                "Mozilla/5.0 (compatible; ExampleBot/0.1; https://e.example/)",
                "ExampleBot",
            ),
            ("MJ12bot/v1.4", "MJ12bot"),
            ("Mozilla/5.0 (X11; Linux) ExampleBot/1.0", "ExampleBot"),
            (
                "Mozilla/5.0 (compatible; ExampleBot; +https://e.example/)",
                "ExampleBot",
            ),
        ] {
            let builder = RobotsCache::builder(user_agent).unwrap();
            let tokens: Vec<_> = builder
                .client
                .product_tokens()
                .iter()
                .map(ProductToken::as_str)
                .collect();
            assert_eq!(tokens, [token], "{user_agent}");
        }
    }

    /// A line of which no robots.txt can name the sender says what to write instead.
    #[test]
    fn rep_25_a_user_agent_that_names_no_robot() {
        let wrong = |user_agent| RobotsCache::for_robot(user_agent).unwrap_err();
        for user_agent in [
            "",
            "/1.0",
            "(x)",
            "*",
            "Mozilla/5.0",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64)",
            "Chrome/120.0 Safari/537",
        ] {
            let error = wrong(user_agent);
            let is_nameless = matches!(error, SetupError::NoProductToken { .. });
            assert!(is_nameless, "{user_agent}: {error}");
            assert!(
                error.to_string().contains("ExampleBot/1.0 (+https"),
                "{error}"
            );
        }
        for (user_agent, written) in [
            ("my crawler 1.0", "my-crawler/1.0 (+https"),
            ("Example News (+https://e.example/)", "Example-News/1.0"),
        ] {
            let error = wrong(user_agent).to_string();
            assert!(error.contains(written), "{error}");
        }
        // A name with a version leaves no doubt, and neither does one word.
        for clear in [
            "ExampleBot/1.0 of Example",
            "ExampleBot 1.0 (+https://e.example/)",
            "curl/8.5",
        ] {
            assert!(RobotsCache::for_robot(clear).is_ok(), "{clear}");
        }
    }

    /// A client without a name may send anything: the rules for `*` apply.
    #[test]
    fn any_line_for_a_client_without_a_name() {
        let builder = RobotsCache::builder_for(Client::unnamed(), "Mozilla/5.0 (X11)");
        assert!(builder.build().is_ok());
    }

    #[test]
    fn rep_25_the_user_agent_names_the_client() {
        let other = Client::new(ProductToken::new("OtherBot").unwrap());
        let builder = RobotsCache::builder("ExampleBot/1.0").unwrap();
        let built = builder.client(other).build();
        assert!(matches!(built, Err(SetupError::Identification(_))));
    }
}
