//! The clock by which copies age.

use crate::http::now;
use crate::machine::SLACK;
use abide::Moment;
use std::time::Instant;

/// A clock. Functions that return a [`Moment`] are clocks.
pub trait Clock: Send + Sync {
    /// The current time.
    fn now(&self) -> Moment;

    /// By how many seconds the clock was set forward since it started (negative: back), beyond the
    /// time that passed. Zero for a clock that is never set.
    fn seconds_set_forward(&self) -> i64 {
        0
    }
}

impl<F: Fn() -> Moment + Send + Sync> Clock for F {
    fn now(&self) -> Moment {
        self()
    }
}

/// The clock of the system, with a monotonic clock that shows when it was set.
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

    fn seconds_set_forward(&self) -> i64 {
        let (shown_first, began) = self.began;
        let passed = monotonic().saturating_duration_since(began).as_secs();
        let passed = i64::try_from(passed).unwrap_or(i64::MAX);
        let shown = now()
            .unix_seconds()
            .saturating_sub(shown_first.unix_seconds());
        let set = shown.saturating_sub(passed);
        // A smaller correction does not count as setting the clock.
        if set.unsigned_abs() > SLACK { set } else { 0 }
    }
}

fn monotonic() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "the clock that nobody can set")]
    Instant::now()
}
