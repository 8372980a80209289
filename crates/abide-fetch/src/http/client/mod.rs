//! The client: walks from hop to hop.

mod concurrency;
mod connection;
#[cfg(feature = "dns")]
mod dns;
mod exchange;
mod network;
mod proxy;

pub use concurrency::ConcurrencyLimits;
#[cfg(feature = "dns")]
pub use dns::DnsResolver;
pub use network::{Connector, LookupPermit, Resolver, Stream, SystemConnector, SystemResolver};
pub use proxy::{Proxy, ProxyError};

use super::retrieval::{RedirectCheck, Retrieval};
use crate::guard::Guard;
use crate::machine::{
    Chain, Event, Field, Hop, HopReport, ResponseTimes, RetrievalSettings, Validators,
};
use crate::now::now;
use crate::pace::{Pacer, TurnError, Visit};
use crate::request_url::{RequestUrl, domain};
use crate::stream::{self, Certificate};
use abide::Moment;
use abide::rep::Cause;
use concurrency::Permits;
use connection::{Route, check_target, dial, place, secured};
use exchange::{OpenResponse, lines};
use hyper::header::{CONTENT_TYPE, HeaderValue, LOCATION};
use network::is_local;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use url::Host;

/// How files are fetched.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The `User-Agent` to send. It contains the product token (REP-25).
    pub user_agent: String,
    /// How many bytes of a body to read. One more is read to see whether there is more.
    pub body_limit: usize,
    /// Timeout of a DNS lookup.
    pub name_timeout: Duration,
    /// Timeout of a connection to one address, and again of its TLS handshake.
    pub connect_timeout: Duration,
    /// Timeout of the head of a response.
    pub head_timeout: Duration,
    /// Timeout between two bytes of a body.
    pub idle_timeout: Duration,
    /// Timeout of everything: lookups, connections, redirects, body. Waiting for a permit does not
    /// count.
    pub deadline: Duration,
    /// The limits of concurrency.
    pub concurrency: ConcurrencyLimits,
    /// The clock to compare `Date`, `Expires` and `Retry-After` with.
    pub clock: fn() -> Moment,
    /// Certificate authorities to trust, besides those of the web.
    pub roots: Vec<Certificate>,
    /// The proxy that all requests go through; none is taken from the environment.
    pub proxy: Option<Proxy>,
}

impl Options {
    /// Defaults: 4 seconds for a name, 5 to connect, 10 for a head, 5 without a byte, 30 in total,
    /// and 500 KiB of a body.
    #[must_use]
    pub fn new(user_agent: &str) -> Self {
        Self {
            user_agent: user_agent.to_owned(),
            body_limit: abide::Limits::default().bytes(),
            name_timeout: Duration::from_secs(4),
            connect_timeout: Duration::from_secs(5),
            head_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(5),
            deadline: Duration::from_secs(30),
            concurrency: ConcurrencyLimits::default(),
            clock: now,
            roots: Vec::new(),
            proxy: None,
        }
    }
}

/// Fetches robots.txt files and the documents beside them. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Fetcher(Arc<FetcherInner>);

#[derive(Debug)]
struct FetcherInner {
    guard: Guard,
    options: Options,
    settings: RetrievalSettings,
    tls: Arc<rustls::ClientConfig>,
    resolver: Arc<dyn Resolver>,
    connector: Arc<dyn Connector>,
    in_all: Arc<Semaphore>,
    lookups: Arc<Semaphore>,
    at_domain: Permits<String>,
    at_host: Permits<String>,
    at_address: Permits<IpAddr>,
}

/// Why a hop has no response, or none that can be read: the cause, and a sentence.
#[derive(Debug)]
struct Failure {
    cause: Cause,
    message: String,
    /// Whether it is about this machine and not about the site.
    is_local: bool,
}

impl Failure {
    fn new(cause: Cause, message: &str) -> Self {
        let message = message.to_owned();
        Self {
            cause,
            message,
            is_local: false,
        }
    }

