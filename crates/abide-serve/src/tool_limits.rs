//! What requests for tools may take: room and time.

use crate::problem::Problem;
use crate::shares::{Share, Shares};
use http::StatusCode;
use std::sync::Arc;
use std::time::Duration;

/// How long a tool may work on one request, however long requests may take.
const MAX_TOOL_TIME: Duration = Duration::from_secs(10);
/// How many requests may wait for each processor. The others are told to come back: what waits has
/// its body in memory.
const MAX_WAITING: usize = 16;

/// What all tools share.
#[derive(Debug)]
pub(crate) struct Tools {
    /// Requests that are worked on or wait.
    present: Shares,
    most: usize,
    longest: Duration,
}

impl Tools {
    /// For a machine with so many processors, and requests that may take `request_timeout`.
    pub(crate) fn new(threads: usize, request_timeout: Duration) -> Self {
        Self {
            present: Shares::new(threads * MAX_WAITING),
            most: threads * MAX_WAITING,
            longest: request_timeout.min(MAX_TOOL_TIME),
        }
    }

    /// Room for one more request of `caller`, until it is dropped.
    pub(crate) fn enter(&self, caller: &Arc<str>) -> Result<Share, Problem> {
        self.present.try_take(caller).ok_or_else(|| {
            Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "busy",
                format!(
                    "{} requests for tools are in progress or wait, or half of that are yours",
                    self.most
                ),
                "ask again later, or fewer at a time",
            )
            .retry_after(1)
        })
    }

    /// How long one request may be worked on.
    pub(crate) const fn longest(&self) -> Duration {
        self.longest
    }
}
