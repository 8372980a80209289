//! The robots.txt files of sites: fetched, kept, and compiled for the clients that ask.

use crate::config::{Paced, Ports, Settings};
use crate::problem::{OVERLOADED, REFUSED_PORT};
use crate::retrievals::{self, RequestTurns};
use abide::preference::Documents;
use abide::rep::{Access, RetrievalState};
use abide::tag::Response;
use abide::{Client, Moment, Policy, Target};
use abide_contract::{Request, RequestError, RetrievalJson, codes};
use abide_fetch::guard::Guard;
use abide_fetch::http::{
    DnsResolver, Fetcher, HopReport, Options, PageError, Resolver, Retrieval, SystemConnector,
    SystemResolver,
};
use abide_fetch::machine::{CurrentRules, RetrievalSettings};
use abide_fetch::pace::{Fleet, PaceReport, PaceSettings, Pacer, TurnError, Visit};
use abide_fetch::store::{
    FileStore, OpenError, Place, SealKeyError, ServerUrlError, SharedOptions, SharedStore,
};
use abide_fetch::{
    BodyHash, Observer, Origin, RequestUrl, Resource, RobotsCache, Seal, SetupError, SiteRules,
    SiteState, Turns,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// How many bytes an entry of a cache takes beside its key and value: what the cache itself needs.
const ENTRY: usize = 512;
/// How many bytes a client takes beside its names.
const CLIENT: usize = 3 << 10;
/// How many bytes the pace of a site takes at most ([`PaceSettings::max_sites`]).
const MAX_SITE_BYTES: u64 = 200;
/// From how many bytes of input a request is answered by a worker, and its answer is sent while it
/// is written.
pub(crate) const MIN_WORKER_BYTES: usize = 16 << 10;

/// Why the files of sites cannot be kept or fetched. The message has the whole reason: there is no
/// source that would repeat it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SitesError {
    /// The `User-Agent` cannot be used.
    #[error("in user-agent: {0}")]
    UserAgent(SetupError),
    /// The folder of the cache cannot be made.
    #[error("in cache: cannot make the folder {}: {error}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// Nothing is fetched, and there is no cache.
    #[error(
        "in cache: there is no cache at {}; with offline, name a folder that was filled before",
        folder.display()
    )]
    NoCache {
        /// The folder.
        folder: PathBuf,
    },
    /// The file of the cache cannot be opened.
    #[error("in cache: {}; {}", .0, remedy(.0))]
    File(OpenError),
    /// The server of the cache has no usable URL.
    #[error("in cache: {0}")]
    Server(ServerUrlError),
    /// A key cannot be read.
    #[error("in cache-key: {0}")]
    Key(SealKeyError),
}

/// A file, and the key of a client whose name depends on it.
type Choice = (Option<BodyHash>, String);

/// A cache of at most so many bytes: those that `size` says, and those of the cache. What was used
/// least recently goes first.
pub(crate) fn by_weight<K, V>(
    bytes: u64,
    size: impl Fn(&K, &V) -> usize + Send + Sync + 'static,
) -> moka::sync::Cache<K, V>
where
    K: std::hash::Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    moka::sync::Cache::builder()
        .max_capacity(bytes)
        .eviction_policy(moka::policy::EvictionPolicy::lru())
        .weigher(move |key, value| {
            u32::try_from(size(key, value).saturating_add(ENTRY)).unwrap_or(u32::MAX)
        })
        .build()
}

/// The files of all sites, for all clients.
pub(crate) struct Sites {
    robots: RobotsCache,
    /// The caches of clients: they share the files, and each keeps its own rules.
    clients: moka::sync::Cache<String, RobotsCache>,
    /// The caches of clients whose name depends on the file: by the file and the client's key.
    by_file: moka::sync::Cache<Choice, RobotsCache>,
    /// The file with the history, if one is kept.
    pub(crate) history: Option<FileStore>,
    pub(crate) settings: RetrievalSettings,
    guard: Guard,
    /// Fetches what is no robots.txt and no document beside one.
    fetcher: Fetcher,
    is_offline: bool,
    /// The `User-Agent` of its requests.
    pub(crate) user_agent: String,
    /// How files were fetched last, as far as this process did it.
    last: Arc<moka::sync::Cache<Resource, Arc<LastFetch>>>,
}

