//! The lines of a body, in chunks.

use crate::asker::Asker;
use crate::body::piece;
use crate::in_flight::HeldMemory;
use crate::problem::Problem;
use crate::state::App;
use crate::tokens::Caller;
use axum::body::{Body, Bytes};
use futures_util::FutureExt;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use std::{future, iter, mem};
use tokio::time::{Instant, sleep_until};

/// A chunk is full with this many bytes. Its answers can be fifty times as long.
const CHUNK: usize = 32 << 10;

/// How many bytes of a chunk are not counted: more than those of a full one and a line.
const UNCOUNTED: usize = 128 << 10;
/// How many bytes are read ahead together.
const BLOCK: usize = 32 << 10;
/// How many blocks are read ahead at most: 16 MiB, if there is memory for them.
const MAX_BLOCKS: usize = 512;
/// About as many bytes as a piece of a body has.
const PIECE: usize = 16 << 10;
/// Longer than any batch takes.
const EVER: Duration = Duration::from_secs(1 << 30);

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
    /// The memory that long lines take.
    memory: Vec<HeldMemory>,
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
    /// Who asks.
    caller: Arc<Caller>,
    /// Whether a line was counted already, as the request.
    is_counted: bool,
    /// How many bytes of the chunk are counted.
    counted: usize,
    /// What was read while the client took no answers.
    ahead: VecDeque<(Vec<u8>, HeldMemory)>,
    /// What comes behind that, if it is known.
    behind: Option<Result<(), Problem>>,
    /// Whether the rest of the body is dropped.
    is_dropping: bool,
}