    /// A failure for which the system has an error.
    fn of_system(cause: Cause, error: &io::Error) -> Self {
        Self {
            is_local: is_local(error),
            ..Self::new(cause, &error.to_string())
        }
    }

    /// A failure of which only the cause is known.
    fn of(cause: Cause) -> Self {
        Self::new(cause, &cause.to_string())
    }
}

/// Why a fetcher cannot be built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// The text cannot be sent in a header field.
    #[error("{user_agent:?} cannot be sent as User-Agent")]
    UserAgent {
        /// The text.
        user_agent: String,
    },
    /// TLS cannot be set up.
    #[error("TLS cannot be set up: {message}")]
    Tls {
        /// The reason.
        message: String,
    },
}

impl Fetcher {
    /// Builds a fetcher that only connects to addresses that `guard` allows.
    ///
    /// # Errors
    /// [`OptionsError`] for a user agent that cannot be sent, or a certificate that cannot be read.
    pub fn new(
        guard: Guard,
        options: Options,
        settings: RetrievalSettings,
    ) -> Result<Self, OptionsError> {
        let (resolver, connector) = (SystemResolver, SystemConnector);
        Self::with_network(guard, options, settings, resolver, connector)
    }

    /// Builds a fetcher with your own network. The guard checks the addresses of `resolver`, and
    /// `connector` only gets addresses that it allows. Both must be trusted.
    ///
    /// # Errors
    /// See [`Fetcher::new`].
    pub fn with_network(
        guard: Guard,
        mut options: Options,
        settings: RetrievalSettings,
        resolver: impl Resolver + 'static,
        connector: impl Connector + 'static,
    ) -> Result<Self, OptionsError> {
        // A smaller limit than the parsing limit would cut the file in the middle of a line.
        options.body_limit = options.body_limit.max(abide::Limits::FLOOR);
        if HeaderValue::from_str(&options.user_agent).is_err() {
            let user_agent = options.user_agent;
            return Err(OptionsError::UserAgent { user_agent });
        }
        let tls = stream::tls(&options.roots).map_err(|message| OptionsError::Tls { message })?;
        let limits = options.concurrency;
        Ok(Self(Arc::new(FetcherInner {
            guard,
            options,
            settings,
            tls: Arc::new(tls),
            resolver: Arc::new(resolver),
            connector: Arc::new(connector),
            in_all: places(limits.in_all),
            lookups: places(limits.lookups),
            at_domain: Permits::new(limits.per_domain, Duration::ZERO),
            at_host: Permits::new(limits.per_host, limits.spacing),
            at_address: Permits::new(limits.per_address, Duration::ZERO),
        })))
    }

    /// Fetches at most `limit` bytes of the page at `url`, which the caller has found to be
    /// allowed. Follows a redirect only if `may_follow` allows it, because every hop of a page is
    /// subject to the robots.txt of its own site. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// [`PageError`] if there is no page.
    pub async fn page(
        &self,
        url: &RequestUrl,
        limit: usize,
        may_follow: impl Fn(&RequestUrl) -> bool,
    ) -> Result<Page, PageError> {
        let mut chain = Chain::from_request(url.clone());
        let _permits = self.0.host_permits(&chain).await;
        Walk::new(&self.0).page(&mut chain, limit, may_follow).await
    }

    /// [`Fetcher::page`] in turns of `pacer`: each request is a visit to its site, also those of
    /// redirects.
    ///
    /// # Errors
    /// [`PageError`] if there is no page.
    pub async fn paced_page(
        &self,
        url: &RequestUrl,
        limit: usize,
        may_follow: impl Fn(&RequestUrl) -> bool,
        pacer: &Pacer,
    ) -> Result<Page, PageError> {
        let mut chain = Chain::from_request(url.clone());
        // Before the permits, which other hosts of the domain need.
        let visit = pacer.turn(url).await.map_err(PageError::NoTurn)?;
        let waits = Instant::now();
        let _permits = self.0.host_permits(&chain).await;
        let mut walk = Walk::new(&self.0);
        (walk.pacer, walk.visit) = (Some(pacer), Some(visit));
        walk.excuse(waits.elapsed());
        walk.page(&mut chain, limit, may_follow).await
    }

