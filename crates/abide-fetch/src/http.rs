//! Fetching a robots.txt over HTTP: one hop after the other, each to an address that the guard lets
//! through, within a deadline for all of them together, and no further into a body than is read of it.
//!
//! Whatever is not foreseen is an unreachable file, never a missing one. The only failures that count as a
//! missing file are those of RFC 9309: a status from 400 to 499, and too many redirects.

use crate::guard::{Guard, Refused};
use crate::machine::{Chain, Event, Field, Hop, Settings, Validators};
use abide::Moment;
use abide::rep::access::Cause;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, HeaderMap,
    HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION, TRANSFER_ENCODING,
};
use std::error::Error;
use std::io::Read;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use thiserror::Error;
use tokio::time::Instant;
use url::{Host, Url};

/// How files are fetched.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// What is sent as `User-Agent`; it carries the product token (REP-25).
    pub user_agent: String,
    /// Octets of a body that are read; one more is, to see that there is more.
    pub body_limit: usize,
    /// For a connection.
    pub connect_timeout: Duration,
    /// Without a single octet coming.
    pub idle_timeout: Duration,
    /// For everything together: names, connections, redirects, body.
    pub deadline: Duration,
}

impl Options {
    /// 5 seconds to connect, 5 without an octet, 30 in all, and 500 KiB of a body.
    #[must_use]
    pub fn new(user_agent: &str) -> Self {
        Self {
            user_agent: user_agent.to_owned(),
            body_limit: abide::text::Limits::default().octets(),
            connect_timeout: Duration::from_secs(5),
            idle_timeout: Duration::from_secs(5),
            deadline: Duration::from_secs(30),
        }
    }
}

/// Fetches robots.txt files. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Fetcher(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    guard: Guard,
    options: Options,
    settings: Settings,
    tls: rustls::ClientConfig,
}

/// What came of fetching a robots.txt, with how it came.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Retrieval {
    /// Every request that was made, or that the guard kept from being made.
    pub hops: Vec<HopTaken>,
    /// What it means, for a [`State`](crate::machine::State).
    pub event: Event<Vec<u8>>,
    /// Whether the body was longer than what was read of it.
    pub is_cut: bool,
    /// The media type of the final response, as sent (REP-69).
    pub media_type: Option<String>,
    /// Whether some redirect led from https to http.
    pub is_downgraded: bool,
}

/// One request.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HopTaken {
    /// Where to.
    pub url: Url,
    /// The address that answered.
    pub address: Option<SocketAddr>,
    /// The status of its answer.
    pub status: Option<u16>,
    /// Why there was none, in words.
    pub failure: Option<String>,
    /// How long it took.
    pub took: Duration,
}

/// Why no fetcher can be built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum UnusableOptions {
    /// Text that no field can carry.
    #[error("{user_agent:?} cannot be sent as User-Agent")]
    UserAgent {
        /// The text.
        user_agent: String,
    },
    /// TLS cannot be set up.
    #[error("TLS cannot be set up: {error}")]
    Tls {
        /// What its library says.
        error: rustls::Error,
    },
}

impl Fetcher {
    /// A fetcher that connects only where `guard` allows.
    ///
    /// # Errors
    /// [`UnusableOptions`] for a user agent that cannot be sent.
    pub fn new(
        guard: Guard,
        mut options: Options,
        settings: Settings,
    ) -> Result<Self, UnusableOptions> {
        // Less than a robots.txt is parsed of would cut it in the middle of a line.
        options.body_limit = options.body_limit.max(abide::text::Limits::FLOOR);
        if HeaderValue::from_str(&options.user_agent).is_err() {
            let user_agent = options.user_agent;
            return Err(UnusableOptions::UserAgent { user_agent });
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let roots = webpki_roots::TLS_SERVER_ROOTS
            .iter()
            .cloned()
            .collect::<rustls::RootCertStore>();
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| UnusableOptions::Tls { error })?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self(Arc::new(Inner {
            guard,
            options,
            settings,
            tls,
        })))
    }

    /// Fetches the page at `url`, which the caller has found to be permitted, and at most `limit` octets of
    /// it. Redirects are followed where `may_follow` says so: for a page every hop is a fetch of its own, that
    /// the robots.txt of its site has a say in. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// [`NoPage`] where none came.
    pub async fn page(
        &self,
        url: &str,
        limit: usize,
        may_follow: impl Fn(&Url) -> bool,
    ) -> Result<Page, NoPage> {
        let mut walk = Walk {
            inner: &self.0,
            hops: Vec::new(),
            asked: now(),
        };
        let paged = walk.page(url, limit, may_follow);
        let found = tokio::time::timeout(self.0.options.deadline, paged).await;
        found.unwrap_or(Err(NoPage::Failed(Cause::Timeout)))
    }

    /// Fetches the robots.txt at `url`; with `validators` of a stored copy it asks whether that still holds.
    /// Must be called within a tokio runtime.
    pub async fn retrieve(&self, url: &str, validators: &Validators) -> Retrieval {
        let asked = now();
        let mut walk = Walk {
            inner: &self.0,
            hops: Vec::new(),
            asked,
        };
        let chain = Chain::new(url);
        let (found, is_downgraded) = match chain {
            Err(cause) => (Err(cause), false),
            Ok(mut chain) => {
                let deadline = self.0.options.deadline;
                let walked = walk.follow(&mut chain, validators);
                let found = tokio::time::timeout(deadline, walked).await;
                (found.unwrap_or(Err(Cause::Timeout)), chain.is_downgraded())
            }
        };
        let (event, is_cut, media_type) = match found {
            Ok(found) => (found.event, found.is_cut, found.media_type),
            Err(cause) => (Event::failure(cause, now()), false, None),
        };
        Retrieval {
            hops: walk.hops,
            event,
            is_cut,
            media_type,
            is_downgraded,
        }
    }
}

