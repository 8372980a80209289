//! Fetches a robots.txt and the files it refers to. Without a cache nothing is kept: every run of
//! the command asks the site again.

use crate::args::NetworkArgs;
use crate::cache;
use crate::exit::warn;
use crate::file_arg::shown_path;
use crate::sitemaps;
use crate::source::read_file;
use abide::explain::visible_url;
use abide::preference::Documents;
use abide::rep::{Access, Cause};
use abide::tag::{FieldLine, Response};
use abide::{Client, Moment, Policy, ProductToken, Target};
use abide_contract::RetrievalJson;
use abide_fetch::guard::Guard;
use abide_fetch::http::{Fetcher, HopReport, Options, Page, PageError, Retrieval};
use abide_fetch::machine::{CurrentRules, Plan, RetrievalSettings, State, Trail, Validators};
use abide_fetch::pace::{PaceReport, PaceSettings, Pacer};
use abide_fetch::store::{FileStore, Place, StoreError};
use abide_fetch::{
    Body, BodyHash, Certificate, Observer, RequestUrl, Resource, RobotsCache, SiteState, Warning,
};
use abide_html::Resources;
use anyhow::{Context, ensure};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{env, slice};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// The response of a page.
pub(crate) struct SentPage {
    /// Its URL, after redirects.
    pub(crate) url: RequestUrl,
    fields: Vec<FieldLine>,
    /// The source, if the site has such a page.
    html: Option<Vec<u8>>,
}

impl SentPage {
    /// What it says.
    fn response(&self) -> Response {
        abide_html::response(&self.fields, self.html.as_deref(), None)
    }

    /// What it loads.
    pub(crate) fn resources(&self) -> Resources {
        abide_html::resources(&self.fields, self.html.as_deref().unwrap_or_default())
    }
}

/// How many sites are asked at once if many are needed.
const MAX_CONCURRENT_SITES: usize = 32;

/// Of how many sites is remembered that they could not be fetched, and for how long.
const MAX_FAILURES: usize = 65_536;
const MAX_FAILURE_SECONDS: i64 = 3_600;

/// The network access of a run, set up on first use.
pub(crate) struct Network<'a> {
    client: Client,
    args: &'a NetworkArgs,
    /// The past time to decide for (`--at`).
    at: Option<Moment>,
    is_paced: bool,
    site: OnceCell<SiteFetcher>,
}

impl<'a> Network<'a> {
    /// The network for `client`, which the `User-Agent` line names.
    pub(crate) fn new(client: Client, args: &'a NetworkArgs, at: Option<Moment>) -> Self {
        let site = OnceCell::new();
        Self {
            client,
            args,
            at,
            is_paced: false,
            site,
        }
    }

    /// Visits each site at the pace that it asks for, and no sooner than a second after the last
    /// answer, if `is_paced`.
    pub(crate) fn paced(mut self, is_paced: bool) -> Self {
        self.is_paced = is_paced;
        self
    }

    /// The network for abide itself.
    pub(crate) fn of_abide(args: &'a NetworkArgs) -> Self {
        let token = ProductToken::new("abide").expect("it is a product token");
        Self::new(Client::new(token), args, None)
    }

    /// The fetcher of this run.
    pub(crate) fn site(&self) -> anyhow::Result<&SiteFetcher> {
        if self.site.get().is_none() {
            let site = SiteFetcher::new(&self.client, self.args, self.at, self.is_paced)?;
            return Ok(self.site.get_or_init(|| site));
        }
        self.site.get().context("cannot set up the network client")
    }

    /// Whether fetching a page failed in this run.
    pub(crate) fn lacks_a_page(&self) -> bool {
        self.site.get().is_some_and(|site| site.lacks_a_page.get())
    }
}