    /// Fetches the robots.txt at `url`. With the `validators` of a stored copy the request is
    /// conditional. Must be called within a tokio runtime.
    pub async fn retrieve(&self, url: &str, validators: &Validators) -> Retrieval {
        self.retrieved(url, validators, (None, None)).await
    }

    /// Fetches the document at `url`, which the caller has found to be allowed. Like a page, and
    /// unlike a robots.txt, it is subject to the rules of each site on the way: a redirect is only
    /// followed if `check` allows it (PREF-132). Must be called within a tokio runtime.
    pub async fn document(
        &self,
        url: &str,
        validators: &Validators,
        check: &dyn RedirectCheck,
    ) -> Retrieval {
        self.retrieved(url, validators, (Some(check), None)).await
    }

    /// Fetches a robots.txt or, with a `check`, a document. Each request is a visit of `pacer`,
    /// also those of redirects. Must be called within a tokio runtime.
    pub async fn paced(
        &self,
        url: &str,
        validators: &Validators,
        check: Option<&dyn RedirectCheck>,
        pacer: &Pacer,
    ) -> Retrieval {
        self.retrieved(url, validators, (check, Some(pacer))).await
    }

    async fn retrieved(
        &self,
        url: &str,
        validators: &Validators,
        (check, pacer): (Option<&dyn RedirectCheck>, Option<&Pacer>),
    ) -> Retrieval {
        let clock = self.0.options.clock;
        let failed = |cause| Retrieval::new(Event::failure(cause, clock()));
        let mut chain = match Chain::new(url) {
            Ok(chain) => chain,
            Err(cause) => return failed(cause),
        };
        // Before the permits, which other hosts of the domain need.
        let visit = match (pacer, chain.urls().first()) {
            (Some(pacer), Some(url)) => match pacer.first_turn(url).await {
                Ok(visit) => Some(visit),
                Err(_) => return Retrieval::without_turn(clock()),
            },
            _ => None,
        };
        let waits = Instant::now();
        let permits = self.0.host_permits(&chain).await;
        let mut walk = Walk::new(&self.0);
        (walk.pacer, walk.visit) = (pacer, visit);
        walk.excuse(waits.elapsed());
        let found = walk.follow(&mut chain, validators, (permits, check)).await;
        drop(walk.visit.take());
        Retrieval {
            is_downgraded: chain.is_downgraded(),
            is_local: walk.is_local,
            took: walk.began.elapsed().saturating_sub(walk.waited),
            hops: walk.hops,
            ..found.unwrap_or_else(failed)
        }
    }
}

/// A page: the last response.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Page {
    /// Its URL, after redirects.
    pub url: RequestUrl,
    /// The status of its response.
    pub status: u16,
    /// The response's field lines, in order.
    pub fields: Vec<(String, Vec<u8>)>,
    /// Its body, up to the limit.
    pub body: Vec<u8>,
}

/// Why there is no page.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PageError {
    /// A request failed.
    #[error("{0}")]
    Failed(Cause),
    /// `may_follow` refused a redirect.
    #[error("a redirect to {0} was not followed")]
    NotFollowed(RequestUrl),
    /// The pacer has no turn for the site.
    #[error("{0}")]
    NoTurn(TurnError),
}

/// The field lines of a response, in order.
fn owned_lines(answer: &OpenResponse) -> Vec<(String, Vec<u8>)> {
    lines(answer.headers())
        .map(|(name, value)| (name.to_owned(), value.to_vec()))
        .collect()
}

fn places(number: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(number.clamp(1, Semaphore::MAX_PERMITS)))
}

/// The permits of a connection: one for its address, then one of all. They are acquired in this
/// order, so that waiting for a busy address blocks no other one.
struct ConnectionPermits {
    _at_address: concurrency::Permit<IpAddr>,
    _in_all: Option<OwnedSemaphorePermit>,
}

/// The permits to fetch from a host: of its domain, and of its own. Dropping them releases them.
struct HostPermits {
    _at_domain: concurrency::Permit<String>,
    _at_host: concurrency::Permit<String>,
}

