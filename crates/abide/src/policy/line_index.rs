//! From line numbers back to octets.

use crate::text::{Lines, RawLine, Text};

/// Where each line begins, for evidence that quotes it.
#[derive(Clone, Debug)]
pub(crate) struct LineIndex(Box<[u32]>);

impl LineIndex {
    pub(crate) fn new(text: &Text<'_>) -> Self {
        Self(
            Lines::new(text.octets(), text.body())
                .map(|line| line.span.start)
                .collect(),
        )
    }

    /// Line `number`.
    pub(crate) fn line(&self, number: u32, text: &[u8]) -> Option<RawLine> {
        let start = self.0.get((number as usize).checked_sub(1)?)?;
        Some(RawLine::at(text, *start, number))
    }
}