/// How a file was fetched.
#[derive(Debug)]
pub(crate) struct LastFetch {
    pub(crate) hops: Vec<HopReport>,
    pub(crate) media_type: Option<String>,
    pub(crate) is_downgraded: bool,
}

impl LastFetch {
    /// How many bytes it takes in memory.
    fn size(&self) -> usize {
        let hops = self.hops.iter().map(|hop| {
            size_of::<HopReport>()
                + hop.url.as_str().len()
                + hop.failure.as_ref().map_or(0, String::len)
        });
        hops.sum::<usize>() + self.media_type.as_ref().map_or(0, String::len)
    }
}

/// Remembers how files were fetched.
struct Remembering(Arc<moka::sync::Cache<Resource, Arc<LastFetch>>>);

impl Observer for Remembering {
    fn retrieved(&self, resource: &Resource, retrieval: &Retrieval) {
        let fetch = LastFetch {
            hops: retrieval.hops.clone(),
            media_type: retrieval.media_type.clone(),
            is_downgraded: retrieval.is_downgraded,
        };
        self.0.insert(resource.clone(), Arc::new(fetch));
    }
}

impl std::fmt::Debug for Sites {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sites").finish_non_exhaustive()
    }
}

impl Sites {
    /// Opens the store and sets up the fetcher.
    pub(crate) fn open(
        settings: &Settings,
        observer: impl Observer + 'static,
    ) -> Result<Self, SitesError> {
        let guard = guard(settings);
        let retrieval = RetrievalSettings::default();
        let memory = settings.memory_parts();
        let last = by_weight(
            memory.fetches,
            |resource: &Resource, last: &Arc<LastFetch>| resource.as_str().len() + last.size(),
        );
        let last = Arc::new(last);
        let mut robots = RobotsCache::builder(&settings.user_agent)
            .map_err(SitesError::UserAgent)?
            .guard(guard.clone())
            .settings(retrieval.clone())
            .memory(memory.files)
            .observer((Remembering(Arc::clone(&last)), observer))
            .offline(settings.offline);
        let mut options = Options::new(&settings.user_agent);
        // Without DNS servers in a file, the system may know names in another way.
        let mut resolver: Arc<dyn Resolver> = Arc::new(SystemResolver);
        if let Ok(own) = DnsResolver::of_system() {
            resolver = Arc::new(own);
            // No retrieval waits for the lookup of another one.
            options.concurrency.lookups = retrievals::MAX_CONCURRENT;
            robots = robots.resolver(Arc::clone(&resolver));
            robots = robots.concurrency(options.concurrency);
        }
        let (mut history, mut shared) = (None, None);
        match &settings.cache {
            None => {}
            Some(Place::File(path)) => {
                let file = open(path, settings)?;
                history = Some(file.clone());
                robots = robots.store(file);
            }
            Some(Place::Server(url)) => {
                let mut options = SharedOptions::default();
                options.seal = Seal::of_keys(&settings.cache_keys).map_err(SitesError::Key)?;
                let store = SharedStore::new(url, options).map_err(SitesError::Server)?;
                shared = Some(store.clone());
                robots = robots.store(store);
            }
        }
        if let Some(paced) = &settings.paced {
            robots = robots.pacer(pacer(paced, shared, memory.visits));
        }
        let robots = robots.build().map_err(SitesError::UserAgent)?;
        let (own, of_files) = (guard.clone(), retrieval.clone());
        let fetcher = Fetcher::with_network(own, options, of_files, resolver, SystemConnector);
        Ok(Self {
            robots,
            fetcher: fetcher.map_err(|error| SitesError::UserAgent(error.into()))?,
            clients: by_weight(memory.clients, |key: &String, own: &RobotsCache| {
                key.len() + own.client().size() + CLIENT
            }),
            // The clients are those of `clients`, as a rule.
            by_file: by_weight(memory.choices, |(_, key): &Choice, own: &RobotsCache| {
                key.len() + own.client().size()
            }),
            history,
            settings: retrieval,
            guard,
            is_offline: settings.offline,
            user_agent: settings.user_agent.clone(),
            last,
        })
    }
}

