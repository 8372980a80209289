//! Limits the work of comparisons and searches.

/// The work that a comparison may spend, which also limits its memory.
///
/// A unit takes a few nanoseconds: comparing a byte with one place of a pattern, or reading a byte
/// of a file. With the default, ordinary files are compared completely in milliseconds, and any
/// comparison ends within seconds. Patterns with many `*` can need more than any machine has,
/// because there are exponentially many ways to match them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Bound {
    /// Units of work.
    pub work: u64,
}

impl Default for Bound {
    fn default() -> Self {
        Self { work: 50_000_000 }
    }
}

/// Whether work goes on: whoever waits for it may have had enough.
pub type GoesOn<'g> = &'g dyn Fn() -> bool;

/// What is left of a bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    left: u64,
}

impl Work {
    pub(crate) fn new(bound: Bound) -> Self {
        Self { left: bound.work }
    }

    /// Spends some work; returns false if not enough is left.
    pub(crate) fn spend(&mut self, units: u64) -> bool {
        let left = self.left.checked_sub(units);
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    /// Half of the work that is left, so that one client cannot use all of it.
    pub(crate) fn half(self) -> Self {
        Self {
            left: self.left / 2,
        }
    }

    /// At most this much of the work that is left.
    pub(crate) fn at_most(self, bound: Bound) -> Self {
        Self {
            left: self.left.min(bound.work),
        }
    }

    /// The work spent since `before`.
    pub(crate) fn spent_since(self, before: Self) -> u64 {
        before.left.saturating_sub(self.left)
    }
}