impl FetcherInner {
    /// The permits for the first host of a chain.
    async fn host_permits(&self, chain: &Chain) -> HostPermits {
        let host = chain.urls().first().map(RequestUrl::host);
        self.host_permits_of(host.unwrap_or_default()).await
    }

    /// The permits for the host of `url`.
    async fn host_permits_at(&self, url: &RequestUrl) -> HostPermits {
        self.host_permits_of(url.host()).await
    }

    async fn host_permits_of(&self, host: &str) -> HostPermits {
        HostPermits {
            _at_domain: self.at_domain.take(domain(host).to_owned()).await,
            _at_host: self.at_host.take(host.to_owned()).await,
        }
    }
}

/// The hops of one retrieval.
struct Walk<'f> {
    inner: &'f Arc<FetcherInner>,
    hops: Vec<HopReport>,
    requested_at: Moment,
    began: Instant,
    /// How long it waited for permits.
    waited: Duration,
    /// The deadline.
    until: Instant,
    /// Whether the last hop failed for a reason of this machine.
    is_local: bool,
    /// Who gives turns, and the visit of the current hop.
    pacer: Option<&'f Pacer>,
    visit: Option<Visit>,
}

impl<'f> Walk<'f> {
    fn new(inner: &'f Arc<FetcherInner>) -> Self {
        let began = Instant::now();
        Self {
            inner,
            hops: Vec::new(),
            requested_at: (inner.options.clock)(),
            began,
            waited: Duration::ZERO,
            is_local: false,
            pacer: None,
            visit: None,
            until: began.checked_add(inner.options.deadline).unwrap_or(began),
        }
    }

    /// Holds `permits`, those for the first host. With a check, which may itself fetch from that
    /// host, or with a pacer, only until the first redirect; each further host is then waited for.
    async fn follow(
        &mut self,
        chain: &mut Chain,
        validators: &Validators,
        (permits, check): (HostPermits, Option<&dyn RedirectCheck>),
    ) -> Result<Retrieval, Cause> {
        let mut permits = Some(permits);
        loop {
            let Some(url) = chain.urls().last().cloned() else {
                return Err(Cause::BadRedirect);
            };
            // A validator belongs to the first site, and means nothing to another one.
            let own = (chain.urls().len() == 1).then_some(validators);
            let answer = self.ask(url, own).await?;
            if !Chain::redirects(answer.status()) {
                let mut found = self.read(answer).await?;
                if chain.urls().len() > 1 {
                    found.event = found.event.of_another_authority();
                } else if validators.is_empty() {
                    found.event = found.event.unconditional();
                }
                return Ok(found);
            }
            let next = match self.next(chain, &answer) {
                Hop::Follow(next) => next,
                Hop::End(cause) => return Err(cause),
            };
            // Its connection and its permits may be needed by the check.
            drop(answer);
            self.visit = None;
            if check.is_some() || self.pacer.is_some() {
                drop(permits.take());
                if let Some(check) = check {
                    self.check(&next, check).await?;
                }
                self.visit(&next).await?;
                let free = self.inner.host_permits_at(&next);
                permits = Some(self.waiting(free).await);
            }
        }
    }

    /// Waits for a turn at the site of a redirect's target.
    async fn visit(&mut self, next: &RequestUrl) -> Result<(), Cause> {
        let Some(pacer) = self.pacer else {
            return Ok(());
        };
        let turn = self.waiting(pacer.first_turn(next)).await;
        self.is_local = turn.is_err();
        self.visit = Some(turn.map_err(|_| Cause::Network)?);
        Ok(())
    }

    /// Notes for the pacer how a request went.
    fn note(&mut self, sent: &Result<OpenResponse, Failure>) {
        match (&mut self.visit, sent) {
            (Some(visit), Ok(answer)) => {
                let fields = lines(answer.headers());
                let fields: Vec<_> = fields
                    .map(|(name, value)| Field::new(name, value))
                    .collect();
                visit.answered(answer.status(), &fields);
            }
            // A failure of this machine says nothing about the site.
            (Some(visit), Err(failure)) if !failure.is_local => visit.failed(),
            _ => {}
        }
    }