impl Reader {
    pub(super) fn new(asker: &Asker, body: Body) -> Self {
        let app = Arc::clone(&asker.app);
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
            caller: Arc::clone(&asker.caller),
            is_counted: true,
            counted: UNCOUNTED,
            ahead: VecDeque::new(),
            behind: None,
            is_dropping: false,
        }
    }

    /// The next lines: as many as are there and as the quota allows, so that a client that waits
    /// for an answer gets it. `None` at the end of the body.
    pub(super) async fn next(&mut self) -> Result<Option<Chunk>, Ended> {
        loop {
            if self.end.is_none() && self.chunk.lines.is_empty() {
                self.fill().await;
            }
            if !self.chunk.lines.is_empty() {
                let ends = self.ends();
                let stop = tokio::select! {
                    biased;
                    lines = self.allowed() => return Ok(Some(self.take(lines))),
                    problem = ends => problem,
                };
                self.chunk.lines.clear();
                self.stop(&stop);
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

    /// Waits until some of the lines that are there may be answered: how many.
    async fn allowed(&mut self) -> usize {
        let lines = self.chunk.lines.len();
        // The request was counted, and with it a line.
        if mem::take(&mut self.is_counted) {
            1 + self.caller.lines_now(lines - 1)
        } else {
            self.caller.lines(lines).await
        }
    }

    /// Waits until the batch has to end, whatever is there.
    fn ends(&self) -> impl Future<Output = Problem> + use<> {
        let (mut end, deadline) = (self.app.end.clone(), self.deadline);
        async move {
            tokio::select! {
                biased;
                () = sleep_until(deadline) => Problem::new(
                    http::StatusCode::GATEWAY_TIMEOUT,
                    "timeout",
                    "the batch took too long; the lines from here on were not answered",
                    "send the rest as another batch",
                ),
                _ = end.wait_for(|ends| *ends) => Problem::new(
                    http::StatusCode::SERVICE_UNAVAILABLE,
                    "shutting-down",
                    "the service ends; the lines from here on were not answered",
                    "send them to another instance",
                ),
            }
        }
    }

    /// Reads on while the client takes no answers, because some clients send everything before they
    /// read. Never ready if there is no room, or nothing to read.
    pub(super) async fn read_ahead(&mut self) {
        if !self.is_dropping && !self.has_room() {
            future::pending::<()>().await;
        }
        match (piece(&mut self.body, EVER).await, self.ahead.back_mut()) {
            (Ok(Some(_)), _) if self.is_dropping => {}
            (Ok(Some(bytes)), Some((block, _))) => block.extend_from_slice(&bytes),
            (Ok(Some(_)), None) => {}
            (_, _) if self.is_dropping => future::pending::<()>().await,
            (Ok(None), _) => self.behind = Some(Ok(())),
            (Err(problem), _) => self.behind = Some(Err(problem)),
        }
    }

    /// Whether there is more to read, and room to read it ahead.
    fn has_room(&mut self) -> bool {
        if self.is_read() {
            return false;
        }
        let has_place = |(block, _): &(Vec<u8>, _)| block.len() + PIECE <= BLOCK;
        if self.ahead.back().is_some_and(has_place) {
            return true;
        }
        if self.ahead.len() == MAX_BLOCKS || self.app.in_flight.is_short(&self.caller.key) {
            return false;
        }
        let memory = self.app.in_flight.count(&self.caller.key, BLOCK);
        self.ahead
            .extend(memory.map(|memory| (Vec::with_capacity(BLOCK), memory)));
        self.ahead.back().is_some_and(has_place)
    }

    /// Whether it is known how the body ends.
    fn is_read(&self) -> bool {
        self.behind.is_some() || self.end.is_some()
    }

    /// Whether there is more to read, and no room for it.
    pub(super) fn is_full(&mut self) -> bool {
        !self.is_read() && !self.has_room()
    }

    /// Ends the batch behind what is read, and drops the rest of the body, so that the client comes
    /// to read the answers.
    pub(super) fn refuse_rest(&mut self) {
        self.is_dropping = true;
        self.behind = Some(Err(Problem::bad_request(
            "answers-not-read",
            "the client sends and does not read; the lines from here on were not answered",
            "read answers while sending, or send batches of at most 16 MiB",
        )));
        let blocks = self.ahead.len();
        tracing::warn!(
            blocks,
            "a batch was cut: its client sends and does not read"
        );
    }

    /// Drops what the client still sends after the batch has ended early: it may read only then.
    pub(super) async fn drop_rest(mut self) {
        let patience = self.app.settings.limits.body_timeout;
        while Instant::now() < self.deadline
            && let Ok(Some(_)) = piece(&mut self.body, patience).await
        {}
    }

    /// What was read ahead, or comes behind that.
    fn read(&mut self) -> Option<Result<Option<Bytes>, Problem>> {
        match self.ahead.pop_front() {
            Some((block, _)) => Some(Ok(Some(block.into()))),
            None => Some(self.behind.take()?.map(|()| None)),
        }
    }

    /// Waits for a piece of the body, and reads on while more is there at once.
    async fn fill(&mut self) {
        let patience = self.app.settings.limits.body_timeout;
        let ends = self.ends();
        let next = if let Some(read) = self.read() {
            read
        } else {
            tokio::select! {
                biased;
                next = piece(&mut self.body, patience) => next,
                problem = ends => Err(problem),
            }
        };
        let mut next = Some(next);
        while let Some(read) = next {
            match read {
                Ok(Some(bytes)) => self.add(&bytes),
                Ok(None) => self.end_of_body(),
                Err(problem) => self.stop(&problem),
            }
            next = if self.end.is_none() && self.chunk.bytes.len() < CHUNK {
                let read = self.read();
                read.or_else(|| piece(&mut self.body, patience).now_or_never())
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
            self.count();
            if is_end && self.end.is_none() {
                self.end_of_line();
            }
            if self.end.is_some() {
                return;
            }
        }
    }

    /// Counts the memory of the chunk. A growing list can have room for twice as much.
    fn count(&mut self) {
        while self.chunk.bytes.len() > self.counted && self.end.is_none() {
            match self.app.in_flight.admit(&self.caller.key, 2 * self.counted) {
                Ok(memory) => self.chunk.memory.push(memory),
                Err(problem) => self.stop(&problem),
            }
            self.counted *= 2;
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

    /// The first of the lines; the others and what was read of the next one stay.
    fn take(&mut self, lines: usize) -> Chunk {
        let mut others = self.chunk.lines.split_off(lines);
        let start = self.chunk.start();
        for (_, end) in &mut others {
            *end -= start;
        }
        let rest = Chunk {
            first: self.chunk.first + lines as u64,
            lines: others,
            bytes: self.chunk.bytes.split_off(start),
            memory: Vec::new(),
        };
        self.counted = UNCOUNTED;
        mem::replace(&mut self.chunk, rest)
    }
}
