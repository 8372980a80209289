//! Connections of clients: how many, how slow, and how they end.

use crate::state::App;
use crate::tokens::{Peer, address_key};
use axum::Router;
use futures_util::FutureExt;
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::error::Error;
use std::io::{self, IoSlice};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{Instant, Sleep, sleep, timeout};
use tower::ServiceExt;

/// How long a client that keeps its connection may take to send what it began to send before it
/// could know that the service ends.
const LINGER: Duration = Duration::from_secs(1);
/// How long what a client still sends is read and dropped after the last answer. A connection that
/// is closed with unread bytes is reset, and the client may never see the answer: a proxy that
/// lets requests through while the service is down would then let this one through.
const UNREAD: Duration = Duration::from_secs(2);
/// How many bytes are dropped then.
const MAX_UNREAD_BYTES: usize = 4 << 20;
/// After a connection cannot be accepted, because the process has too many files open.
const PAUSE: Duration = Duration::from_millis(50);

/// How often it is logged that connections cannot be accepted.
const LOG_AGAIN: Duration = Duration::from_secs(10);

/// Accepts connections until the service drains, and answers what they ask.
pub(crate) async fn serve(
    app: &Arc<App>,
    listener: TcpListener,
    router: &Router,
    end: impl Future<Output = ()>,
) {
    let accepting = Accepting {
        app,
        listener,
        room: Arc::new(Semaphore::new(app.settings.limits.connections)),
        failures: Mutex::default(),
    };
    let mut tasks = JoinSet::new();
    let mut end = pin!(end);
    loop {
        tokio::select! {
            biased;
            () = &mut end => break,
            Some(_) = tasks.join_next() => {}
            (stream, permit) = accepting.next() => {
                tasks.spawn(answer(Arc::clone(app), stream, router.clone(), permit));
            }
        }
    }
    // Readiness first: whoever asks sees that the service ends, and sends requests elsewhere.
    app.draining.send_replace(true);
    let closing = Instant::now() + app.settings.drain_delay;
    tracing::info!("draining: requests in progress are answered");
    // Connections that the system has accepted are answered too.
    loop {
        let left = closing.saturating_duration_since(Instant::now()).max(PAUSE);
        match timeout(left, accepting.next()).await {
            Ok((stream, permit)) => {
                tasks.spawn(answer(Arc::clone(app), stream, router.clone(), permit));
            }
            Err(_) => break,
        }
        if Instant::now() > closing + LINGER {
            break;
        }
    }
    // What is still in the queue of the system would be reset.
    while let Some((stream, permit)) = accepting.next().now_or_never() {
        tasks.spawn(answer(Arc::clone(app), stream, router.clone(), permit));
    }
    drop(accepting);
    finish(app, tasks).await;
}

/// Waits for the connections, as long as they may take.
async fn finish(app: &App, mut tasks: JoinSet<()>) {
    let all = async { while tasks.join_next().await.is_some() {} };
    let mut all = pin!(all);
    if timeout(app.settings.grace, &mut all).await.is_ok() {
        return;
    }
    app.end_batches();
    if timeout(LINGER, all).await.is_err() {
        tracing::warn!("requests in progress were cut after the grace period");
    }
}

/// Accepts connections.
struct Accepting<'a> {
    app: &'a App,
    listener: TcpListener,
    /// Room for open connections.
    room: Arc<Semaphore>,
    failures: Mutex<AcceptFailures>,
}

/// Attempts to accept a connection that failed.
#[derive(Default)]
struct AcceptFailures {
    /// When they were last logged.
    logged: Option<Instant>,
    /// How many there were since.
    since: u64,
}

impl Accepting<'_> {
    /// The next connection, when there is room for it.
    async fn next(&self) -> (TcpStream, OwnedSemaphorePermit) {
        let permit = Arc::clone(&self.room).acquire_owned().await;
        let permit = permit.expect("the semaphore is never closed");
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => return (stream, permit),
                // The client has gone already, or the process has too many files open.
                Err(error) => {
                    self.failed(&error);
                    sleep(PAUSE).await;
                }
            }
        }
    }

    /// Counts a failure, and logs it unless there was one a moment ago.
    fn failed(&self, error: &io::Error) {
        self.app.counts.problem("not-accepted");
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.since += 1;
        if failures.logged.is_none_or(|at| at.elapsed() >= LOG_AGAIN) {
            let times = failures.since;
            tracing::warn!(%error, times, "connections could not be accepted; they wait");
            *failures = AcceptFailures {
                logged: Some(Instant::now()),
                since: 0,
            };
        }
    }
}

