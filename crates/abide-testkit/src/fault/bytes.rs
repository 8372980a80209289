//! A server of raw bytes: it follows its script step by step and records what it receives.

use super::{Stop, listen, serve};
use rustls::ServerConfig;
use socket2::SockRef;
use std::collections::HashMap;
use std::net::{Shutdown, SocketAddr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// One step of a server's script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Reads to the end of a request head.
    ReadHead,
    /// Sends these bytes.
    Send(Vec<u8>),
    /// Sends these bytes the given number of times; without a number, for as long as the client
    /// accepts them.
    Repeat(Vec<u8>, Option<u64>),
    /// Sends these bytes in pieces of the given size, and waits before each piece.
    Drip(Vec<u8>, usize, Duration),
    /// Waits.
    Sleep(Duration),
    /// Closes the sending half of the connection and continues.
    HalfClose,
    /// Closes the connection in order; with TLS, sends `close_notify`.
    Fin,
    /// Closes the TCP connection without `close_notify`; without TLS, equivalent to [`Step::Fin`].
    Cut,
    /// Resets the connection.
    Rst,
    /// Does nothing more and keeps the connection open.
    Hang,
}

impl Step {
    /// A step that sends these bytes.
    pub fn send(bytes: impl Into<Vec<u8>>) -> Self {
        Self::Send(bytes.into())
    }

    /// A step that sends these bytes for as long as the client accepts them.
    pub fn endless(bytes: impl Into<Vec<u8>>) -> Self {
        Self::Repeat(bytes.into(), None)
    }
}

/// What a script knows about a request when it chooses the steps.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'h> {
    /// The requested path.
    pub path: &'h str,
    /// How often the path was requested before.
    pub nth: usize,
    /// The request head as received.
    pub head: &'h str,
}

type StepChoice = Arc<dyn Fn(&Hit<'_>) -> Vec<Step> + Send + Sync>;

/// What a server does with each connection.
#[derive(Clone)]
pub struct Script {
    is_unread: bool,
    choice: StepChoice,
}

impl std::fmt::Debug for Script {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Script")
            .field("is_unread", &self.is_unread)
            .finish_non_exhaustive()
    }
}

impl Script {
    /// Reads a request and runs the steps that `choice` returns for it.
    pub fn by(choice: impl Fn(&Hit<'_>) -> Vec<Step> + Send + Sync + 'static) -> Self {
        Self {
            is_unread: false,
            choice: Arc::new(choice),
        }
    }

    /// Reads a request, whatever it is, and runs these steps.
    pub fn always(steps: impl Into<Vec<Step>>) -> Self {
        let steps = steps.into();
        Self::by(move |_| steps.clone())
    }

    /// Runs these steps at once, without reading anything.
    pub fn unread(steps: impl Into<Vec<Step>>) -> Self {
        Self {
            is_unread: true,
            ..Self::always(steps)
        }
    }

    /// Answers each request with these bytes and closes the connection.
    pub fn saying(bytes: impl Into<Vec<u8>>) -> Self {
        Self::always([Step::send(bytes), Step::Fin])
    }
}

#[derive(Debug, Default)]
struct SeenRequests {
    connections: AtomicUsize,
    accepted: AtomicU64,
    requests: Mutex<Vec<String>>,
    hits: Mutex<HashMap<String, usize>>,
}

/// A server of raw bytes that follows a [`Script`].
#[derive(Debug)]
pub struct ByteServer {
    address: SocketAddr,
    seen: Arc<SeenRequests>,
    _stop: Stop,
}

impl ByteServer {
    /// Starts a server on loopback.
    pub fn new(script: Script) -> Self {
        Self::at("127.0.0.1:0", None, script)
    }

    /// Starts a server with TLS on loopback.
    pub fn secure(tls: Arc<ServerConfig>, script: Script) -> Self {
        Self::at("127.0.0.1:0", Some(tls), script)
    }

