//! Sentences that contain foreign text, which every output makes safe in its own way.

use abide::explain::visible;
use serde::{Serialize, Serializer};

/// A sentence, or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Phrase(#[cfg_attr(feature = "schema", schemars(with = "String"))] Vec<Piece>);

/// Writes the sentence as [`Phrase::plain`] gives it.
impl Serialize for Phrase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.plain())
    }
}

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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

    /// The sentence as one line that is safe to print, with quoted text in backticks.
    #[must_use]
    pub fn plain(&self) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Words(words) => words.clone(),
            Piece::Name(name) => visible(name.as_bytes()),
            Piece::Quoted(text) => format!("`{}`", visible(text)),
        });
        pieces.collect()
    }

    pub(crate) fn words(mut self, words: &str) -> Self {
        self.0.push(Piece::Words(words.to_owned()));
        self
    }

    pub(crate) fn name(mut self, name: &str) -> Self {
        self.0.push(Piece::Name(name.to_owned()));
        self
    }

    pub(crate) fn quoted(mut self, text: &[u8]) -> Self {
        self.0.push(Piece::Quoted(text.to_vec()));
        self
    }

    pub(crate) fn then(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Adds `A, B and C`, or the first ones and how many more `what`; `last` is the `and`. One
    /// more than `most` is still shown: "and 1 more" is no shorter.
    pub(crate) fn list(mut self, items: Vec<Self>, most: usize, last: &str, what: &str) -> Self {
        let most = most + usize::from(items.len() == most + 1);
        let more = items.len().saturating_sub(most);
        let end = items.len().saturating_sub(1);
        for (at, item) in items.into_iter().take(most).enumerate() {
            self = match at {
                0 => self,
                // Only reached if nothing is left out: otherwise "and 3 more" has the `and`.
                _ if at == end => self.words(last),
                _ => self.words(", "),
            };
            self = self.then(item);
        }
        match more {
            0 => self,
            more => self.words(&format!("{last}{more} more{what}")),
        }
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