/// A page, as its last response brought it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Page {
    /// Where it was in the end.
    pub url: Url,
    /// The status of its response.
    pub status: u16,
    /// The response's field lines, in order.
    pub fields: Vec<(String, Vec<u8>)>,
    /// Its body, as far as it is read.
    pub body: Vec<u8>,
}

/// Why there is no page.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoPage {
    /// Something went wrong on the way.
    #[error("{0}")]
    Failed(Cause),
    /// A redirect leads where the caller does not want to go.
    #[error("a redirect to {0} was not followed")]
    NotFollowed(Url),
}

/// The final response.
struct Found {
    event: Event<Vec<u8>>,
    is_cut: bool,
    media_type: Option<String>,
}

/// The hops of one retrieval.
struct Walk<'f> {
    inner: &'f Inner,
    hops: Vec<HopTaken>,
    asked: Moment,
}

impl Walk<'_> {
    async fn follow(&mut self, chain: &mut Chain, validators: &Validators) -> Result<Found, Cause> {
        loop {
            let Some(url) = chain.urls().last().cloned() else {
                return Err(Cause::BadRedirect);
            };
            // A validator is the first authority's own, and says nothing to another one.
            let own = (chain.urls().len() == 1).then_some(validators);
            let response = self.ask(url, own).await?;
            let status = response.status().as_u16();
            if !Chain::redirects(status) {
                let mut found = self.read(response).await?;
                if chain.urls().len() > 1 {
                    found.event = found.event.of_another_authority();
                } else if validators.is_empty() {
                    found.event = found.event.unconditional();
                }
                return Ok(found);
            }
            match self.next(chain, &response) {
                Hop::Follow(_) => {}
                Hop::End(cause) => return Err(cause),
            }
        }
    }

    async fn page(
        &mut self,
        url: &str,
        limit: usize,
        may_follow: impl Fn(&Url) -> bool,
    ) -> Result<Page, NoPage> {
        let mut chain = Chain::new(url).map_err(NoPage::Failed)?;
        let mut url = chain
            .urls()
            .first()
            .cloned()
            .ok_or(NoPage::Failed(Cause::BadRedirect))?;
        loop {
            let mut response = self.ask(url.clone(), None).await.map_err(NoPage::Failed)?;
            let status = response.status().as_u16();
            if !Chain::redirects(status) {
                let body = body(&mut response, limit).await.map_err(NoPage::Failed)?;
                let lines = response.headers().iter();
                let fields =
                    lines.map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()));
                return Ok(Page {
                    url,
                    status,
                    fields: fields.collect(),
                    body,
                });
            }
            url = match self.next(&mut chain, &response) {
                Hop::Follow(next) if may_follow(&next) => next,
                Hop::Follow(next) => return Err(NoPage::NotFollowed(next)),
                Hop::End(cause) => return Err(NoPage::Failed(cause)),
            };
        }
    }

    fn next(&self, chain: &mut Chain, response: &reqwest::Response) -> Hop {
        let locations = response.headers().get_all(LOCATION);
        let locations: Vec<&[u8]> = locations.iter().map(HeaderValue::as_bytes).collect();
        chain.follow(&locations, &self.inner.settings)
    }

    /// One request, and what came of it, noted down.
    async fn ask(
        &mut self,
        url: Url,
        own: Option<&Validators>,
    ) -> Result<reqwest::Response, Cause> {
        let started = Instant::now();
        self.hops.push(HopTaken {
            url: url.clone(),
            address: None,
            status: None,
            failure: Some("no answer within the deadline".to_owned()),
            took: self.inner.options.deadline,
        });
        let sent = self.send(&url, own).await;
        let mut hop = HopTaken {
            url,
            address: None,
            status: None,
            failure: None,
            took: started.elapsed(),
        };
        let response = match sent {
            Ok(response) => {
                hop.address = response.remote_addr();
                hop.status = Some(response.status().as_u16());
                Ok(response)
            }
            Err((cause, told)) => {
                hop.failure = Some(told);
                Err(cause)
            }
        };
        if let Some(noted) = self.hops.last_mut() {
            *noted = hop;
        }
        response
    }

    async fn send(
        &self,
        url: &Url,
        own: Option<&Validators>,
    ) -> Result<reqwest::Response, (Cause, String)> {
        let port = url.port_or_known_default().unwrap_or_default();
        let refused = |refused: Refused| (Cause::Refused, refused.to_string());
        // A literal never reaches the resolver, so it is judged here.
        let literal: Option<IpAddr> = match url.host() {
            Some(Host::Ipv4(address)) => Some(address.into()),
            Some(Host::Ipv6(address)) => Some(address.into()),
            _ => None,
        };
        if let Some(address) = literal {
            self.inner.guard.check(address, port).map_err(refused)?;
        }
        let client = self
            .client(port)
            .map_err(|error| (Cause::Network, error.to_string()))?;
        let mut request = client
            .get(url.clone())
            .header(ACCEPT, "text/plain, */*;q=0.5")
            .header(ACCEPT_ENCODING, "gzip");
        if let Some(etag) = own.and_then(|own| own.etag.as_ref()) {
            request = request.header(IF_NONE_MATCH, etag);
        }
        if let Some(modified) = own.and_then(|own| own.last_modified.as_ref()) {
            request = request.header(IF_MODIFIED_SINCE, modified);
        }
        let response = request.send().await.map_err(|error| cause(&error))?;
        if let Some(address) = response.remote_addr() {
            self.inner
                .guard
                .check(address.ip(), port)
                .map_err(refused)?;
        }
        Ok(response)
    }

    /// A client of its own for every hop: nothing is shared between authorities, and the resolver knows the
    /// port that it resolves for.
    fn client(&self, port: u16) -> Result<reqwest::Client, reqwest::Error> {
        let options = &self.inner.options;
        reqwest::Client::builder()
            .tls_backend_preconfigured(self.inner.tls.clone())
            .dns_resolver(Guarded {
                guard: self.inner.guard.clone(),
                port,
            })
            .user_agent(&options.user_agent)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .http1_only()
            .referer(false)
            .pool_max_idle_per_host(0)
            .connect_timeout(options.connect_timeout)
            .read_timeout(options.idle_timeout)
            .build()
    }

    /// Reads the body as far as it counts, and says what the response means.
    async fn read(&self, mut response: reqwest::Response) -> Result<Found, Cause> {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let limit = self.inner.options.body_limit;
        // Only the body of a file is of interest, and of that no more than is parsed.
        let is_file = abide::rep::Access::from_status(status) == abide::rep::Access::Rules;
        let body = if is_file {
            body(&mut response, limit).await?
        } else {
            Vec::new()
        };
        let fields: Vec<Field<'_>> = fields(&headers);
        let media_type = headers
            .get(reqwest::header::CONTENT_TYPE)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let is_cut = body.len() > limit;
        let times = (self.asked, now());
        Ok(Found {
            event: Event::response(status, &fields, body, times, &self.inner.settings),
            is_cut,
            media_type,
        })
    }
}

