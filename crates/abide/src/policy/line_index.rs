//! From line numbers back to octets.

use crate::text::{Lines, Span, Text};

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

    /// The octets of line `number`, without its line end.
    pub(crate) fn line(&self, number: u32, text: &[u8]) -> Span {
        let start = (number as usize)
            .checked_sub(1)
            .and_then(|at| self.0.get(at).copied());
        let Some(start) = start else {
            return Span::default();
        };
        let rest = text.get(start as usize..).unwrap_or_default();
        let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        Span::new(start, start.saturating_add(crate::text::offset(length)))
    }
}
