//! Where requests are answered that keep a processor busy.

use crate::problem::Problem;
use crate::state::App;
use http::StatusCode;
use serde::Serialize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a tool may work on one request, however long requests may take.
const LONGEST: Duration = Duration::from_secs(10);
/// How many requests may wait for each processor. The others are told to come back: what waits has
/// its body in memory.
const WAITING: usize = 16;

/// What all tools share.
#[derive(Debug)]
pub(crate) struct Tools {
    /// Requests that are worked on or wait.
    present: AtomicUsize,
    most: usize,
    longest: Duration,
}

impl Tools {
    /// For a machine with so many processors, and requests that may take `request_timeout`.
    pub(crate) fn new(threads: usize, request_timeout: Duration) -> Self {
        Self {
            present: AtomicUsize::new(0),
            most: threads * WAITING,
            longest: request_timeout.min(LONGEST),
        }
    }
}

/// Does `work` on a thread that may be busy. It has to look at the deadline in every loop that a
/// request can make long: nothing else can end it.
pub(crate) async fn run<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&Deadline) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let tools = &app.tools;
    let _present = Present::enter(&tools.present, tools.most)?;
    let worker = app.worker().await;
    let longest = tools.longest;
    let task = tokio::task::spawn_blocking(move || {
        // Held until the work is done, even if nobody waits for the answer any more.
        let _worker = worker;
        work(&Deadline::after(longest))
    });
    match task.await {
        Ok(done) => done,
        Err(bug) => std::panic::resume_unwind(bug.into_panic()),
    }
}

/// A request that is worked on or waits.
struct Present<'a>(&'a AtomicUsize);

impl<'a> Present<'a> {
    fn enter(present: &'a AtomicUsize, most: usize) -> Result<Self, Problem> {
        let entered = Self(present);
        if present.fetch_add(1, Ordering::Relaxed) < most {
            return Ok(entered);
        }
        Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "busy",
            format!("{most} requests for tools are in progress or wait"),
            "ask again later, or fewer at a time",
        )
        .retry_after(1))
    }
}

impl Drop for Present<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Until when a request is worked on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    at: Instant,
    after: Duration,
}

impl Deadline {
    fn after(after: Duration) -> Self {
        let at = Instant::now() + after;
        Self { at, after }
    }

    /// Whether there is time left.
    pub(crate) fn goes_on(&self) -> bool {
        Instant::now() < self.at
    }

    /// An error if there is no time left.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        if self.goes_on() {
            Ok(())
        } else {
            Err(self.passed())
        }
    }

    /// The problem of a request that takes too long.
    pub(crate) fn passed(&self) -> Problem {
        Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "too-much-work",
            format!("the answer takes more than {} s", self.after.as_secs()),
            "ask about fewer robots or URLs at a time",
        )
    }
}

/// `value` as the commands write it: indented, with a line end.
pub(crate) fn indented(value: &impl Serialize) -> Vec<u8> {
    let mut text = abide_json::text::pretty(value).into_bytes();
    text.push(b'\n');
    text
}

/// `value` on one line.
pub(crate) fn line(value: &impl Serialize) -> Vec<u8> {
    let mut text = abide_json::text::line(value).into_bytes();
    text.push(b'\n');
    text
}
