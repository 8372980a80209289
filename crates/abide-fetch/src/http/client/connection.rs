//! Connects for one hop: resolves the name once, checks every address, connects to an allowed one,
//! and compares the peer's address with it before a byte is sent.

use super::concurrency::Permit;
use super::network::{LookupPermit, Stream};
use super::proxy::Proxy;
use super::{Failure, FetcherInner};
use crate::guard::AddressError;
use crate::stream::ByteStream;
use abide::rep::Cause;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use thiserror::Error;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::task::JoinSet;
use tokio::time::Instant;
use url::{Host, Url};

/// The largest number of addresses tried per name.
const MAX_ATTEMPTS: usize = 4;
/// How long to wait for one address before trying the next one in parallel (RFC 8305).
const STAGGER: Duration = Duration::from_millis(250);

/// The allowed addresses for a hop, in order.
pub(super) struct Route {
    pub(super) addresses: Vec<SocketAddr>,
}

impl Route {
    /// Resolves the host of `url` once, and keeps the addresses that the guard allows.
    pub(super) async fn to(
        url: &Url,
        lookup: LookupPermit,
        inner: &FetcherInner,
        until: Instant,
    ) -> Result<Self, Failure> {
        let port = url.port_or_known_default().unwrap_or_default();
        let found = match url.host() {
            Some(Host::Ipv4(address)) => vec![IpAddr::V4(address)],
            Some(Host::Ipv6(address)) => vec![IpAddr::V6(address)],
            Some(Host::Domain(name)) => resolve(name, lookup, inner, until).await?,
            None => return Err(without_host()),
        };
        let kept = inner.guard.filter(&found, port).map_err(Failure::from)?;
        Ok(Self::of(&kept, port))
    }

    /// Resolves the host of `proxy`, which the operator chose: the guard does not check it.
    pub(super) async fn to_proxy(
        proxy: &Proxy,
        lookup: LookupPermit,
        inner: &FetcherInner,
        until: Instant,
    ) -> Result<Self, Failure> {
        let found = match &proxy.host {
            Host::Ipv4(address) => vec![IpAddr::V4(*address)],
            Host::Ipv6(address) => vec![IpAddr::V6(*address)],
            Host::Domain(name) => addresses_of(name, lookup, inner, until).await?,
        };
        Ok(Self::of(&found, proxy.port))
    }

    fn of(found: &[IpAddr], port: u16) -> Self {
        let addresses = interleaved(found).map(|ip| SocketAddr::new(ip, port));
        Self {
            addresses: addresses.take(MAX_ATTEMPTS).collect(),
        }
    }
}

/// Checks what a URL says about the site that a proxy will connect to.
pub(super) fn check_target(url: &Url, inner: &FetcherInner) -> Result<(), Failure> {
    let port = url.port_or_known_default().unwrap_or_default();
    let checked = match url.host() {
        Some(Host::Ipv4(address)) => inner.guard.filter(&[IpAddr::V4(address)], port).map(drop),
        Some(Host::Ipv6(address)) => inner.guard.filter(&[IpAddr::V6(address)], port).map(drop),
        Some(Host::Domain(name)) => inner.guard.name(name).map(drop),
        None => return Err(without_host()),
    };
    checked.map_err(Failure::from)
}

fn without_host() -> Failure {
    Failure::new(Cause::BadRedirect, "the URL has no host")
}

async fn resolve(
    name: &str,
    lookup: LookupPermit,
    inner: &FetcherInner,
    until: Instant,
) -> Result<Vec<IpAddr>, Failure> {
    let checked = inner.guard.name(name).map_err(Failure::from)?;
    addresses_of(&checked, lookup, inner, until).await
}

async fn addresses_of(
    name: &str,
    lookup: LookupPermit,
    inner: &FetcherInner,
    until: Instant,
) -> Result<Vec<IpAddr>, Failure> {
    let within = earlier(until, inner.options.name_timeout);
    let found = tokio::time::timeout_at(within, inner.resolver.resolve(name, lookup)).await;
    match found {
        Ok(Ok(found)) if found.is_empty() => {
            Err(Failure::new(Cause::Dns, "the name has no address"))
        }
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => Err(Failure::of_system(Cause::Dns, &error)),
        Err(_) => Err(Failure::new(
            Cause::Dns,
            "the name was not resolved in time",
        )),
    }
}

