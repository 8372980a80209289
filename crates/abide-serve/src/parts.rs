//! Answers that are sent while they are written: no long answer is in memory as a whole.

use crate::workers::Desk;
use axum::body::{Body, Bytes};
use futures_util::Stream;
use std::io::{self, Write};
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc;

/// How many bytes of an answer wait in memory before they are sent.
const PART: usize = 512 << 10;
/// How many parts may wait for the client. What fits is written without waiting.
const WAITING: usize = 2;

/// The writing end, for a thread that may block.
#[derive(Debug)]
pub(crate) struct PartWriter {
    text: Vec<u8>,
    parts: mpsc::Sender<Bytes>,
    /// Where the worker is. It leaves when the client is slower than the thread.
    desk: Desk,
}

/// The parts of an answer, in order.
#[derive(Debug)]
pub(crate) struct Parts(mpsc::Receiver<Bytes>);

/// Both ends of an answer.
pub(crate) fn parts(desk: Desk) -> (PartWriter, Parts) {
    let (sender, receiver) = mpsc::channel(WAITING);
    let writer = PartWriter {
        text: Vec::new(),
        parts: sender,
        desk,
    };
    (writer, Parts(receiver))
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
        let part = Bytes::from(mem::take(&mut self.text));
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        match self.parts.try_send(part) {
            Ok(()) => Ok(()),
            Err(mpsc::error::TrySendError::Closed(_)) => Err(gone()),
            Err(mpsc::error::TrySendError::Full(part)) => {
                self.desk.leave();
                self.parts.blocking_send(part).map_err(|_| gone())
            }
        }
    }
}

impl Write for PartWriter {
    /// Fails if nobody wants more.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    /// Fails if nobody wants more.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.text.extend_from_slice(bytes);
        if self.text.len() >= PART {
            self.send()?;
        }
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
        self.0.poll_recv(context).map(|part| part.map(Ok))
    }
}