/// The fetcher of this run.
pub(crate) struct SiteFetcher {
    pages: PageFetcher,
    robots: RobotsCache,
    reports: Arc<Reports>,
    past: Option<(Moment, FileStore)>,
    settings: RetrievalSettings,
    /// The `User-Agent` that is sent.
    pub(crate) user_agent: String,
    is_offline: bool,
    /// Whether a server keeps the files.
    has_server: bool,
    /// Whether fetching a page failed.
    lacks_a_page: Cell<bool>,
    /// What was fetched ahead, by the URL of the robots.txt.
    ahead: RefCell<HashMap<String, SiteState>>,
    /// The sites that could not be fetched, in the same way.
    failures: RefCell<HashMap<String, SiteState>>,
    runtime: Option<tokio::runtime::Runtime>,
}

/// The requests of a retrieval, without the body.
#[derive(Clone)]
pub(crate) struct SentRequests {
    pub(crate) hops: Vec<HopReport>,
    pub(crate) media_type: Option<String>,
    pub(crate) is_downgraded: bool,
}

impl From<&Retrieval> for SentRequests {
    fn from(retrieval: &Retrieval) -> Self {
        Self {
            hops: retrieval.hops.clone(),
            media_type: retrieval.media_type.clone(),
            is_downgraded: retrieval.is_downgraded,
        }
    }
}

/// Fetches pages that their policies allow. Cheap to clone.
#[derive(Clone)]
struct PageFetcher {
    fetcher: Fetcher,
    /// Who gives turns; `None` for a run of few requests.
    pacer: Option<Pacer>,
}

impl PageFetcher {
    /// Fetches the page at `url`. `None` if one of `policies` does not allow it.
    async fn page(
        &self,
        policies: &[Policy],
        url: &str,
        delay: Option<Duration>,
    ) -> Option<Result<SentPage, PageError>> {
        let request = RequestUrl::new(url).ok()?;
        // The rules are matched against exactly what is sent; `url` may be spelt differently
        // (AMB-REP-24).
        let may_fetch = |url: &str| policies.iter().all(|policy| policy.allows(url));
        if !may_fetch(request.as_str()) {
            return None;
        }
        let own = Resource::robots_txt(request.as_str());
        let may_follow = |next: &RequestUrl| {
            Resource::robots_txt(next.as_str()) == own && may_fetch(next.as_str())
        };
        let page = match &self.pacer {
            Some(pacer) => {
                if let Err(error) = pacer.set_delay(&request, delay) {
                    return Some(Err(PageError::NoTurn(error)));
                }
                self.fetcher
                    .paced_page(&request, abide_html::MAX_BYTES, may_follow, pacer)
                    .await
            }
            None => {
                self.fetcher
                    .page(&request, abide_html::MAX_BYTES, may_follow)
                    .await
            }
        };
        Some(page.map(SentPage::from))
    }
}

/// A page that is asked for.
pub(crate) struct AskedPage {
    pub(crate) url: String,
    /// All of them have to allow it, and where it redirects to.
    pub(crate) policies: Arc<[Policy]>,
    /// The pace that its site asks for.
    pub(crate) delay: Option<Duration>,
}

impl From<Page> for SentPage {
    fn from(page: Page) -> Self {
        let fields = page.fields.iter();
        let fields = fields.map(|(name, value)| FieldLine::new(name, value.as_slice()));
        Self {
            fields: fields.collect(),
            html: (200..300).contains(&page.status).then_some(page.body),
            url: page.url,
        }
    }
}

/// Receives the library's reports during a fetch.
#[derive(Default)]
struct Reports {
    /// The requests for each robots.txt, until it is asked for.
    sent: Mutex<HashMap<Resource, SentRequests>>,
    /// Warnings so far; each is shown once.
    warned: Mutex<BTreeSet<String>>,
}

impl Observer for Reports {
    fn retrieved(&self, resource: &Resource, retrieval: &Retrieval) {
        if !resource.is_document() {
            locked(&self.sent).insert(resource.clone(), SentRequests::from(retrieval));
        }
    }

