//! Sentences that contain foreign text, which every output makes safe in its own way.

use abide::explain::visible;
use serde::{Serialize, Serializer};
use std::fmt;

/// A sentence, or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Phrase(#[cfg_attr(feature = "schema", schemars(with = "String"))] Vec<Piece>);

/// The sentence as one line that is safe to print, with quoted text in backticks.
impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| match piece {
            Piece::Words(words) => f.write_str(words),
            Piece::Name(name) => f.write_str(&visible(name.as_bytes())),
            Piece::Quoted(text) => write!(f, "`{}`", visible(text)),
        })
    }
}

/// Writes the sentence as one line that is safe to print.
impl Serialize for Phrase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "writers handle every case")]
pub enum Piece {
    /// Our own words.
    Words(String),
    /// The name of a robot, as a file or a caller has it.
    Name(String),
    /// Text of a file, such as a rule or a path.
    Quoted(Vec<u8>),
}

impl Phrase {
    /// The pieces, in order.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// A phrase of our own words.
    #[must_use]
    pub fn of(words: impl Into<String>) -> Self {
        Self::default().words(words)
    }

    /// Adds our own words.
    #[must_use]
    pub fn words(mut self, words: impl Into<String>) -> Self {
        self.0.push(Piece::Words(words.into()));
        self
    }

    /// Adds the name of a robot, or of something else that others name. It may contain anything.
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        self.0.push(Piece::Name(name.to_owned()));
        self
    }

    /// Adds text of a file.
    #[must_use]
    pub fn quoted(mut self, text: &[u8]) -> Self {
        self.0.push(Piece::Quoted(text.to_vec()));
        self
    }

    /// Adds another phrase.
    #[must_use]
    pub fn then(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Adds names like [`enumerated`](super::enumerated).
    #[must_use]
    pub fn names<'n>(self, names: impl IntoIterator<Item = &'n str>, most: usize) -> Self {
        let names = names.into_iter().map(|name| Self::default().name(name));
        self.list(names.collect(), most, " and ", "")
    }

    /// Adds `A, B and C`, or the first ones and how many more `what`; `last` is the `and`. One
    /// more than `most` is still shown: "and 1 more" is no shorter.
    pub(crate) fn list(self, items: Vec<Self>, most: usize, last: &str, what: &str) -> Self {
        let count = items.len();
        self.list_of(items, count, most, last, what)
    }

    /// Like [`Phrase::list`] for so many items; `first` has one more than `most` of them.
    pub(crate) fn list_of(
        mut self,
        first: Vec<Self>,
        count: usize,
        most: usize,
        last: &str,
        what: &str,
    ) -> Self {
        let shown = if count <= most.saturating_add(1) {
            count
        } else {
            most
        };
        for (at, item) in first.into_iter().take(shown).enumerate() {
            self = match at {
                0 => self,
                // Only reached if nothing is left out: otherwise "and 3 more" has the `and`.
                _ if at + 1 == count => self.words(last),
                _ => self.words(", "),
            };
            self = self.then(item);
        }
        match count - shown {
            0 => self,
            more => self.words(format!("{last}{more} more{what}")),
        }
    }

    /// Whether there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the first piece is these words of our own.
    pub(crate) fn begins_with(&self, words: &str) -> bool {
        matches!(self.0.first(), Some(Piece::Words(first)) if first == words)
    }

    /// The phrase with its first letter as a capital.
    pub(crate) fn capital(mut self) -> Self {
        // Foreign text keeps its case: robots and paths are not ours to spell.
        if let Some(Piece::Words(words)) = self.0.first_mut()
            && let Some(first) = words.get_mut(..1)
        {
            first.make_ascii_uppercase();
        }
        self
    }
}
