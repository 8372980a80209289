//! Answers that are sent while they are written. What the client has not taken yet waits in the
//! memory for what is on its way. If that is used up, the writer waits for the client.

use crate::in_flight::{HeldMemory, InFlight, Kept, TOO_MANY};
use crate::state::App;
use crate::workers::Desk;
use axum::body::{Body, Bytes};
use futures_util::Stream;
use std::io::{self, Write};
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::sync::mpsc;

/// How many bytes of an answer are sent at once.
const PART: usize = 64 << 10;
/// How many parts of an answer may wait for the client when no memory is left. So every answer can
/// go on.
const OWN: usize = 2;

/// The writing end, for a thread that may block.
#[derive(Debug)]
pub(crate) struct PartWriter {
    app: Arc<App>,
    caller: Arc<str>,
    text: Vec<u8>,
    parts: mpsc::UnboundedSender<Bytes>,
    own: Arc<OwnRoom>,
    /// Where the worker is. It leaves when the client is slower than the thread.
    desk: Desk,
}

/// The parts of an answer, in order.
#[derive(Debug)]
pub(crate) struct Parts {
    parts: mpsc::UnboundedReceiver<Bytes>,
    own: Arc<OwnRoom>,
}

/// What an answer may keep when no memory is left.
#[derive(Debug, Default)]
struct OwnRoom {
    state: Mutex<OwnState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct OwnState {
    /// How many parts are kept.
    parts: usize,
    /// Whether nobody wants the answer any more.
    is_unwanted: bool,
}

impl OwnRoom {
    /// Takes room for one part: now, or with `waits` when there is some. `None` if there is none,
    /// or nobody wants the answer any more.
    fn take(self: &Arc<Self>, waits: bool) -> Option<OwnPart> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.parts >= OWN && !state.is_unwanted && waits {
            let changed = self.changed.wait(state);
            state = changed.unwrap_or_else(PoisonError::into_inner);
        }
        if state.parts >= OWN || state.is_unwanted {
            return None;
        }
        state.parts += 1;
        Some(OwnPart(Arc::clone(self)))
    }

    fn change(&self, change: impl FnOnce(&mut OwnState)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}

/// Room for one part, until it is dropped.
#[derive(Debug)]
struct OwnPart(Arc<OwnRoom>);

impl Drop for OwnPart {
    fn drop(&mut self) {
        self.0.change(|state| state.parts -= 1);
    }
}

/// What keeps the room of a part until its bytes are sent.
#[derive(Debug)]
enum Room {
    Counted(#[expect(dead_code, reason = "held")] HeldMemory),
    Own(#[expect(dead_code, reason = "held")] OwnPart),
}

/// Both ends of an answer.
pub(crate) fn parts(app: &Arc<App>, caller: &Arc<str>, desk: Desk) -> (PartWriter, Parts) {
    let (sender, parts) = mpsc::unbounded_channel();
    let own = Arc::<OwnRoom>::default();
    let writer = PartWriter {
        app: Arc::clone(app),
        caller: Arc::clone(caller),
        text: Vec::new(),
        parts: sender,
        own: Arc::clone(&own),
        desk,
    };
    (writer, Parts { parts, own })
}

impl PartWriter {
    /// Waits until nobody wants the answer any more.
    pub(crate) fn gone(&self) -> impl Future<Output = ()> + Send + use<> {
        let parts = self.parts.clone();
        async move { parts.closed().await }
    }

    /// Sends what is left. Fails if nobody wants it.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.send()
    }

    fn send(&mut self) -> io::Result<()> {
        if self.text.is_empty() {
            return Ok(());
        }
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        if self.parts.is_closed() {
            return Err(gone());
        }
        let room = self.room().ok_or_else(gone)?;
        let part = Bytes::from_owner(Kept(mem::take(&mut self.text), room));
        self.parts.send(part).map_err(|_| gone())
    }

    /// Room for the next part. `None` if nobody wants it, or too many wait for their clients.
    fn room(&mut self) -> Option<Room> {
        let in_flight: &InFlight = &self.app.in_flight;
        if let Some(counted) = in_flight.count(&self.caller, self.text.capacity()) {
            return Some(Room::Counted(counted));
        }
        if let Some(own) = self.own.take(false) {
            return Some(Room::Own(own));
        }
        let Some(_waiting) = in_flight.wait(&self.caller) else {
            self.app.counts.problem(TOO_MANY);
            tracing::warn!("an answer was cut: no memory is left, and its client does not read");
            return None;
        };
        self.desk.leave();
        self.own.take(true).map(Room::Own)
    }
}

impl Write for PartWriter {
    /// Fails if nobody wants more.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    /// Fails if nobody wants more.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.text.len() + bytes.len() > PART {
            self.send()?;
        }
        self.text.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Parts {
    /// The parts as a body.
    pub(crate) fn into_body(self) -> Body {
        Body::from_stream(self)
    }
}

impl Stream for Parts {
    type Item = Result<Bytes, io::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.parts.poll_recv(context).map(|part| part.map(Ok))
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        self.own.change(|state| state.is_unwanted = true);
    }
}
