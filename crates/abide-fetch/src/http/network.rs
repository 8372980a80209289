//! The network of the client: DNS lookups and connections. Both are traits, so that tests,
//! simulations and operators can replace them.

use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::pin::Pin;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;

/// A boxed `Send` future.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

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
                (name.as_str(), 0).to_socket_addrs()
            });
            let found = found.await.map_err(io::Error::other)??;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// The system's TCP connections.
#[derive(Clone, Copy, Debug, Default)]
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
