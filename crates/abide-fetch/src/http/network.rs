//! The network of the client: DNS lookups and connections. Both are traits, so that tests,
//! simulations and operators can replace them.

use crate::future::BoxFuture;
use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;

/// Looks up the addresses of names. It is called once per hop, and the guard checks its addresses
/// before anything connects.
pub trait Resolver: Debug + Send + Sync {
    /// The addresses of `name`, in the order in which to try them. `lookup` is a permit for one
    /// concurrent lookup: keep it until the work ends, even if the future is dropped.
    ///
    /// # Errors
    /// The reason of the failure. No address is a failure too.
    fn resolve<'a>(
        &'a self,
        name: &'a str,
        lookup: LookupPermit,
    ) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

impl<R: Resolver + ?Sized> Resolver for Arc<R> {
    fn resolve<'a>(
        &'a self,
        name: &'a str,
        lookup: LookupPermit,
    ) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        (**self).resolve(name, lookup)
    }
}

/// A permit for one concurrent DNS lookup; dropping it releases the permit.
#[derive(Debug)]
pub struct LookupPermit {
    _place: Option<OwnedSemaphorePermit>,
}

impl LookupPermit {
    pub(super) const fn new(place: Option<OwnedSemaphorePermit>) -> Self {
        Self { _place: place }
    }
}

/// Connects to addresses that the guard allowed.
pub trait Connector: Debug + Send + Sync {
    /// Connects to `address`, and to no other.
    ///
    /// # Errors
    /// The reason of the failure.
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Stream>>>;
}

/// A connection that knows its peer's address.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {
    /// The address of the peer.
    ///
    /// # Errors
    /// If the connection is closed.
    fn peer(&self) -> io::Result<SocketAddr>;
}

impl Stream for TcpStream {
    fn peer(&self) -> io::Result<SocketAddr> {
        self.peer_addr()
    }
}

/// The resolver of the system. Each lookup uses a thread while it runs.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve<'a>(
        &'a self,
        name: &'a str,
        lookup: LookupPermit,
    ) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let name = name.to_owned();
            let found = tokio::task::spawn_blocking(move || {
                // A lookup whose caller has gone still uses its thread, so it keeps its permit.
                let _lookup = lookup;
                (name.as_str(), 0).to_socket_addrs().map_err(why_not_found)
            });
            let found = found.await.map_err(io::Error::other)??;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Why a lookup failed. Without a descriptor for its own socket, the system's resolver says the
/// same as if no name server answered.
pub(super) fn why_not_found(error: io::Error) -> io::Error {
    match UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)) {
        Err(local) if is_local(&local) => local,
        _ => error,
    }
}

/// Whether an error says that this machine has no file descriptor, memory, buffer or port left, and
/// nothing about the peer.
pub(super) fn is_local(error: &io::Error) -> bool {
    /// No descriptor left: in the process, in the system.
    const EMFILE: [i32; 2] = [24, 23];
    const ENOBUFS: i32 = if cfg!(target_os = "linux") { 105 } else { 55 };
    let is_of_kind = matches!(
        error.kind(),
        io::ErrorKind::OutOfMemory | io::ErrorKind::AddrNotAvailable
    );
    let is_of_system = cfg!(unix)
        && error
            .raw_os_error()
            .is_some_and(|number| EMFILE.contains(&number) || number == ENOBUFS);
    is_of_kind || is_of_system
}

/// The system's TCP connections.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct SystemConnector;

impl Connector for SystemConnector {
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Stream>>> {
        Box::pin(async move {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            Ok(Box::new(stream) as Box<dyn Stream>)
        })
    }
}