    fn emptied(&self, resource: &Resource, was: BodyHash, _: BodyHash) {
        warn(&format!(
            "{resource}: the file had rules, and has none any more (it was {was}); is it the right one?"
        ));
    }

    fn warned(&self, warning: &Warning) {
        // A warning on opening the cache has said so already.
        if warning.error == StoreError::ReadOnly {
            return;
        }
        // Reading and writing fail for one reason, which is worth one line.
        if locked(&self.warned).insert(warning.to_string()) {
            warn(&warning.to_string());
        }
    }
}

/// A file from its site or from the cache, and the state of its site.
pub(crate) struct FetchedFile {
    /// `None` if no request was sent.
    pub(crate) sent: Option<SentRequests>,
    pub(crate) state: State<Body>,
    /// The time of the decision.
    pub(crate) at: Moment,
    pub(crate) settings: RetrievalSettings,
}

impl SiteFetcher {
    /// Sets up fetching for `client`.
    fn new(
        client: &Client,
        args: &NetworkArgs,
        at: Option<Moment>,
        is_paced: bool,
    ) -> anyhow::Result<Self> {
        let line = args.user_agent.as_ref();
        let user_agent = line.map_or_else(|| identification(client), Clone::clone);
        let is_offline = args.offline || at.is_some();
        let mut options = options(&user_agent, args)?;
        options.body_limit = client.limits().bytes();
        let authorities = options.roots.clone();
        if args.proxy.is_none() && !is_offline {
            warn_of_unused_proxy();
        }
        let guard = if args.allow_private {
            Guard::open()
        } else {
            Guard::new()
        };
        let settings = RetrievalSettings::default();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot set up the network client")?;
        let fetcher = Fetcher::new(guard, options, settings.clone())?;
        let reports = Arc::new(Reports::default());
        let mut robots = RobotsCache::with_retriever(client.clone(), fetcher.clone())
            .settings(settings.clone())
            .observer(Arc::clone(&reports))
            .offline(is_offline);
        let pacer = is_paced.then(|| {
            let told = |report: &PaceReport| warn(&report.to_string());
            Pacer::with_observer(&PaceSettings::default(), told)
        });
        if let Some(pacer) = &pacer {
            robots = robots.pacer(pacer.clone());
        }
        let place = args.cache.as_ref().map(cache::place).transpose()?;
        ensure!(
            args.cache_keys.is_empty() || matches!(place, Some(Place::Server(_))),
            "--cache-key is for a cache on a server; that in a folder is not signed"
        );
        let mut past = None;
        match (&place, at) {
            (Some(place), Some(at)) => {
                ensure!(
                    at <= abide_fetch::http::now(),
                    "--at {at} has not come yet; it asks for the past"
                );
                let path = cache::file(place, "--at")?;
                past = Some((at, cache::to_read(path)?));
            }
            (Some(Place::File(path)), None) => {
                if args.offline {
                    cache::require(path)?;
                }
                if let Some(store) = cache::to_keep(path)? {
                    robots = robots.store(store);
                }
            }
            (Some(Place::Server(url)), None) => {
                robots = robots.store(cache::server(url, &args.cache_keys, authorities)?);
            }
            (None, _) => {}
        }
        Ok(Self {
            robots: robots.build(),
            pages: PageFetcher { fetcher, pacer },
            reports,
            past,
            settings,
            user_agent,
            is_offline,
            has_server: matches!(place, Some(Place::Server(_))),
            lacks_a_page: Cell::new(false),
            ahead: RefCell::default(),
            failures: RefCell::default(),
            runtime: Some(runtime),
        })
    }

