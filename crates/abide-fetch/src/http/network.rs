//! The network of the client: DNS lookups and connections. Both are traits, so that tests,
//! simulations and operators can replace them.

use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::pin::Pin;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;

/// A boxed `Send` future.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Makes addresses of names. It is asked once for a hop, and what it says is judged by the guard
/// before anything is connected to.
pub trait Resolver: Debug + Send + Sync {
    /// The addresses of `name`, in the order in which they should be tried. `lookup` is a place
    /// among all that go on at a time: it is kept for as long as the work goes on, also when nobody
    /// waits for it any more.
    ///
    /// # Errors
    /// Whatever kept it from an answer. No address at all is a failure too.
    fn resolve<'a>(
        &'a self,
        name: &'a str,
        lookup: LookupPermit,
    ) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// A place among the lookups of names that go on at a time; somebody else's when it is dropped.
#[derive(Debug)]
pub struct LookupPermit {
    _place: Option<OwnedSemaphorePermit>,
}

impl LookupPermit {
    pub(super) const fn new(place: Option<OwnedSemaphorePermit>) -> Self {
        Self { _place: place }
    }
}

/// Connects to addresses that the guard let through.
pub trait Connector: Debug + Send + Sync {
    /// A connection to `address`, and to no other.
    ///
    /// # Errors
    /// Whatever kept it from one.
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Stream>>>;
}

/// A connection, which knows the other side's address.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {
    /// The address of the other side.
    ///
    /// # Errors
    /// Where there is none any more.
    fn peer(&self) -> io::Result<SocketAddr>;
}

impl Stream for TcpStream {
    fn peer(&self) -> io::Result<SocketAddr> {
        self.peer_addr()
    }
}

/// The resolver of the system. Each lookup has a thread of its own while it lasts.
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
                // A lookup that nobody waits for any more still holds its thread, and so its place.
                let _lookup = lookup;
                (name.as_str(), 0).to_socket_addrs()
            });
            let found = found.await.map_err(io::Error::other)??;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Connections of the system.
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
