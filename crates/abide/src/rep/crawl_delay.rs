//! `Crawl-delay`, another record that many files have (REP-63, P4 in docs/faults.md).

use std::fmt;
use std::time::Duration;

/// A request for a pause between visits. Reported beside the decision, which it does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrawlDelay {
    milliseconds: u32,
}

impl CrawlDelay {
    /// The longest delay, in seconds: a day, because no copy of a robots.txt is used longer
    /// (REP-80). Greater values are read as this one.
    pub const MAX_SECONDS: u32 = 86_400;

    /// Reads a value in seconds: ASCII digits with at most one point. `.5` is half a second. Digits
    /// after the third decimal are dropped. `None` for signs, exponents, units and words such as
    /// `inf`.
    #[must_use]
    pub fn read(value: &[u8]) -> Option<Self> {
        let point = memchr::memchr(b'.', value);
        let whole = point.and_then(|at| value.get(..at)).unwrap_or(value);
        let fraction = point
            .and_then(|at| value.get(at.saturating_add(1)..))
            .unwrap_or_default();
        let mut digits = whole.iter().chain(fraction).peekable();
        if digits.peek().is_none() || !digits.all(u8::is_ascii_digit) {
            return None;
        }
        let decimal = |digits: u32, digit: &u8| {
            digits
                .saturating_mul(10)
                .saturating_add(u32::from(digit.saturating_sub(b'0')))
        };
        let seconds = whole.iter().fold(0, decimal);
        let thousandths = fraction.iter().chain(b"000").take(3).fold(0, decimal);
        let milliseconds = seconds.saturating_mul(1_000).saturating_add(thousandths);
        Some(Self {
            milliseconds: milliseconds.min(Self::MAX_SECONDS.saturating_mul(1_000)),
        })
    }

    /// The delay, in whole milliseconds.
    #[must_use]
    pub const fn duration(self) -> Duration {
        Duration::from_millis(self.milliseconds as u64)
    }
}

/// Seconds, with a fraction only where there is one: `10`, `0.5`.
impl fmt::Display for CrawlDelay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, thousandths) = (self.milliseconds / 1_000, self.milliseconds % 1_000);
        if thousandths == 0 {
            return write!(f, "{seconds}");
        }
        let digits = format!("{thousandths:03}");
        write!(f, "{seconds}.{}", digits.trim_end_matches('0'))
    }
}
