//! What consecutive pieces of evidence have in common, kept once.

use std::cell::Cell;
use std::sync::Arc;

/// The latest value, for equal ones that follow it.
pub(super) struct Latest<T>(Cell<Option<Arc<T>>>);

impl<T> Default for Latest<T> {
    fn default() -> Self {
        Self(Cell::new(None))
    }
}

impl<T: PartialEq> Latest<T> {
    /// Returns `value`, or the latest one if they are equal.
    pub(super) fn shared(&self, value: T) -> Arc<T> {
        let latest = self.0.take().filter(|latest| **latest == value);
        let latest = latest.unwrap_or_else(|| Arc::new(value));
        self.0.set(Some(Arc::clone(&latest)));
        latest
    }
}
