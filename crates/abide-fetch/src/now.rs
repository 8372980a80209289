//! The clock that people read.

use abide::Moment;
use std::time::{SystemTime, UNIX_EPOCH};

/// The current time of the clock.
#[must_use]
pub fn now() -> Moment {
    #[expect(
        clippy::disallowed_methods,
        reason = "the client lives in real time; the machine does not"
    )]
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since.map_or(0, |since| since.as_secs());
    Moment::from_unix_seconds(i64::try_from(seconds).unwrap_or(i64::MAX))
}