    /// Fetches `url`. A network failure is a result (REP-75), not an error.
    pub(crate) fn fetch(&self, url: &str) -> anyhow::Result<FetchedFile> {
        let target =
            Target::new(url).with_context(|| format!("cannot fetch {}", visible_url(url)))?;
        ensure!(
            target.is_web(),
            "cannot fetch {}: expected http or https; read the file by other means, and use --robots",
            visible_url(url)
        );
        let path = url::Url::parse(url).map(|url| url[url::Position::BeforePath..].to_owned());
        let is_robots_txt = path.is_ok_and(|path| path == "/robots.txt");
        let fetched = match (Resource::robots_txt(url), &self.past) {
            (Some(resource), Some((at, store))) if is_robots_txt => {
                let state = store.state_at(&resource, *at, &self.settings);
                let state =
                    state.with_context(|| format!("cannot read {}", shown_path(store.path())))?;
                self.known(state.unwrap_or_default(), *at)
            }
            (Some(_), None) if is_robots_txt => self.kept(url)?,
            _ if self.is_offline => self.known(State::default(), abide_fetch::http::now()),
            _ => self.retrieved(url)?,
        };
        fetched.warn_of_refusal(url);
        Ok(fetched)
    }

    /// Fetches these robots.txt files, several at once, and keeps what came until it is asked for.
    pub(crate) fn fetch_ahead(&self, urls: Vec<String>) -> anyhow::Result<()> {
        if self.is_offline {
            return Ok(());
        }
        let room = Arc::new(Semaphore::new(MAX_CONCURRENT_SITES));
        let came = self.wait(async {
            let mut tasks = JoinSet::new();
            for url in urls {
                if self.known_failure(&url).is_some() {
                    continue;
                }
                let (robots, room) = (self.robots.clone(), Arc::clone(&room));
                tasks.spawn(async move {
                    let _permit = room.acquire().await;
                    let state = robots.state(&url).await;
                    (url, state)
                });
            }
            let mut came = HashMap::new();
            while let Some(done) = tasks.join_next().await {
                if let Ok((url, Some(state))) = done {
                    came.insert(url, state);
                }
            }
            came
        })?;
        self.ahead.replace(came);
        Ok(())
    }

    /// What was found out less than an hour ago about a site that could not be fetched: a list has
    /// many URLs of it.
    fn known_failure(&self, url: &str) -> Option<SiteState> {
        let failures = self.failures.borrow();
        let failed = failures.get(url)?;
        let age = abide_fetch::http::now().unix_seconds() - failed.at.unix_seconds();
        (0..MAX_FAILURE_SECONDS)
            .contains(&age)
            .then(|| failed.clone())
    }

    fn known(&self, state: State<Body>, at: Moment) -> FetchedFile {
        FetchedFile {
            sent: None,
            state,
            at,
            settings: self.settings.clone(),
        }
    }

    /// Gets a robots.txt from the cache or from its site.
    fn kept(&self, url: &str) -> anyhow::Result<FetchedFile> {
        let ahead = self.ahead.borrow_mut().remove(url);
        let found = match ahead.or_else(|| self.known_failure(url)) {
            Some(found) => Some(found),
            None => self.wait(self.robots.state(url))?,
        };
        if let Some(failed) = found
            .as_ref()
            .filter(|found| found.state.outage().is_some())
        {
            let mut failures = self.failures.borrow_mut();
            if failures.len() >= MAX_FAILURES {
                failures.clear();
            }
            failures.insert(url.to_owned(), failed.clone());
        }
        let SiteState { state, at, .. } = found
            .with_context(|| format!("the request for {} was interrupted", visible_url(url)))?;
        let resource = Resource::robots_txt(url);
        Ok(FetchedFile {
            sent: resource.and_then(|resource| locked(&self.reports.sent).remove(&resource)),
            ..self.known(state, at)
        })
    }

    /// Gets any other file, which is not cached.
    fn retrieved(&self, url: &str) -> anyhow::Result<FetchedFile> {
        let retrieval = self.wait(self.pages.fetcher.retrieve(url, &Validators::default()))?;
        let sent = Some(SentRequests::from(&retrieval));
        let state = State::default().after(retrieval.into_event(), &self.settings);
        Ok(FetchedFile {
            sent,
            ..self.known(state, abide_fetch::http::now())
        })
    }

