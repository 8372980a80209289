//! How long a tool may work.

use super::TOO_MUCH_WORK;
use crate::request_error::RequestError;
use std::fmt;

/// How long a tool may work on a request. It looks in every loop that a request can make long:
/// nothing else ends it.
#[derive(Clone, Copy)]
pub struct Work<'w> {
    goes_on: &'w dyn Fn() -> bool,
    reason: &'w str,
}

impl fmt::Debug for Work<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").finish_non_exhaustive()
    }
}

impl<'w> Work<'w> {
    /// Without an end.
    #[must_use]
    pub const fn endless() -> Self {
        Self {
            goes_on: &|| true,
            reason: "",
        }
    }

    /// Until `goes_on` says no. If it ends early, `reason` is what is wrong with the request, such
    /// as "the answer takes more than 10 s".
    #[must_use]
    pub const fn while_it(goes_on: &'w dyn Fn() -> bool, reason: &'w str) -> Self {
        Self { goes_on, reason }
    }

    /// Whether there is time left.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        (self.goes_on)()
    }

    /// Checks that there is time left.
    ///
    /// # Errors
    /// [`RequestError`] with the code [`TOO_MUCH_WORK`] if there is none.
    pub fn check(&self) -> Result<(), RequestError> {
        self.whole(self.goes_on().then_some(()))
    }

    /// What was made within the time.
    pub(super) fn whole<T>(&self, made: Option<T>) -> Result<T, RequestError> {
        made.ok_or_else(|| too_much("", self.reason))
    }
}

/// The error of a request that needs too much at `pointer`.
pub(super) fn too_much(pointer: &str, reason: impl fmt::Display) -> RequestError {
    RequestError::new(TOO_MUCH_WORK, pointer, reason)
        .with_remedy("ask about fewer robots or URLs at a time")
}
