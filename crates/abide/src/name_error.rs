//! The error for a name that a table does not have.

use thiserror::Error;

/// A name that is not one of a fixed list, such as the usage `present-extract`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown {kind} {name:?}")]
#[non_exhaustive]
pub struct UnknownNameError {
    /// What the name should be, such as `usage`.
    pub kind: &'static str,
    /// The name as given.
    pub name: Box<str>,
}

impl UnknownNameError {
    pub(crate) fn new(kind: &'static str, name: &str) -> Self {
        let name = name.into();
        Self { kind, name }
    }
}