    /// Starts a server at an address and port of this machine.
    pub fn at(address: &str, tls: Option<Arc<ServerConfig>>, script: Script) -> Self {
        let (listener, address) = listen(address);
        let seen = Arc::<SeenRequests>::default();
        let noted = Arc::clone(&seen);
        let stop = serve(move || accept(listener, tls, script, noted));
        Self {
            address,
            seen,
            _stop: stop,
        }
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A URL on this server.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The number of connections so far.
    pub fn connections(&self) -> usize {
        self.seen.connections.load(Ordering::SeqCst)
    }

    /// The number of bytes that clients, or the system on their behalf, have accepted.
    pub fn accepted(&self) -> u64 {
        self.seen.accepted.load(Ordering::SeqCst)
    }

    /// The heads of all requests, in order.
    pub fn requests(&self) -> Vec<String> {
        let requests = self.seen.requests.lock();
        requests.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn accept(
    listener: std::net::TcpListener,
    tls: Option<Arc<ServerConfig>>,
    script: Script,
    seen: Arc<SeenRequests>,
) {
    let listener = TcpListener::from_std(listener).expect("a listener of the runtime");
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        seen.connections.fetch_add(1, Ordering::SeqCst);
        // Send the bytes in the pieces of the script; the system would otherwise merge small ones.
        let _ = stream.set_nodelay(true);
        let (tls, script, seen) = (tls.clone(), script.clone(), Arc::clone(&seen));
        tokio::spawn(async move {
            match tls {
                None => act(stream, &script, &seen).await,
                Some(tls) => {
                    let acceptor = tokio_rustls::TlsAcceptor::from(tls);
                    if let Ok(stream) = acceptor.accept(stream).await {
                        act(stream, &script, &seen).await;
                    }
                }
            }
        });
    }
}

/// A connection, with access to the TCP stream beneath it.
trait ServedStream: AsyncRead + AsyncWrite + Unpin + Send {
    fn tcp(&self) -> &TcpStream;
}

impl ServedStream for TcpStream {
    fn tcp(&self) -> &TcpStream {
        self
    }
}

impl ServedStream for tokio_rustls::server::TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

async fn act(mut line: impl ServedStream, script: &Script, seen: &SeenRequests) {
    let head = if script.is_unread {
        String::new()
    } else {
        read_head(&mut line, seen).await
    };
    let path = head.split(' ').nth(1).unwrap_or_default();
    let nth = {
        let mut hits = seen.hits.lock().unwrap_or_else(PoisonError::into_inner);
        let hits = hits.entry(path.to_owned()).or_default();
        *hits += 1;
        *hits - 1
    };
    let steps = (script.choice)(&Hit {
        path,
        nth,
        head: &head,
    });
    for step in &steps {
        if take(step, &mut line, seen).await.is_err() {
            return;
        }
    }
}

/// Runs one step; an error ends the connection.
async fn take(
    step: &Step,
    line: &mut impl ServedStream,
    seen: &SeenRequests,
) -> std::io::Result<()> {
    match step {
        Step::ReadHead => drop(read_head(line, seen).await),
        Step::Send(bytes) => send(bytes, line, seen).await?,
        Step::Repeat(bytes, times) => {
            let mut left = times.unwrap_or(u64::MAX);
            while left > 0 {
                send(bytes, line, seen).await?;
                left -= 1;
            }
        }
        Step::Drip(bytes, at_a_time, wait) => {
            for part in bytes.chunks((*at_a_time).max(1)) {
                tokio::time::sleep(*wait).await;
                send(part, line, seen).await?;
            }
        }
        Step::Sleep(wait) => tokio::time::sleep(*wait).await,
        Step::HalfClose => line.shutdown().await?,
        Step::Fin => {
            line.shutdown().await?;
            drain(line).await;
        }
        Step::Cut => {
            SockRef::from(line.tcp()).shutdown(Shutdown::Write)?;
            drain(line).await;
        }
        Step::Rst => {
            SockRef::from(line.tcp()).set_linger(Some(Duration::ZERO))?;
            return Err(std::io::ErrorKind::ConnectionReset.into());
        }
        Step::Hang => std::future::pending().await,
    }
    Ok(())
}

async fn send(
    bytes: &[u8],
    line: &mut impl ServedStream,
    seen: &SeenRequests,
) -> std::io::Result<()> {
    line.write_all(bytes).await?;
    line.flush().await?;
    let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    seen.accepted.fetch_add(count, Ordering::SeqCst);
    Ok(())
}

/// Reads what still arrives: closing a connection with unread bytes sends a reset, not an orderly
/// close.
async fn drain(line: &mut impl ServedStream) {
    let mut bytes = [0; 1_024];
    let read = async { while line.read(&mut bytes).await.is_ok_and(|read| read > 0) {} };
    let _ = tokio::time::timeout(Duration::from_secs(2), read).await;
}

async fn read_head(line: &mut impl ServedStream, seen: &SeenRequests) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match line.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => break,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut requests = seen.requests.lock().unwrap_or_else(PoisonError::into_inner);
    requests.push(head.clone());
    head
}