/// Alternates between IPv4 and IPv6, so that a family that does not work costs only one attempt.
fn interleaved(addresses: &[IpAddr]) -> impl Iterator<Item = IpAddr> {
    let first_is_v6 = addresses.first().is_some_and(IpAddr::is_ipv6);
    let (mut first, mut second): (Vec<_>, Vec<_>) = addresses
        .iter()
        .partition(|address| address.is_ipv6() == first_is_v6);
    first.reverse();
    second.reverse();
    let mut turn = false;
    std::iter::from_fn(move || {
        turn = !turn;
        if turn {
            first.pop().or_else(|| second.pop())
        } else {
            second.pop().or_else(|| first.pop())
        }
    })
}

/// The earlier of `until` and `within` from now.
pub(super) fn earlier(until: Instant, within: Duration) -> Instant {
    Instant::now()
        .checked_add(within)
        .map_or(until, |end| end.min(until))
}

/// A connection, the address of its peer, and its permit.
pub(super) struct OpenConnection {
    pub(super) stream: Box<dyn Stream>,
    pub(super) address: SocketAddr,
    pub(super) place: Permit<IpAddr>,
}

/// Waits for a permit for `address`, however it is written.
pub(super) async fn place(address: SocketAddr, inner: &FetcherInner) -> Permit<IpAddr> {
    inner.at_address.take(address.ip().to_canonical()).await
}

/// Connects to the first address of the route that responds, trying a second one if the first takes
/// long. The peer's address must be the requested one. `first` is a permit for the first address.
pub(super) async fn dial(
    route: &Route,
    mut first: Option<Permit<IpAddr>>,
    inner: &Arc<FetcherInner>,
    until: Instant,
) -> Result<OpenConnection, Failure> {
    let mut left = route.addresses.iter().copied().peekable();
    let mut attempts = JoinSet::new();
    let mut failure = Failure::new(Cause::Connect, "the name has no address");
    loop {
        if let Some(address) = left.next() {
            let (inner, place) = (Arc::clone(inner), first.take());
            attempts.spawn(async move { attempt(address, place, &inner, until).await });
        }
        tokio::select! {
            done = attempts.join_next() => match done {
                Some(Ok(Ok(connected))) => return Ok(connected),
                // Whether an address answers that could not be tried is not known.
                Some(Ok(Err(failed))) => {
                    if failed.is_local || !failure.is_local {
                        failure = failed;
                    }
                }
                Some(Err(broken)) => failure = Failure::new(Cause::Network, &broken.to_string()),
                None => return Err(failure),
            },
            () = tokio::time::sleep(STAGGER), if left.peek().is_some() => {}
        }
        if attempts.is_empty() && left.peek().is_none() {
            return Err(failure);
        }
    }
}

async fn attempt(
    address: SocketAddr,
    taken: Option<Permit<IpAddr>>,
    inner: &FetcherInner,
    until: Instant,
) -> Result<OpenConnection, Failure> {
    let place = match taken {
        Some(place) => place,
        None => tokio::time::timeout_at(until, place(address, inner))
            .await
            .map_err(|_| Failure::new(Cause::Timeout, "no place at the address in time"))?,
    };
    let within = earlier(until, inner.options.connect_timeout);
    let stream = tokio::time::timeout_at(within, inner.connector.connect(address)).await;
    let stream = stream
        .map_err(|_| Failure::new(Cause::Timeout, "no connection in time"))?
        .map_err(|error| unconnected(address, &error))?;
    let peer = stream
        .peer()
        .map_err(|error| unconnected(address, &error))?;
    if (peer.ip().to_canonical(), peer.port()) != (address.ip().to_canonical(), address.port()) {
        let message = format!("{peer} answered for {address}");
        return Err(Failure::new(Cause::Refused, &message));
    }
    Ok(OpenConnection {
        stream,
        address,
        place,
    })
}

/// Why there is no connection to `address`. A machine without IPv6 has no own address for it: that
/// does not change with the next attempt, as it does where all ports are taken.
fn unconnected(address: SocketAddr, error: &io::Error) -> Failure {
    let failure = Failure::of_system(Cause::Connect, error);
    let has_no_ipv6 = address.is_ipv6() && error.kind() == io::ErrorKind::AddrNotAvailable;
    Failure {
        is_local: failure.is_local && !has_no_ipv6,
        ..failure
    }
}

