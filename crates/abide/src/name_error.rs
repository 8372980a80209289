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
    /// The error for a `name` that is no name of a `kind`, such as `usage`.
    #[must_use]
    pub fn new(kind: &'static str, name: &str) -> Self {
        let name = name.into();
        Self { kind, name }
    }

    /// The one of `values` with this `name`, as `name_of` returns it.
    ///
    /// ```
    /// use abide::{Severity, UnknownNameError};
    /// let of = [Severity::Info, Severity::Warning];
    /// let read = |name| UnknownNameError::find("severity", name, of, Severity::name);
    /// assert_eq!(read("info"), Ok(Severity::Info));
    /// assert!(read("error").is_err());
    /// ```
    ///
    /// # Errors
    /// The error for a `name` that is no name of a `kind`, if none of them has it.
    pub fn find<T: Copy>(
        kind: &'static str,
        name: &str,
        values: impl IntoIterator<Item = T>,
        name_of: impl Fn(T) -> &'static str,
    ) -> Result<T, Self> {
        let mut values = values.into_iter();
        let found = values.find(|value| name_of(*value) == name);
        found.ok_or_else(|| Self::new(kind, name))
    }
}

/// Implements `FromStr` by the names that `name` returns. A value that is not in the list does not
/// compile.
macro_rules! from_name {
    ($type:ident, $kind:literal, [$($value:ident),+ $(,)?]) => {
        impl std::str::FromStr for $type {
            type Err = crate::name_error::UnknownNameError;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                const _: fn($type) = |value| match value { $($type::$value => ()),+ };
                let all = [$($type::$value),+];
                crate::name_error::UnknownNameError::find($kind, name, all, Self::name)
            }
        }
    };
}
pub(crate) use from_name;
