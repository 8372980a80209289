//! How much work a comparison may be.

/// The work that a comparison may spend, and so the memory that it may take.
///
/// A unit is a few nanoseconds: a place in a pattern that an byte is compared with, an byte of a
/// file that is read. The default lets ordinary files be compared whole in milliseconds, and ends
/// any comparison in seconds; patterns with many `*` can ask for more than any machine has, for
/// there are exponentially many ways to match them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Units of work.
    pub work: u64,
}

impl Default for Bound {
    fn default() -> Self {
        Self { work: 50_000_000 }
    }
}

/// What is left of a bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    left: u64,
}

impl Work {
    pub(super) fn new(bound: Bound) -> Self {
        Self { left: bound.work }
    }

    /// Spends some work; false where it is not there.
    pub(super) fn spend(&mut self, units: u64) -> bool {
        let left = self.left.checked_sub(units);
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    /// Half of what is left, so that one client does not take everything.
    pub(super) fn half(self) -> Self {
        Self {
            left: self.left / 2,
        }
    }

    /// What was spent since `before`.
    pub(super) fn spent_since(self, before: Self) -> u64 {
        before.left.saturating_sub(self.left)
    }
}