/// Which addresses and ports the service connects to.
fn guard(settings: &Settings) -> Guard {
    let guard = if settings.allow_private {
        Guard::open()
    } else if settings.allow_mixed_names {
        Guard::new()
    } else {
        Guard::new().strict()
    };
    match &settings.ports {
        Ports::Any => guard,
        Ports::Only(ports) => guard.ports_only(ports.iter().copied()),
    }
}

/// Who says when sites may be visited, in so many bytes.
fn pacer(paced: &Paced, shared: Option<SharedStore>, bytes: u64) -> Pacer {
    let mut settings = PaceSettings::default();
    settings.min_delay = paced.min_delay;
    settings.max_delay = paced.max_delay;
    settings.max_sites = usize::try_from(bytes / MAX_SITE_BYTES).unwrap_or(usize::MAX);
    let report = |report: &PaceReport| match report {
        PaceReport::Alone { .. } | PaceReport::FleetIsBack => tracing::warn!("{report}"),
        _ => tracing::debug!("{report}"),
    };
    match shared.zip(paced.member) {
        Some((store, member)) => Pacer::in_fleet(&settings, Fleet::new(store, member), report),
        None => Pacer::with_observer(&settings, report),
    }
}

/// Opens the file of a cache, in a folder that only its owner can read: which sites a crawler
/// visits is private. If nothing is fetched, it has to be there, and is only read.
fn open(path: &Path, settings: &Settings) -> Result<FileStore, SitesError> {
    let folder = path.parent().unwrap_or(path);
    if settings.offline {
        if !path.exists() {
            return Err(SitesError::NoCache {
                folder: folder.to_owned(),
            });
        }
        let read = FileStore::open_to_read(path);
        // A file that was not closed properly must be opened for writing once, which repairs it.
        let read = read.or_else(|_| FileStore::open(path));
        return read.map_err(SitesError::File);
    }
    let mut maker = std::fs::DirBuilder::new();
    maker.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut maker, 0o700);
    maker.create(folder).map_err(|error| SitesError::Folder {
        folder: folder.to_owned(),
        error,
    })?;
    FileStore::open_within(path, settings.cache_bounds).map_err(SitesError::File)
}

/// What to do about a file that cannot be opened.
fn remedy(error: &OpenError) -> &'static str {
    match error {
        OpenError::InUse(_) => "end that process, or name another folder",
        OpenError::ReadOnly(_) => "set offline to only read it, or name another folder",
        OpenError::Folder { .. } => {
            "let the user that runs the service write to the folder, or name another one"
        }
        _ => "name another folder",
    }
}