    /// Fetches the page `target` if the robots.txt of its site allows it.
    pub(crate) fn own_page(&self, target: &Target<'_>) -> anyhow::Result<Option<SentPage>> {
        let policy = self.wait(self.robots.for_url(target.url()))?;
        self.page_as_sent(&policy, target)
    }

    /// Fetches the page `target` if `policy` allows it. Follows redirects on the same site, if they
    /// are allowed.
    pub(crate) fn page_as_sent(
        &self,
        policy: &Policy,
        target: &Target<'_>,
    ) -> anyhow::Result<Option<SentPage>> {
        if self.is_offline {
            return Ok(None);
        }
        self.warn_of_delay(policy, target.url());
        let page = self.wait(self.pages.page(slice::from_ref(policy), target.url(), None))?;
        Ok(self.sent_page(target.url(), page))
    }

    /// Fetches several pages at once, each if its policy allows it, and returns what their
    /// responses say, in this order.
    pub(crate) fn pages(&self, asked: Vec<AskedPage>) -> anyhow::Result<Vec<Option<Response>>> {
        let mut found: Vec<Option<Response>> = vec![None; asked.len()];
        if self.is_offline {
            return Ok(found);
        }
        for page in &asked {
            for policy in &*page.policies {
                self.warn_of_delay(policy, &page.url);
            }
        }
        let came = self.wait(async {
            let mut tasks = JoinSet::new();
            for (at, asked) in asked.into_iter().enumerate() {
                let pages = self.pages.clone();
                tasks.spawn(async move {
                    let page = pages.page(&asked.policies, &asked.url, asked.delay).await;
                    // The body is not kept until all have come.
                    (
                        at,
                        asked.url,
                        page.map(|page| page.map(|page| page.response())),
                    )
                });
            }
            tasks.join_all().await
        })?;
        for (at, url, page) in came {
            if let Some(place) = found.get_mut(at) {
                *place = self.sent_page(&url, page);
            }
        }
        Ok(found)
    }

    /// Warns of a page that did not come.
    fn sent_page<T>(&self, url: &str, page: Option<Result<T, PageError>>) -> Option<T> {
        match page? {
            Ok(page) => Some(page),
            Err(reason) => {
                warn(&format!("{}: no page: {reason}", visible_url(url)));
                self.lacks_a_page.set(true);
                None
            }
        }
    }

    /// Says once per site that it asks for a delay, and that nothing honours it.
    fn warn_of_delay(&self, policy: &Policy, url: &str) {
        let Some((delay, place)) = policy.crawl_delay().filter(|_| self.pages.pacer.is_none())
        else {
            return;
        };
        let Some(site) = Resource::robots_txt(url) else {
            return;
        };
        let text = format!(
            "{site} asks for {delay} s between two requests (Crawl-delay in line {}), and nothing here waits \
             for it; check --urls FILE --page does",
            place.line
        );
        if locked(&self.reports.warned).insert(site.to_string()) {
            warn(&text);
        }
    }

