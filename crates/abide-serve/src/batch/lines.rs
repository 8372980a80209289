//! The lines of a body, in chunks.

use crate::body::piece;
use crate::problem::Problem;
use crate::state::App;
use axum::body::{Body, Bytes};
use futures_util::FutureExt;
use std::iter;
use std::sync::Arc;
use tokio::time::{Instant, sleep_until};

/// A chunk is full with this many bytes. Its answers can be fifty times as long.
const CHUNK: usize = 32 << 10;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line with something on it.
    Whole,
    /// A line that is too long: none of its bytes are kept.
    TooLong,
}

/// Lines that are answered together.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// The number of its first line, from 1.
    first: u64,
    /// Each line, and the end of its bytes.
    lines: Vec<(Line, usize)>,
    bytes: Vec<u8>,
}

impl Chunk {
    /// Every line that is not blank: its number, its kind, and its bytes.
    pub(super) fn lines(&self) -> impl Iterator<Item = (u64, Line, &[u8])> {
        let starts = iter::once(0).chain(self.lines.iter().map(|(_, end)| *end));
        let lines = (self.first..).zip(starts).zip(&self.lines);
        let lines = lines.map(|((number, start), (line, end))| {
            let bytes = self.bytes.get(start..*end).unwrap_or_default();
            (number, *line, bytes.trim_ascii())
        });
        lines.filter(|(_, line, bytes)| *line == Line::TooLong || !bytes.is_empty())
    }

    /// Where the line begins that has no end yet.
    fn start(&self) -> usize {
        self.lines.last().map_or(0, |(_, end)| *end)
    }
}

/// Why a batch ends before its last line.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) code: &'static str,
    pub(super) message: String,
    /// The first line that was not answered.
    pub(super) line: u64,
}

/// Reads the lines of a body.
pub(super) struct Reader {
    app: Arc<App>,
    body: Body,
    /// What was read of a chunk.
    chunk: Chunk,
    /// Whether the rest of a line is skipped, because it is too long.
    is_skipping: bool,
    /// When the batch has to be read.
    deadline: Instant,
    /// Why reading ended: after the lines that are there.
    end: Option<Result<(), Ended>>,
}

impl Reader {
    pub(super) fn new(app: Arc<App>, body: Body) -> Self {
        let chunk = Chunk {
            first: 1,
            ..Chunk::default()
        };
        Self {
            deadline: Instant::now() + app.settings.limits.batch_timeout,
            app,
            body,
            chunk,
            is_skipping: false,
            end: None,
        }
    }

    /// The next lines: as many as are there, so that a client that waits for an answer gets it.
    /// `None` at the end of the body.
    pub(super) async fn next(&mut self) -> Result<Option<Chunk>, Ended> {
        loop {
            if self.end.is_none() {
                self.fill().await;
            }
            if !self.chunk.lines.is_empty() {
                return Ok(Some(self.take()));
            }
            match self.end.take() {
                None => {}
                Some(Ok(())) => {
                    self.end = Some(Ok(()));
                    return Ok(None);
                }
                Some(Err(ended)) => return Err(ended),
            }
        }
    }

    /// Waits for a piece of the body, and reads on while more is there at once.
    async fn fill(&mut self) {
        let patience = self.app.settings.limits.body_timeout;
        let mut end = self.app.end.clone();
        let next = tokio::select! {
            biased;
            next = piece(&mut self.body, patience) => next,
            () = sleep_until(self.deadline) => Err(Problem::new(
                http::StatusCode::GATEWAY_TIMEOUT,
                "timeout",
                "the batch took too long; the lines from here on were not answered",
                "send the rest as another batch",
            )),
            _ = end.wait_for(|ends| *ends) => Err(Problem::new(
                http::StatusCode::SERVICE_UNAVAILABLE,
                "shutting-down",
                "the service ends; the lines from here on were not answered",
                "send them to another instance",
            )),
        };
        let mut next = Some(next);
        while let Some(read) = next {
            match read {
                Ok(Some(bytes)) => self.add(&bytes),
                Ok(None) => self.end_of_body(),
                Err(problem) => self.stop(&problem),
            }
            next = if self.end.is_none() && self.chunk.bytes.len() < CHUNK {
                piece(&mut self.body, patience).now_or_never()
            } else {
                None
            };
        }
    }

    fn add(&mut self, piece: &Bytes) {
        let limit = self.app.settings.limits.line;
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            let is_end = part.last() == Some(&b'\n');
            if !self.is_skipping {
                self.chunk.bytes.extend_from_slice(part);
                let start = self.chunk.start();
                if self.chunk.bytes.len() - start > limit + usize::from(is_end) {
                    self.chunk.bytes.truncate(start);
                    self.is_skipping = true;
                }
            }
            if is_end {
                self.end_of_line();
            }
            if self.end.is_some() {
                return;
            }
        }
    }

    fn end_of_line(&mut self) {
        let line = if self.is_skipping {
            Line::TooLong
        } else {
            Line::Whole
        };
        self.is_skipping = false;
        let most = self.app.settings.limits.lines;
        if self.chunk.first + self.chunk.lines.len() as u64 > most {
            let problem = Problem::bad_request(
                "too-many-lines",
                format!("a batch has at most {most} lines; those from here on were not answered"),
                "send the rest as another batch",
            );
            self.stop(&problem);
            return;
        }
        self.chunk.lines.push((line, self.chunk.bytes.len()));
    }

    fn end_of_body(&mut self) {
        let is_open = self.is_skipping || self.chunk.bytes.len() > self.chunk.start();
        self.end = Some(Ok(()));
        if is_open {
            self.end_of_line();
        }
    }

    fn stop(&mut self, problem: &Problem) {
        self.end = Some(Err(Ended {
            code: problem.code(),
            message: problem.detail().to_owned(),
            line: self.chunk.first + self.chunk.lines.len() as u64,
        }));
    }

    /// The lines so far; what was read of the next one stays.
    fn take(&mut self) -> Chunk {
        let start = self.chunk.start();
        let rest = Chunk {
            first: self.chunk.first + self.chunk.lines.len() as u64,
            lines: Vec::new(),
            bytes: self.chunk.bytes.split_off(start),
        };
        std::mem::replace(&mut self.chunk, rest)
    }
}