/// Why there is no sitemap.
#[derive(Debug, Error)]
pub(crate) enum SitemapFailure {
    /// The service fetches nothing.
    #[error("this service fetches nothing")]
    Offline,
    /// The robots.txt of the site cannot be fetched.
    #[error("the robots.txt of its site cannot be fetched, so robots ask for nothing there")]
    Unreachable,
    /// The robots.txt of the site disallows it.
    #[error("the robots.txt of its site disallows it, so robots do not read it")]
    Disallowed,
    /// The site says that there is none.
    #[error("the site answered with status {0}")]
    Status(u16),
    /// There is no room for it.
    #[error("there is no room for it")]
    NoRoom,
    /// The request failed.
    #[error("{0}")]
    Page(#[from] PageError),
    /// The service cannot ask.
    #[error("{0}")]
    Request(#[from] RequestError),
}

/// The rules of a site for the client of a request.
pub(crate) struct Found {
    pub(crate) policy: Arc<Policy>,
    pub(crate) retrieval: RetrievalJson,
    /// When the site is asked again at the earliest, if it is unreachable.
    pub(crate) retry_at: Option<Moment>,
    /// What answers for the client: it fetches the documents beside robots.txt.
    robots: RobotsCache,
}

impl Sites {
    /// What [`Sites::rules`] would find, if nothing has to be fetched or compiled for it, and the
    /// file is so short that every answer about it is.
    pub(crate) fn known_rules(
        &self,
        request: &Request<'_>,
        requested: &RequestUrl,
    ) -> Option<Found> {
        let key = request.client_key().ok()?;
        let (own, file) = if let Some(own) = self.clients.get(&key) {
            (own, None)
        } else {
            let file = self.robots.known_rules(requested.as_str())?.sha256;
            (self.by_file.get(&(file, key))?, Some(file))
        };
        let found = own.known_rules(requested.as_str())?;
        let is_current = file.is_none_or(|file| file == found.sha256);
        let is_short = found.bytes <= MIN_WORKER_BYTES
            && found.policy.references().is_empty()
            && !found.is_local;
        (is_current && is_short).then(|| Found::new(found, own))
    }

    /// The rules of the site of `requested` for the client of `request`: fetched first if needed,
    /// when `turns` allow it.
    pub(crate) async fn rules(
        &self,
        request: &Request<'_>,
        requested: &RequestUrl,
        turns: &RequestTurns,
    ) -> Result<Found, RequestError> {
        let key = request.client_key()?;
        let own = match self.clients.get(&key) {
            Some(own) => own,
            None => match request.client_of_any_file()? {
                Some(client) => self.of_client(key, client),
                None => return self.rules_by_file(key, request, requested, turns).await,
            },
        };
        let own = own.in_turns(turns.clone());
        let found = self.rules_of(&own, requested).await?;
        Ok(Found::new(found, own))
    }

    /// How the site of `requested` stands: asked for its robots.txt first unless that is known, or
    /// with `is_refresh` even if it is. `None` if the retrieval was interrupted.
    pub(crate) async fn state(
        &self,
        requested: &RequestUrl,
        turns: &RequestTurns,
        is_refresh: bool,
    ) -> Result<Option<SiteState>, RequestError> {
        self.check_port(requested)?;
        let robots = self.robots.in_turns(turns.clone());
        let url = requested.as_str();
        let found = if is_refresh {
            robots.refreshed(url).await
        } else {
            robots.state(url).await
        };
        if found.as_ref().is_some_and(|found| found.is_local) {
            return Err(shortage());
        }
        Ok(found)
    }

    /// Fetches at most `limit` bytes of the sitemap at `url`, if its site allows the service to.
    /// Follows redirects within the site. `room` is asked when it is the turn of the request.
    pub(crate) async fn sitemap<R>(
        &self,
        url: &RequestUrl,
        limit: usize,
        turns: &RequestTurns,
        room: impl FnOnce() -> Option<R>,
    ) -> Result<(Vec<u8>, R), SitemapFailure> {
        if self.is_offline {
            return Err(SitemapFailure::Offline);
        }
        let robots = self.robots.in_turns(turns.clone());
        let policy = self.rules_of(&robots, url).await?.policy;
        if !policy.allows(url.as_str()) {
            return Err(match policy.access() {
                Access::Unreachable(_) => SitemapFailure::Unreachable,
                _ => SitemapFailure::Disallowed,
            });
        }
        let _turn = turns.turn(url.domain()).await;
        let mut visit = match self.robots.pacer() {
            Some(pacer) => Some(pacer.turn(url).await.map_err(|_| SitemapFailure::NoRoom)?),
            None => None,
        };
        let room = room().ok_or(SitemapFailure::NoRoom)?;
        // The rules are those of one origin.
        let own = Origin::of(url.as_str());
        let may_follow =
            |next: &RequestUrl| Origin::of(next.as_str()) == own && policy.allows(next.as_str());
        let page = self.fetcher.page(url, limit, may_follow).await;
        match (&mut visit, &page) {
            (Some(visit), Ok(page)) => visit.answered(page.status, &[]),
            (Some(visit), Err(_)) => visit.failed(),
            (None, _) => {}
        }
        let page = page?;
        if (200..300).contains(&page.status) {
            Ok((page.body, room))
        } else {
            Err(SitemapFailure::Status(page.status))
        }
    }

    /// Refuses a port that the service does not connect to.
    fn check_port(&self, requested: &RequestUrl) -> Result<(), RequestError> {
        if self.is_offline {
            return Ok(());
        }
        let refused = self.guard.check_port(requested.port());
        refused.map_err(|error| {
            RequestError::new(REFUSED_PORT, "/url", error)
                .with_remedy("the operator can add the port to the setting ports")
        })
    }

    /// The rules of a site for the client of `robots`, fetched first if needed. A failure of this
    /// service is no answer about the site.
    async fn rules_of(
        &self,
        robots: &RobotsCache,
        requested: &RequestUrl,
    ) -> Result<SiteRules, RequestError> {
        self.check_port(requested)?;
        let found = robots.site_rules(requested.as_str()).await;
        if found.is_local {
            return Err(shortage());
        }
        Ok(found)
    }

    /// The rules for a client whose name depends on what the file has.
    async fn rules_by_file(
        &self,
        key: String,
        request: &Request<'_>,
        requested: &RequestUrl,
        turns: &RequestTurns,
    ) -> Result<Found, RequestError> {
        let robots = self.robots.in_turns(turns.clone());
        let file = self.rules_of(&robots, requested).await?.sha256;
        let choice = (file, key);
        if let Some(own) = self.by_file.get(&choice) {
            let own = own.in_turns(turns.clone());
            let found = self.rules_of(&own, requested).await?;
            // A newer file can lead to another name.
            if found.sha256 == file {
                return Ok(Found::new(found, own));
            }
        }
        let state = robots.state(requested.as_str()).await;
        let policy = request.policy_by(|client| match &state {
            Some(site) => site.state.plan(site.at, &self.settings).policy(client),
            None => Policy::without_rules(Access::Unknown, client),
        })?;
        let client = policy.client().clone();
        let names = format!("{}\0\0{:?}", choice.1, client.product_tokens());
        let kept = self.of_client(names, client);
        let own = kept.in_turns(turns.clone());
        let found = self.rules_of(&own, requested).await?;
        if found.sha256 == file {
            self.by_file.insert(choice, kept);
        }
        Ok(Found::new(found, own))
    }

    /// The cache that answers for `client`, which `key` describes.
    fn of_client(&self, key: String, client: Client) -> RobotsCache {
        self.clients
            .get_with(key, || self.robots.for_client(client))
    }

    /// Who says when sites may be visited, if turns are given.
    pub(crate) fn pacer(&self) -> Option<&Pacer> {
        self.robots.pacer()
    }

    /// The current robots.txt of a site. If there is none, why.
    pub(crate) fn file(&self, site: Option<&SiteState>) -> Result<Arc<[u8]>, &'static str> {
        match site.map(|site| site.state.plan(site.at, &self.settings).current) {
            Some(CurrentRules::File(body)) => Ok(body.to_parse()),
            Some(CurrentRules::AllowAll(_)) => {
                Err("the site has no robots.txt; without one everything is allowed")
            }
            Some(CurrentRules::DisallowAll(_)) => {
                Err("the robots.txt of the site cannot be fetched")
            }
            Some(CurrentRules::Unknown) | None => Err("the robots.txt of the site is not known"),
        }
    }

    /// How a file was fetched last, if this process did it.
    pub(crate) fn last_fetch(&self, resource: &Resource) -> Option<Arc<LastFetch>> {
        self.last.get(resource)
    }

    /// How many bytes the files and their rules take in memory.
    pub(crate) fn memory_used(&self) -> u64 {
        self.robots.memory_used()
    }

    /// How many bytes the file in the folder of the cache has, if there is one.
    pub(crate) fn folder_bytes(&self) -> Option<u64> {
        let about = std::fs::metadata(self.history.as_ref()?.path()).ok()?;
        Some(about.len())
    }

    /// How many files are in memory.
    pub(crate) fn len(&self) -> u64 {
        self.robots.sites()
    }
}

impl Found {
    fn new(found: SiteRules, robots: RobotsCache) -> Self {
        Self {
            retrieval: RetrievalJson::from(&found),
            retry_at: retry_at(&found),
            policy: found.policy,
            robots,
        }
    }