    /// Ends the walk if `check` does not allow `next` within the deadline, and records that hop.
    async fn check(&mut self, next: &RequestUrl, check: &dyn RedirectCheck) -> Result<(), Cause> {
        let started = Instant::now();
        let allowed = tokio::time::timeout_at(self.until, check.may_follow(next)).await;
        let (failure, cause) = match allowed {
            Ok(true) => return Ok(()),
            Ok(false) => ("robots.txt does not allow it", Cause::BadRedirect),
            Err(_) => ("no robots.txt in time", Cause::Timeout),
        };
        self.hops.push(HopReport {
            cause: Some(cause),
            failure: Some(failure.to_owned()),
            took: started.elapsed(),
            ..HopReport::new(next.clone())
        });
        Err(cause)
    }

    async fn page(
        &mut self,
        chain: &mut Chain,
        limit: usize,
        may_follow: impl Fn(&RequestUrl) -> bool,
    ) -> Result<Page, PageError> {
        let first = chain.urls().first().cloned();
        let mut url = first.ok_or(PageError::Failed(Cause::BadRedirect))?;
        loop {
            let mut answer = self
                .ask(url.clone(), None)
                .await
                .map_err(PageError::Failed)?;
            if !Chain::redirects(answer.status()) {
                let body = answer.body(limit, self.inner).await;
                let body = body.map_err(|failure| self.unread(failure));
                let fields = owned_lines(&answer);
                return Ok(Page {
                    url,
                    status: answer.status(),
                    fields,
                    body: body.map_err(PageError::Failed)?,
                });
            }
            url = match self.next(chain, &answer) {
                Hop::Follow(next) if may_follow(&next) => next,
                Hop::Follow(next) => return Err(PageError::NotFollowed(next)),
                Hop::End(cause) => return Err(PageError::Failed(cause)),
            };
            drop(answer);
            self.visit = None;
            if let Some(pacer) = self.pacer {
                let turn = self.waiting(pacer.turn(&url)).await;
                self.visit = Some(turn.map_err(PageError::NoTurn)?);
            }
        }
    }

    fn next(&self, chain: &mut Chain, answer: &OpenResponse) -> Hop {
        let locations = answer.headers().get_all(LOCATION);
        let locations: Vec<&[u8]> = locations.iter().map(HeaderValue::as_bytes).collect();
        chain.follow(&locations, &self.inner.settings)
    }

    /// Sends one request and records the hop.
    async fn ask(
        &mut self,
        url: RequestUrl,
        own: Option<&Validators>,
    ) -> Result<OpenResponse, Cause> {
        let started = Instant::now();
        let mut address = None;
        let sent = self.send(&url.url(), own, &mut address).await;
        self.note(&sent);
        let failed = sent.as_ref().err();
        self.is_local = failed.is_some_and(|failure| failure.is_local);
        self.hops.push(HopReport {
            url,
            address,
            status: sent.as_ref().ok().map(OpenResponse::status),
            cause: failed.map(|failure| failure.cause),
            failure: failed.map(|failure| failure.message.clone()),
            took: started.elapsed(),
        });
        sent.map_err(|failure| failure.cause)
    }

