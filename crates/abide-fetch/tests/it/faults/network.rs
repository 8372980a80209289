//! Networks in memory: names from a table, connections to a server that is a function, and a record
//! of what was asked of both. Also the system's own connections, counted.

use abide_fetch::http::{BoxFuture, Connector, LookupPermit, Resolver, Stream, SystemConnector};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, ReadBuf};
use tokio::time::Instant;

type Answers = Arc<dyn Fn(&str, usize) -> io::Result<Vec<IpAddr>> + Send + Sync>;

/// Names whose nth answer is computed by a function.
#[derive(Clone)]
pub(super) struct Names {
    answers: Answers,
    counts: Arc<Mutex<HashMap<String, usize>>>,
    pub(super) asked: Arc<Mutex<Vec<String>>>,
}

impl std::fmt::Debug for Names {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Names")
    }
}

impl Names {
    pub(super) fn by(
        answers: impl Fn(&str, usize) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            answers: Arc::new(answers),
            counts: Arc::default(),
            asked: Arc::default(),
        }
    }

    /// Every name has these addresses.
    pub(super) fn all(addresses: &[&str]) -> Self {
        let addresses = ips(addresses);
        Self::by(move |_, _| Ok(addresses.clone()))
    }

    pub(super) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Resolver for Names {
    fn resolve<'a>(
        &'a self,
        name: &'a str,
        _: LookupPermit,
    ) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        self.asked.lock().unwrap().push(name.to_owned());
        let nth = {
            let mut counts = self.counts.lock().unwrap();
            let count = counts.entry(name.to_owned()).or_default();
            *count += 1;
            *count - 1
        };
        let found = (self.answers)(name, nth);
        Box::pin(async move { found })
    }
}

pub(super) fn ips(addresses: &[&str]) -> Vec<IpAddr> {
    let parse = |address: &&str| address.parse().unwrap();
    addresses.iter().map(parse).collect()
}

/// The result of an attempt to connect.
pub(super) enum Attempt {
    Refused,
    /// The system fails with this error.
    Failed(io::Error),
    Silent,
    Served,
}

type Attempts = Arc<dyn Fn(SocketAddr) -> Attempt + Send + Sync>;
type Serving = Arc<dyn Fn(SocketAddr, &str) -> Vec<u8> + Send + Sync>;

/// Connections within the process, to servers that are a function of address and request.
#[derive(Clone)]
pub(super) struct Servers {
    attempts: Attempts,
    serving: Serving,
    takes: Duration,
    pub(super) log: Arc<Mutex<Vec<(SocketAddr, Instant)>>>,
    pub(super) requests: Arc<Mutex<Vec<String>>>,
}

impl std::fmt::Debug for Servers {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Servers")
    }
}

impl Servers {
    pub(super) fn by(
        serving: impl Fn(SocketAddr, &str) -> Vec<u8> + Send + Sync + 'static,
    ) -> Self {
        Self {
            attempts: Arc::new(|_| Attempt::Served),
            serving: Arc::new(serving),
            takes: Duration::ZERO,
            log: Arc::default(),
            requests: Arc::default(),
        }
    }

    pub(super) fn saying(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self::by(move |_, _| bytes.clone())
    }

    /// Servers with attempts to connect that may fail.
    pub(super) fn trying(
        self,
        attempts: impl Fn(SocketAddr) -> Attempt + Send + Sync + 'static,
    ) -> Self {
        Self {
            attempts: Arc::new(attempts),
            ..self
        }
    }

    /// Delays each answer by `takes`.
    pub(super) fn taking(self, takes: Duration) -> Self {
        Self { takes, ..self }
    }

    /// The addresses of all connections, in order.
    pub(super) fn connected(&self) -> Vec<SocketAddr> {
        let log = self.log.lock().unwrap();
        log.iter().map(|(address, _)| *address).collect()
    }

    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

impl Connector for Servers {
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Stream>>> {
        self.log.lock().unwrap().push((address, Instant::now()));
        Box::pin(async move {
            match (self.attempts)(address) {
                Attempt::Refused => return Err(io::ErrorKind::ConnectionRefused.into()),
                Attempt::Failed(error) => return Err(error),
                Attempt::Silent => std::future::pending().await,
                Attempt::Served => {}
            }
            let (near, far) = tokio::io::duplex(64 << 10);
            tokio::spawn(serve(far, address, self.clone()));
            let stream = Near::at(near, address);
            Ok(Box::new(stream) as Box<dyn Stream>)
        })
    }
}

async fn serve(mut far: DuplexStream, address: SocketAddr, servers: Servers) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match far.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    servers.requests.lock().unwrap().push(head.clone());
    if !servers.takes.is_zero() {
        tokio::time::sleep(servers.takes).await;
    }
    let _ = far.write_all(&(servers.serving)(address, &head)).await;
}

/// The client's end of a connection in memory, or of another stream with an address.
pub(super) struct Near<S> {
    bytes: S,
    address: SocketAddr,
    /// Number of bytes read from it.
    read: Arc<AtomicUsize>,
}

impl<S> Near<S> {
    pub(super) fn at(bytes: S, address: SocketAddr) -> Self {
        Self {
            bytes,
            address,
            read: Arc::default(),
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for Near<S> {
    fn peer(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Near<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.bytes).poll_read(context, buffer))?;
        self.read
            .fetch_add(buffer.filled().len() - before, Ordering::SeqCst);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Near<S> {
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

/// Connections of the system, with the number of bytes read from them.
#[derive(Clone, Debug, Default)]
pub(super) struct Counting {
    pub(super) read: Arc<AtomicUsize>,
    pub(super) connects: Arc<AtomicUsize>,
}

impl Connector for Counting {
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Stream>>> {
        self.connects.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            let near = Near {
                bytes: SystemConnector.connect(address).await?,
                address,
                read: Arc::clone(&self.read),
            };
            Ok(Box::new(near) as Box<dyn Stream>)
        })
    }
}