    /// After how many seconds an unreachable site is asked again.
    pub(crate) fn retry_after(&self) -> Option<u64> {
        let at = self.retry_at?.unix_seconds();
        let seconds = at.saturating_sub(abide_fetch::http::now().unix_seconds());
        Some(u64::try_from(seconds).unwrap_or(0).max(1))
    }

    /// Waits until the site of `requested` may be visited. `None` if the rules that apply then do
    /// not allow it.
    pub(crate) async fn turn(&self, requested: &RequestUrl) -> Result<Option<Visit>, TurnError> {
        let turn = self.robots.turn(requested.as_str()).await?;
        Ok(turn.map(|(_, visit)| visit))
    }

    /// What is known of the documents beside robots.txt: what the request has, and what could
    /// change its answer, fetched if needed. Nothing if it does not ask for AI preferences.
    pub(crate) async fn documents(
        &self,
        request: &Request<'_>,
        requested: &RequestUrl,
        response: &Response,
    ) -> Result<Documents, RequestError> {
        let Some(given) = request.documents()? else {
            return Ok(Documents::default());
        };
        let target = request.target_at(requested.as_str(), response)?;
        let target = target.with_documents(&given);
        Ok(self.robots.documents(&self.policy, &target).await)
    }
}

/// The URL that would be requested for `url`.
pub(crate) fn requested(url: &str) -> Result<RequestUrl, RequestError> {
    if Target::new(url).is_ok_and(|target| !target.is_absolute()) {
        return Err(RequestError::relative_url());
    }
    RequestUrl::new(url).map_err(|error| {
        let reason = if url.is_empty() {
            "expected an absolute URL such as https://example.com/page, but found nothing"
                .to_owned()
        } else {
            error.to_string()
        };
        RequestError::new(codes::INVALID_URL, "/url", reason)
    })
}

/// A failure of this service, which is no answer about a site.
fn shortage() -> RequestError {
    let reason = "the service has no file descriptor, memory or network port left to \
                  fetch the robots.txt of the site, or no turn at it in time";
    RequestError::new(OVERLOADED, "", reason)
        .with_remedy("ask again later, or ask another instance")
}

/// When an unreachable site is asked again at the earliest.
fn retry_at(found: &SiteRules) -> Option<Moment> {
    let outage = found.outage.as_ref();
    let is_unreachable = found.why == Some(RetrievalState::Unreachable);
    outage
        .filter(|_| is_unreachable)
        .map(|outage| outage.retry_at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::retrievals::Retrievals;
    use crate::tokens::Caller;
    use abide::Profile;
    use abide_testkit::fault::{ByteServer, Script, Step};

    /// D5 and G-52: by default a name with an address that is not public is refused, and only the
    /// ports of the web are connected to.
    #[test]
    fn d5_the_guard_of_the_service() {
        let guard_of = |config: &Config| guard(&config.checked().unwrap());
        let both = ["93.184.216.34", "127.0.0.1"].map(|address| address.parse().unwrap());
        let [public, private] = both;
        let strict = guard_of(&Config::default());
        assert!(strict.filter(&both, 80).is_err() && strict.check(public, 8_088).is_err());
        assert!(strict.check(public, 443).is_ok());
        let lenient = guard_of(&Config {
            allow_mixed_names: Some(true),
            ports: Some(Ports::Any),
            ..Config::default()
        });
        assert_eq!(lenient.filter(&both, 8_088), Ok(vec![public]));
        assert!(lenient.check(public, 25).is_err() && lenient.check(private, 80).is_err());
        let open = guard_of(&Config {
            allow_private: Some(true),
            ..Config::default()
        });
        assert!(open.check(private, 8_088).is_ok());
    }

    struct Silent;

    impl Observer for Silent {}

    /// Whoever asks, and however long the names are.
    #[tokio::test]
    async fn clients_take_no_more_memory_than_their_part() {
        let config = Config {
            offline: Some(true),
            memory: Some(1),
            ..Config::default()
        };
        let settings = config.checked().unwrap();
        let sites = Sites::open(&settings, Silent).unwrap();
        let url = "http://127.0.0.1:1/x";
        let requested = requested(url).unwrap();
        let turns = turns();
        for number in 0..1_500 {
            let names = (0..16).map(|name| format!("{}{number:06}{name}", "a".repeat(200)));
            let request = Request::about(url, names.collect())
                .with_profile([Profile::Careful, Profile::Google][number % 2])
                .with_nonstandard_token(true)
                .with_known_robots(true);
            sites.rules(&request, &requested, &turns).await.unwrap();
        }
        sites.clients.run_pending_tasks();
        sites.by_file.run_pending_tasks();
        let parts = settings.memory_parts();
        let (clients, choices) = (sites.clients.weighted_size(), sites.by_file.weighted_size());
        assert!(clients > 0 && clients <= parts.clients, "{clients}");
        assert!(choices > 0 && choices <= parts.choices, "{choices}");
        // Keys and names have more than 3,200 bytes each.
        assert!(sites.clients.entry_count() * 6_400 <= clients);
        assert!(sites.by_file.entry_count() * 6_400 <= choices);
    }

    /// What somebody else asked before makes no name valid.
    #[tokio::test]
    async fn the_names_of_others_make_no_name_valid() {
        let config = Config {
            offline: Some(true),
            ..Config::default()
        };
        let sites = Sites::open(&config.checked().unwrap(), Silent).unwrap();
        let url = "http://127.0.0.1:1/x";
        let requested = requested(url).unwrap();
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let turns = turns();
        let request = Request::about(url, names(&["a", "c"]));
        assert!(sites.rules(&request, &requested, &turns).await.is_ok());
        let request = Request::about(url, names(&["a\0c"]));
        assert!(sites.rules(&request, &requested, &turns).await.is_err());
    }

    #[tokio::test]
    async fn a_long_file_is_left_to_workers() {
        let config = Config {
            allow_private: Some(true),
            ..Config::default()
        };
        let sites = Sites::open(&config.checked().unwrap(), Silent).unwrap();
        let turns = turns();
        for (bytes, is_short) in [
            (0, true),
            (MIN_WORKER_BYTES, true),
            (MIN_WORKER_BYTES + 1, false),
        ] {
            let head = "HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nContent-Length:";
            let answer = format!("{head} {bytes}\r\n\r\n{}", "#".repeat(bytes));
            let site = ByteServer::new(Script::always([Step::send(answer), Step::Fin]));
            let url = site.url("/x");
            let request = Request::about(&url, vec!["f".to_owned()]);
            let requested = requested(&url).unwrap();
            sites.rules(&request, &requested, &turns).await.unwrap();
            let known = sites.known_rules(&request, &requested);
            assert_eq!(known.is_some(), is_short, "{bytes}");
            // Nor is anything compiled for another robot.
            let other = Request::about(&url, vec!["g".to_owned()]);
            assert!(sites.known_rules(&other, &requested).is_none());
        }
    }

    fn turns() -> RequestTurns {
        let quota = Config::default().checked().unwrap().quota;
        let caller = Arc::new(Caller::new("a", [0; 32], quota));
        RequestTurns::new(&Retrievals::new(), &caller)
    }

    #[tokio::test]
    async fn rules_are_compiled_once_for_each_file_and_client() {
        let robots = "User-agent: Googlebot\nDisallow: /\n";
        let head = "HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nContent-Length:";
        let answer = format!("{head} {}\r\n\r\n{robots}", robots.len());
        let site = ByteServer::new(Script::always([Step::send(answer), Step::Fin]));
        let config = Config {
            allow_private: Some(true),
            ..Config::default()
        };
        let sites = Sites::open(&config.checked().unwrap(), Silent).unwrap();
        let url = site.url("/x");
        let requested = requested(&url).unwrap();
        for (agent, known_robots, profile) in [
            ("Googlebot", false, Profile::Careful),
            ("Googlebot", true, Profile::Careful),
            ("Googlebot", false, Profile::Google),
            ("Googlebot", true, Profile::Google),
            // Follows the group of Googlebot.
            ("Googlebot-Image", true, Profile::Google),
        ] {
            let request = Request::about(&url, vec![agent.to_owned()])
                .with_known_robots(known_robots)
                .with_profile(profile);
            let known = || sites.known_rules(&request, &requested);
            assert!(known().is_none());
            let turns = turns();
            let first = sites.rules(&request, &requested, &turns).await.unwrap();
            let second = sites.rules(&request, &requested, &turns).await.unwrap();
            let third = known().unwrap();
            let case = format!("{agent} {known_robots} {profile:?}");
            assert!(!first.policy.allows(&url), "{case}");
            assert!(Arc::ptr_eq(&first.policy, &second.policy), "{case}");
            assert!(Arc::ptr_eq(&first.policy, &third.policy), "{case}");
        }
    }
}
