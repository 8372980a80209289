//! The instants that copies are aged by.

use crate::http::now;
use crate::machine::SLACK;
use abide::Moment;
use std::time::Instant;

/// Tells what time it is. Functions are clocks.
pub trait Clock: Send + Sync {
    /// The instant.
    fn now(&self) -> Moment;

    /// Seconds by which the clock was set forward since it began, or back where negative: what it shows
    /// above the time that passed. Nought for a clock that only passes.
    fn set_forward(&self) -> i64 {
        0
    }
}

impl<F: Fn() -> Moment + Send + Sync> Clock for F {
    fn now(&self) -> Moment {
        self()
    }
}

/// The system's clock, and the one that nobody can set beside it.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    began: (Moment, Instant),
}

impl Default for SystemClock {
    fn default() -> Self {
        Self {
            began: (now(), monotonic()),
        }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Moment {
        now()
    }

    fn set_forward(&self) -> i64 {
        let (shown_first, began) = self.began;
        let passed = monotonic().saturating_duration_since(began).as_secs();
        let passed = i64::try_from(passed).unwrap_or(i64::MAX);
        let shown = now()
            .unix_seconds()
            .saturating_sub(shown_first.unix_seconds());
        let set = shown.saturating_sub(passed);
        // A clock that is corrected by less than that was not set.
        if set.unsigned_abs() > SLACK { set } else { 0 }
    }
}

fn monotonic() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "the clock that nobody can set")]
    Instant::now()
}
