//! The instants that copies are aged by.

use crate::machine::SLACK;
use abide::Moment;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

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
    began: (i64, Instant),
}

impl Default for SystemClock {
    fn default() -> Self {
        Self {
            began: (wall(), monotonic()),
        }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Moment {
        Moment::from_unix_seconds(wall())
    }

    fn set_forward(&self) -> i64 {
        let (wall_began, began) = self.began;
        let passed = monotonic().saturating_duration_since(began).as_secs();
        let passed = i64::try_from(passed).unwrap_or(i64::MAX);
        let shown = wall().saturating_sub(wall_began);
        let set = shown.saturating_sub(passed);
        // A clock that is corrected by less than that was not set.
        if set.unsigned_abs() > SLACK { set } else { 0 }
    }
}

fn wall() -> i64 {
    #[expect(
        clippy::disallowed_methods,
        reason = "whoever fetches lives in real time; the machine does not"
    )]
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    i64::try_from(since.map_or(0, |since| since.as_secs())).unwrap_or(i64::MAX)
}

fn monotonic() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "the clock that nobody can set")]
    Instant::now()
}
