//! Why a text is not written.

use crate::verdict::Usage;
use thiserror::Error;

/// A part that the field or line has no text for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{field}{}: {fault}", place.as_ref().map_or_else(String::new, |place| format!(", {place}")))]
pub struct WriteError {
    field: &'static str,
    place: Option<String>,
    fault: WriteFault,
}

impl WriteError {
    pub(super) const fn whole(field: &'static str, fault: WriteFault) -> Self {
        Self {
            field,
            place: None,
            fault,
        }
    }

    pub(super) fn at(field: &'static str, place: impl Into<String>, fault: WriteFault) -> Self {
        let place = Some(place.into());
        Self {
            place,
            ..Self::whole(field, fault)
        }
    }

    /// What is wrong.
    #[must_use]
    pub const fn fault(&self) -> &WriteFault {
        &self.fault
    }
}

/// What is wrong with a part.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WriteFault {
    /// Another text than the grammar has at this place.
    #[error("expected {expected}, but found {found:?}")]
    Unexpected {
        /// What the grammar has.
        expected: &'static str,
        /// What was given.
        found: Box<str>,
    },
    /// A part that is given twice, of which robots would read one.
    #[error("{name:?} is given twice; give it once")]
    Repeated {
        /// Its name.
        name: Box<str>,
    },
    /// Nothing to write.
    #[error("there is nothing to write; give it {0}")]
    Empty(&'static str),
    /// A usage that no word of the document is about.
    #[error("{document} has no word for {usage}")]
    Word {
        /// The document.
        document: &'static str,
        /// The usage.
        usage: Usage,
    },
    /// A field that robots do not read to its end (TAG-14).
    #[error("it has {bytes} bytes, and robots may read no more than {limit}; say less")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// What every robot reads.
        limit: usize,
    },
}

impl WriteFault {
    pub(super) fn unexpected(expected: &'static str, found: &str) -> Self {
        Self::Unexpected {
            expected,
            found: found.into(),
        }
    }
}