/// Octets that are read of a body as it is sent.
const MOST_SENT: usize = 1 << 20;

/// The body of a response, unpacked, as far as `limit`, and one octet more if there is one. A body that cannot
/// be unpacked is none: its octets would be read as a file without a rule.
async fn body(response: &mut reqwest::Response, limit: usize) -> Result<Vec<u8>, Cause> {
    let coding = coding(response.headers())?;
    let most = match coding {
        Coding::Identity => limit.saturating_add(1),
        Coding::Gzip => MOST_SENT.max(limit),
    };
    let mut body = Vec::new();
    while body.len() < most {
        match response.chunk().await {
            Ok(Some(chunk)) => {
                let room = most.saturating_sub(body.len());
                body.extend(chunk.iter().copied().take(room));
            }
            Ok(None) => break,
            Err(error) if error.is_timeout() => return Err(Cause::Timeout),
            Err(_) => return Err(Cause::Truncated),
        }
    }
    if coding == Coding::Identity {
        return Ok(body);
    }
    let mut unpacked = Vec::new();
    let most = u64::try_from(limit.saturating_add(1)).unwrap_or(u64::MAX);
    let mut packed = flate2::read::MultiGzDecoder::new(&*body).take(most);
    packed
        .read_to_end(&mut unpacked)
        .map_err(|_| Cause::Truncated)?;
    Ok(unpacked)
}