/// Wraps `stream` in TLS if the URL is https. Never falls back to http.
pub(super) async fn secured(
    stream: Box<dyn Stream>,
    url: &Url,
    inner: &FetcherInner,
    until: Instant,
) -> Result<Box<dyn ByteStream>, Failure> {
    if url.scheme() != "https" {
        return Ok(Box::new(stream));
    }
    let tls = |message: &str| Failure::new(Cause::Tls, message);
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_matches(['[', ']']);
    let host = host.strip_suffix('.').unwrap_or(host);
    let name = ServerName::try_from(host.to_owned()).map_err(|error| tls(&error.to_string()))?;
    let connector = tokio_rustls::TlsConnector::from(Arc::clone(&inner.tls));
    let within = earlier(until, inner.options.connect_timeout);
    let secured = tokio::time::timeout_at(within, connector.connect(name, stream)).await;
    let secured = secured
        .map_err(|_| Failure::new(Cause::Timeout, "no secure connection in time"))?
        .map_err(|error| tls(&error.to_string()))?;
    Ok(Box::new(secured))
}

/// The largest size in bytes of all heads of a response together: interim ones and the final one.
pub(super) const MAX_HEAD_BYTES: usize = 64 << 10;
/// The largest number of interim responses before the final one.
const MAX_INTERIM_RESPONSES: usize = 10;

/// The error for a used-up budget. It has its own type because the system can return errors of
/// every kind.
#[derive(Debug, Error)]
#[error("the response is longer than abide reads")]
pub(super) struct OverBudget;

/// How many bytes may still be read from a connection. Shared between the reader of the response
/// and the wire.
#[derive(Debug)]
pub(super) struct Budget {
    left: AtomicUsize,
    interim: AtomicUsize,
}

impl Budget {
    pub(super) fn of_heads() -> Arc<Self> {
        Arc::new(Self {
            // The first reads bring part of the body together with the head.
            left: AtomicUsize::new(MAX_HEAD_BYTES.saturating_add(16 << 10)),
            interim: AtomicUsize::new(0),
        })
    }

    /// Called after the head: allows `bytes` more from now on.
    pub(super) fn of_body(&self, bytes: usize) {
        self.left.store(bytes, Ordering::Release);
    }

    pub(super) fn count_interim(&self) {
        self.interim.fetch_add(1, Ordering::AcqRel);
        if self.has_too_many_interim() {
            self.left.store(0, Ordering::Release);
        }
    }

    /// Whether there are too many interim responses. One read can bring several at once, before the
    /// wire can count them.
    pub(super) fn has_too_many_interim(&self) -> bool {
        self.interim.load(Ordering::Acquire) > MAX_INTERIM_RESPONSES
    }

    fn spend(&self, bytes: usize) -> io::Result<()> {
        let spent = self
            .left
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| {
                left.checked_sub(bytes)
            });
        spent.map(drop).map_err(|_| io::Error::other(OverBudget))
    }
}

/// The bytes of a connection, up to the budget; refuses a response that does not begin like HTTP.
pub(super) struct Wire {
    bytes: TokioIo<Box<dyn ByteStream>>,
    budget: Arc<Budget>,
    began: bool,
}

impl Wire {
    pub(super) fn new(bytes: Box<dyn ByteStream>, budget: Arc<Budget>) -> Self {
        Self {
            bytes: TokioIo::new(bytes),
            budget,
            began: false,
        }
    }
}

impl Read for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut cursor: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        // Copies a part at a time, because the cursor's own memory may be uninitialised. The part
        // is small because this also is how much is read of the body of a redirect or an error,
        // which arrives with the head.
        let mut part = [0; 4_096];
        let room = cursor.remaining().min(part.len());
        let mut buffer = ReadBuf::new(part.get_mut(..room).unwrap_or_default());
        let wire = self.as_mut().get_mut();
        ready!(Pin::new(wire.bytes.inner_mut()).poll_read(context, &mut buffer))?;
        let read = buffer.filled();
        wire.budget.spend(read.len())?;
        if let (false, Some(first)) = (wire.began, read.first()) {
            if *first != b'H' {
                let message = "the answer does not begin as HTTP/1 does";
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, message)));
            }
            wire.began = true;
        }
        cursor.put_slice(read);
        Poll::Ready(Ok(()))
    }
}

impl Write for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.bytes).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.bytes).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.bytes).poll_shutdown(context)
    }
}

impl From<AddressError> for Failure {
    fn from(refused: AddressError) -> Self {
        Self::new(Cause::Refused, &refused.to_string())
    }
}