    async fn send(
        &mut self,
        url: &url::Url,
        own: Option<&Validators>,
        address: &mut Option<SocketAddr>,
    ) -> Result<OpenResponse, Failure> {
        let inner = self.inner;
        let port = url.port_or_known_default().unwrap_or_default();
        if let Err(refused) = inner.guard.check_port(port) {
            // Whoever redirects to such a port is to blame for it; whoever asks for it is not.
            let is_local = self.hops.is_empty();
            return Err(Failure {
                is_local,
                ..Failure::from(refused)
            });
        }
        let proxy = inner.options.proxy.as_ref();
        let by_proxy = |failure: Failure| match proxy {
            Some(_) => proxy::local(&format!("the proxy: {}", failure.message)),
            None => failure,
        };
        // An address needs no lookup, so it does not wait for a permit.
        let has_name = match proxy {
            Some(proxy) => matches!(proxy.host, Host::Domain(_)),
            None => url.domain().is_some(),
        };
        let free = if has_name {
            let turn = Arc::clone(&inner.lookups).acquire_owned();
            self.waiting(turn).await.ok()
        } else {
            None
        };
        let lookup = LookupPermit::new(free);
        let route = match proxy {
            Some(proxy) => {
                check_target(url, inner)?;
                let route = Route::to_proxy(proxy, lookup, inner, self.until).await;
                route.map_err(by_proxy)?
            }
            None => Route::to(url, lookup, inner, self.until).await?,
        };
        let first = match route.addresses.first() {
            Some(first) => Some(self.waiting(place(*first, inner)).await),
            None => None,
        };
        let turn = Arc::clone(&inner.in_all).acquire_owned();
        let in_all = self.waiting(turn).await.ok();
        let connected = dial(&route, first, inner, self.until).await;
        let mut connected = connected.map_err(by_proxy)?;
        *address = Some(connected.address);
        if let Some(proxy) = proxy.filter(|_| !Proxy::is_asked(url)) {
            let stream = &mut connected.stream;
            proxy.tunnel(stream, url, inner, self.until).await?;
        }
        let bytes = secured(connected.stream, url, inner, self.until).await?;
        let held = ConnectionPermits {
            _at_address: connected.place,
            _in_all: in_all,
        };
        let answer = OpenResponse::to(url, own, (bytes, held), inner, self.until).await?;
        if proxy.is_some() {
            Proxy::check(url, answer.status())?;
        }
        Ok(answer)
    }

    /// Waits for a permit. The deadline does not run meanwhile.
    async fn waiting<T>(&mut self, turn: impl Future<Output = T>) -> T {
        let began = Instant::now();
        let taken = turn.await;
        let waited = began.elapsed();
        self.excuse(waited);
        self.waited = self.waited.saturating_add(waited);
        self.until = self.until.checked_add(waited).unwrap_or(self.until);
        taken
    }

    /// Does not count what this machine waited for as slowness of the site.
    fn excuse(&mut self, waited: Duration) {
        if let Some(visit) = &mut self.visit {
            visit.excuse(waited);
        }
    }

    /// Records that the body of the last hop cannot be read.
    fn unread(&mut self, failure: Failure) -> Cause {
        if let Some(visit) = self.visit.as_mut().filter(|_| !failure.is_local) {
            visit.failed();
        }
        self.is_local = failure.is_local;
        if let Some(hop) = self.hops.last_mut() {
            hop.cause = Some(failure.cause);
            hop.failure = Some(failure.message);
        }
        failure.cause
    }

    /// Reads the body up to the limit, and returns what the response means.
    async fn read(&mut self, mut answer: OpenResponse) -> Result<Retrieval, Cause> {
        let status = answer.status();
        let limit = self.inner.options.body_limit;
        // Only the body of a file matters, and only as much as is parsed.
        let is_file = abide::rep::Access::from_status(status) == abide::rep::Access::Rules;
        let has_body = is_file && !matches!(status, 204 | 205);
        let body = if has_body {
            let body = answer.body(limit, self.inner).await;
            body.map_err(|failure| self.unread(failure))?
        } else {
            Vec::new()
        };
        let fields: Vec<Field<'_>> = lines(answer.headers())
            .map(|(name, value)| Field::new(name, value))
            .collect();
        let media_type = answer.headers().get(CONTENT_TYPE);
        let media_type =
            media_type.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let is_cut = body.len() > limit;
        let times = ResponseTimes {
            requested_at: self.requested_at,
            received_at: (self.inner.options.clock)(),
        };
        let event = Event::response(status, &fields, body, times, &self.inner.settings);
        Ok(Retrieval {
            fields: owned_lines(&answer),
            is_cut,
            is_unframed: has_body && answer.is_unframed(),
            media_type,
            ..Retrieval::new(event)
        })
    }
}