/// How a body is packed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coding {
    Identity,
    Gzip,
}

/// How a response says that its body is packed and framed; any way but a plain one, and one layer of gzip, is
/// more than can be read.
fn coding(headers: &HeaderMap) -> Result<Coding, Cause> {
    let words = |name: HeaderName| -> Vec<String> {
        let values = headers.get_all(name).iter();
        let text =
            values.map(|value| String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase());
        text.collect::<Vec<_>>()
            .join(",")
            .split(',')
            .map(|word| word.trim().to_owned())
            .filter(|word| !word.is_empty())
            .collect()
    };
    let framing = words(TRANSFER_ENCODING);
    let framed =
        framing.is_empty() || (framing == ["chunked"] && !headers.contains_key(CONTENT_LENGTH));
    if !framed || headers.contains_key(CONTENT_RANGE) {
        return Err(Cause::Network);
    }
    match words(CONTENT_ENCODING).as_slice() {
        [] => Ok(Coding::Identity),
        [only] if only == "identity" => Ok(Coding::Identity),
        [only] if only == "gzip" || only == "x-gzip" => Ok(Coding::Gzip),
        _ => Err(Cause::Network),
    }
}

fn fields(headers: &HeaderMap) -> Vec<Field<'_>> {
    let pairs = headers.iter();
    pairs
        .map(|(name, value)| Field::new(name.as_str(), value.as_bytes()))
        .collect()
}

/// A resolver that gives only addresses that may be connected to.
struct Guarded {
    guard: Guard,
    port: u16,
}

/// A name without a single address that may be connected to.
#[derive(Debug, Error)]
#[error("{0}")]
struct NoAddress(Refused);

/// A name that does not resolve.
#[derive(Debug, Error)]
#[error("the name did not resolve: {0}")]
struct NoName(std::io::Error);

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let (guard, port) = (self.guard.clone(), self.port);
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), port)).await;
            let found = found.map_err(NoName)?;
            let (mut kept, mut refused) = (Vec::new(), None);
            for address in found {
                match guard.check(address.ip(), port) {
                    Ok(()) => kept.push(address),
                    Err(reason) => refused = Some(reason),
                }
            }
            match refused {
                Some(reason) if kept.is_empty() => Err(NoAddress(reason).into()),
                _ => Ok(Box::new(kept.into_iter()) as Addrs),
            }
        })
    }
}

/// Which failure of the network an error is, and the error in words, without the URL.
fn cause(error: &reqwest::Error) -> (Cause, String) {
    let mut told = String::new();
    let mut found = None;
    let mut source: Option<&(dyn Error + 'static)> = error.source();
    while let Some(inner) = source {
        told = inner.to_string();
        if inner.is::<NoAddress>() {
            found = Some(Cause::Refused);
        } else if inner.is::<NoName>() {
            found = Some(Cause::Dns);
        } else if inner.is::<rustls::Error>() {
            found = Some(Cause::Tls);
        } else if let Some(io) = inner.downcast_ref::<std::io::Error>() {
            let within = is_tls(io);
            found = found.or(within.then_some(Cause::Tls));
        }
        source = inner.source();
    }
    let cause = match found {
        Some(cause) => cause,
        None if error.is_timeout() => Cause::Timeout,
        None if error.is_connect() => Cause::Connect,
        None => Cause::Network,
    };
    (cause, told)
}

/// Whether an error of the system was made of one of TLS; it may stand inside of several.
fn is_tls(error: &std::io::Error) -> bool {
    error.get_ref().is_some_and(|inner| {
        inner.is::<rustls::Error>() || inner.downcast_ref::<std::io::Error>().is_some_and(is_tls)
    })
}

/// The clock's instant.
#[must_use]
pub fn now() -> Moment {
    #[expect(
        clippy::disallowed_methods,
        reason = "the client lives in real time; the machine does not"
    )]
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since.map_or(0, |since| since.as_secs());
    Moment::from_unix_seconds(i64::try_from(seconds).unwrap_or(i64::MAX))
}
