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
use std::io::{self, IoSlice};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
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
/// After a connection cannot be accepted, because the process has too many files open.
const PAUSE: Duration = Duration::from_millis(50);

/// Accepts connections until the service drains, and answers what they ask.
pub(crate) async fn serve(
    app: &Arc<App>,
    listener: TcpListener,
    router: &Router,
    end: impl Future<Output = ()>,
) {
    let room = Arc::new(Semaphore::new(app.settings.limits.connections));
    let mut tasks = JoinSet::new();
    let mut end = pin!(end);
    loop {
        tokio::select! {
            biased;
            () = &mut end => break,
            Some(_) = tasks.join_next() => {}
            (stream, permit) = accepted(&listener, &room) => {
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
        match timeout(left, accepted(&listener, &room)).await {
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
    while let Some((stream, permit)) = accepted(&listener, &room).now_or_never() {
        tasks.spawn(answer(Arc::clone(app), stream, router.clone(), permit));
    }
    drop(listener);
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

/// The next connection, when there is room for it.
async fn accepted(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> (TcpStream, OwnedSemaphorePermit) {
    let permit = Arc::clone(room).acquire_owned().await;
    let permit = permit.expect("the semaphore is never closed");
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return (stream, permit),
            // The client has gone already, or the process has too many files open.
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                sleep(PAUSE).await;
            }
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
    let stream = Paced::new(stream, limits.body_timeout);
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

/// The name of a failure that no route has seen.
fn refusal(error: &hyper::Error) -> &'static str {
    if error.is_timeout() {
        "head-too-slow"
    } else if error.is_parse_too_large() {
        "head-too-large"
    } else if error.is_parse() {
        "invalid-http"
    } else {
        "connection-lost"
    }
}

/// A connection whose client has to take what is written within a time.
struct Paced {
    stream: TcpStream,
    patience: Duration,
    /// Until when the client has to take the next piece, while it takes none.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Paced {
    fn new(stream: TcpStream, patience: Duration) -> Self {
        Self {
            stream,
            patience,
            stalled: None,
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
        let patience = self.patience;
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
        Pin::new(&mut self.stream).poll_read(context, room)
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
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
