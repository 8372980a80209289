//! How long a thread works: its time on a processor, whatever else the machine does meanwhile.

use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Work of this thread that has begun.
#[derive(Clone, Copy, Debug)]
pub struct Work(Duration);

impl Work {
    /// Begins now.
    #[must_use]
    pub fn begin() -> Self {
        Self(so_far())
    }

    /// How long it took until now. Systems that do not say it (all but Linux) count the time of the
    /// clock.
    #[must_use]
    pub fn took(self) -> Duration {
        so_far().saturating_sub(self.0)
    }
}

/// The first number is the time on a processor in nanoseconds.
fn so_far() -> Duration {
    let known = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = known.and_then(|known| known.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| BEGAN.elapsed(), Duration::from_nanos)
}
