//! Finds lines by their numbers.

use crate::text::{Lines, RawLine, Text};
use std::sync::Arc;

/// The offset of each line, for evidence that quotes it.
#[derive(Clone, Debug)]
pub(crate) struct LineIndex(Arc<[u32]>);

impl LineIndex {
    pub(crate) fn new(text: &Text<'_>) -> Self {
        Self::of(Lines::new(text.as_bytes(), text.body()).map(|line| line.span.start))
    }

    /// Of the offsets of all lines.
    pub(crate) fn of(starts: impl Iterator<Item = u32>) -> Self {
        Self(starts.collect())
    }

    /// Line `number`.
    pub(crate) fn line(&self, number: u32, text: &[u8]) -> Option<RawLine> {
        let start = self.0.get((number as usize).checked_sub(1)?)?;
        Some(RawLine::at(text, *start, number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Limits;

    #[test]
    fn a_line_is_found_by_its_number() {
        let bytes = b"\xEF\xBB\xBFUser-agent: * # all\r\n\nDisallow: /a\rAllow: /";
        let text = Text::new(bytes, Limits::default());
        let index = LineIndex::new(&text);
        for line in Lines::new(text.as_bytes(), text.body()) {
            assert_eq!(index.line(line.number, text.as_bytes()), Some(line));
        }
        assert_eq!(index.line(0, text.as_bytes()), None);
        assert_eq!(index.line(5, text.as_bytes()), None);
    }
}
