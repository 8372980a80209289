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
    let now = SystemTime::now();
    Moment::from(now.max(UNIX_EPOCH))
}