    /// Fetches at most `limit` bytes, and one more, of the sitemap at `url`, if the robots.txt of
    /// its site allows it. Follows redirects on the same host.
    ///
    /// # Errors
    /// An [`UnknownError`](crate::exit::UnknownError) if there is none to read.
    pub(crate) fn sitemap(&self, url: &str, limit: usize) -> anyhow::Result<Vec<u8>> {
        const NOT_PUBLIC: &str = "its address is not public; --allow-private lets it through";
        let unknown = |why: &str| sitemaps::unknown(url, why);
        let request = RequestUrl::new(url).map_err(|error| unknown(&error.to_string()))?;
        if self.is_offline {
            return Err(unknown(
                "--offline and --at fetch none; save it and name the file",
            ));
        }
        let policy = self.wait(self.robots.for_url(request.as_str()))?;
        if !policy.allows(request.as_str()) {
            return Err(unknown(match policy.access() {
                Access::Unreachable(Cause::Refused) => NOT_PUBLIC,
                Access::Unreachable(_) => {
                    "the robots.txt of its site cannot be fetched, so robots ask for nothing there"
                }
                _ => {
                    "the robots.txt of its site disallows it, so robots do not read it; allow it there, \
                      or save it and name the file"
                }
            }));
        }
        let host = sitemaps::host_of(request.as_str());
        let may_follow = |next: &RequestUrl| {
            sitemaps::host_of(next.as_str()) == host && policy.allows(next.as_str())
        };
        self.warn_of_delay(&policy, request.as_str());
        let fetcher = &self.pages.fetcher;
        let page = fetcher.page(&request, limit.saturating_add(1), may_follow);
        let page = self.wait(page)?.map_err(|error| match error {
            PageError::Failed(Cause::Refused) => unknown(NOT_PUBLIC),
            other => unknown(&other.to_string()),
        })?;
        if !(200..300).contains(&page.status) {
            return Err(unknown(&format!(
                "the site answered with status {}",
                page.status
            )));
        }
        Ok(page.body)
    }

    /// What is known of the documents beside the robots.txt of `target`: those that it has already,
    /// and others that `policy` allows to fetch and that could change its decision.
    pub(crate) fn documents(
        &self,
        policy: &Policy,
        target: &Target<'_>,
    ) -> anyhow::Result<Documents> {
        match &self.past {
            Some((at, store)) => {
                let known = self.robots.documents_at(store, *at, policy, target);
                self.wait(known)?
                    .with_context(|| format!("cannot read {}", shown_path(store.path())))
            }
            None => self.wait(self.robots.documents(policy, target)),
        }
    }

    /// Fetches the files that `policy`, from the robots.txt at `robots_url`, refers to, unless they
    /// were given.
    pub(crate) fn with_references(
        &self,
        policy: Policy,
        robots_url: &str,
    ) -> anyhow::Result<Policy> {
        self.wait(self.robots.with_references(policy, robots_url))
    }

    /// Does this work on this thread.
    fn wait<T>(&self, work: impl Future<Output = T>) -> anyhow::Result<T> {
        let runtime = self.runtime.as_ref();
        let runtime = runtime.context("cannot set up the network client")?;
        Ok(runtime.block_on(work))
    }
}

impl FetchedFile {
    /// The rules that apply, or that applied at the past time.
    pub(crate) fn plan(&self) -> Plan<'_, Body> {
        self.state.plan(self.at, &self.settings)
    }

    /// The rules that apply, or that applied at the past time.
    pub(crate) fn current(&self) -> CurrentRules<'_, Body> {
        self.plan().current
    }

    /// The file whose rules apply.
    pub(crate) fn file(&self) -> Option<&Body> {
        self.plan().file()
    }

    /// The retrieval, for the JSON output.
    pub(crate) fn json(&self) -> RetrievalJson {
        RetrievalJson::of(&self.state, &self.plan())
    }

    /// How what is known was fetched, if that was kept.
    pub(crate) fn trail(&self) -> Option<&Trail> {
        self.state.copy()?.trail.as_deref()
    }

    /// The last request, if one was sent.
    pub(crate) fn last_hop(&self) -> Option<&HopReport> {
        self.sent.as_ref()?.hops.last()
    }

    /// Why there is no file: the status, or the error.
    pub(crate) fn reason(&self) -> String {
        match self.last_hop().map(|hop| (hop.status, &hop.failure)) {
            Some((_, Some(failure))) => format!(": {failure}"),
            Some((Some(status), None)) => format!(": the site answered with status {status}"),
            _ => String::new(),
        }
    }

    /// Why a response has no body that can be read, if that is so.
    pub(crate) fn unread(&self) -> Option<&str> {
        let last = self.last_hop()?;
        last.status.and(last.failure.as_deref())
    }

    /// Where the file was after redirects: a path on the same site, or else a URL. `None` without a
    /// redirect, and if no request was sent.
    pub(crate) fn redirected_to(&self) -> Option<String> {
        let hops = &self.sent.as_ref()?.hops;
        let (first, others) = hops.split_first()?;
        let last = others.last()?.url.as_str();
        let (from, to) = (url::Url::parse(first.url.as_str()), url::Url::parse(last));
        match (from, to) {
            (Ok(from), Ok(to)) if from.origin() == to.origin() => {
                Some(to[url::Position::BeforePath..].to_owned())
            }
            _ => Some(last.to_owned()),
        }
    }

    /// Says how to allow an address that was refused.
    fn warn_of_refusal(&self, url: &str) {
        let refused = self
            .state
            .outage()
            .is_some_and(|outage| outage.cause == Cause::Refused);
        let reason = self.last_hop().and_then(|hop| hop.failure.as_ref());
        if let Some(reason) = reason.filter(|_| refused) {
            warn(&format!(
                "{}: {reason}; --allow-private lets it through",
                visible_url(url)
            ));
        }
    }
}

fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for SiteFetcher {
    /// A running DNS lookup cannot be stopped, and need not be waited for.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            if self.has_server {
                // Gives the task that releases a lease time to run.
                runtime.block_on(async { tokio::time::sleep(Duration::from_millis(20)).await });
            }
            runtime.shutdown_background();
        }
    }
}

/// How to fetch, as the arguments say.
fn options(user_agent: &str, args: &NetworkArgs) -> anyhow::Result<Options> {
    /// The largest size of a file with certificates: those of all authorities of the web take half
    /// of it.
    const MAX_CA_BYTES: usize = 1 << 20;
    let mut options = Options::new(user_agent);
    if let Some(seconds) = args.timeout {
        // A site may take all of the time for one step.
        options.deadline = Duration::from_secs(seconds.into());
        options.head_timeout = options.deadline;
        options.idle_timeout = options.deadline;
    }
    options.proxy.clone_from(&args.proxy);
    if let Some(name) = &args.ca_file {
        let bytes = read_file(
            name,
            MAX_CA_BYTES,
            "--ca-file takes a file with certificates",
        )?;
        ensure!(
            bytes.len() <= MAX_CA_BYTES,
            "in --ca-file: {name} is longer than {MAX_CA_BYTES} bytes; leave out what is no certificate"
        );
        let roots = Certificate::from_pem(&bytes);
        options.roots = roots.with_context(|| format!("in --ca-file: cannot read {name}"))?;
    }
    Ok(options)
}

/// Warns of a proxy that other tools would use. Its value can have a password.
fn warn_of_unused_proxy() {
    const VARIABLES: [&str; 6] = [
        "https_proxy",
        "HTTPS_PROXY",
        "http_proxy",
        "HTTP_PROXY",
        "all_proxy",
        "ALL_PROXY",
    ];
    let is_set = |name: &&&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    if let Some(name) = VARIABLES.iter().find(is_set) {
        warn(&format!(
            "{name} is set, and abide takes no proxy from the environment; name it with --proxy"
        ));
    }
}

/// The `User-Agent` to send (REP-25).
fn identification(client: &Client) -> String {
    let tokens: Vec<_> = client
        .product_tokens()
        .iter()
        .map(ProductToken::as_str)
        .collect();
    let mut tokens = tokens.join(", ");
    tokens.retain(|c| c.is_ascii_graphic() || c == ' ');
    let what = match tokens.as_str() {
        "" => "checks robots.txt".to_owned(),
        tokens => format!("checks robots.txt for {tokens}"),
    };
    format!("abide/{} ({what})", env!("CARGO_PKG_VERSION"))
}