/// Answers the requests of a connection.
async fn answer(app: Arc<App>, stream: TcpStream, router: Router, _permit: OwnedSemaphorePermit) {
    let _ = stream.set_nodelay(true);
    let Ok(peer) = stream.peer_addr() else { return };
    let address = address_key(peer.ip());
    let peer = Peer {
        caller: app.callers.at(&address),
        address,
    };
    let router = router.map_request(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer.clone());
        request
    });
    app.counts.connections.increment(1);
    let limits = &app.settings.limits;
    let stream = Paced::new(stream, Arc::clone(&app));
    let mut draining = app.draining.subscribe();
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_timeout)
        .max_buf_size(limits.head)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = pin!(connection);
    let result = tokio::select! {
        result = &mut connection => result,
        () = lingered(&mut draining) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        let code = refusal(&error);
        app.counts.problem(code);
        if code == NOT_TAKEN {
            tracing::info!(
                code,
                "a connection was cut: its client did not read for body-timeout"
            );
        }
        tracing::debug!(code, %error, "a connection ended");
    }
    app.counts.connections.decrement(1);
}

/// Waits until the service drains and requests that were on their way are there. Until then, each
/// answer says that it is the last on its connection.
async fn lingered(draining: &mut tokio::sync::watch::Receiver<bool>) {
    let _ = draining.wait_for(|is_draining| *is_draining).await;
    sleep(LINGER).await;
}

/// The name of the failure of a client that does not read.
const NOT_TAKEN: &str = "answer-not-taken";

/// The name of a failure that no route has seen.
fn refusal(error: &hyper::Error) -> &'static str {
    let of_system = error
        .source()
        .and_then(|source| source.downcast_ref::<io::Error>());
    if of_system.is_some_and(|error| error.kind() == io::ErrorKind::TimedOut) {
        NOT_TAKEN
    } else if error.is_timeout() {
        "head-too-slow"
    } else if error.is_parse_too_large() {
        "head-too-large"
    } else if error.is_parse() {
        "invalid-http"
    } else {
        "connection-lost"
    }
}

/// A connection whose client has to take what is written within a time, and gets to read it before
/// the connection is closed.
struct Paced {
    stream: TcpStream,
    app: Arc<App>,
    /// Until when the client has to take the next piece, while it takes none.
    stalled: Option<Pin<Box<Sleep>>>,
    /// How much may still come after the last answer, and until when.
    unread: Option<(usize, Pin<Box<Sleep>>)>,
}

impl Paced {
    fn new(stream: TcpStream, app: Arc<App>) -> Self {
        Self {
            stream,
            app,
            stalled: None,
            unread: None,
        }
    }

    /// Reads and drops what the client still sends, within limits. Ready when it has seen the end.
    fn drop_unread(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let unread = || (MAX_UNREAD_BYTES, Box::pin(sleep(UNREAD)));
        let (room, end) = self.unread.get_or_insert_with(unread);
        let mut dropped = [0; 8 << 10];
        loop {
            if *room == 0 || self.app.is_draining() || end.as_mut().poll(context).is_ready() {
                return Poll::Ready(());
            }
            let mut buffer = ReadBuf::new(&mut dropped);
            match ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => {
                    *room = room.saturating_sub(buffer.filled().len());
                }
                Ok(()) | Err(_) => return Poll::Ready(()),
            }
        }
    }

    /// What to return for a write that returned `written`.
    fn paced(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let patience = self.app.settings.limits.body_timeout;
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(sleep(patience)));
        match stalled.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Paced {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        room: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = room.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, room);
        if room.filled().len() > before {
            // A client that sends is not gone, and some read only afterwards.
            self.stalled = None;
        }
        read
    }
}

impl AsyncWrite for Paced {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.paced(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.paced(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.unread.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
        }
        self.drop_unread(context).map(Ok)
    }
}
