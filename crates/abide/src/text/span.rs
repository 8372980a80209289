//! Places in a text.

/// A half-open range of bytes in the decoded text: `start` is the first byte, `end` the one
/// after the last. Offsets are bytes, not characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "[u32; 2]", into = "[u32; 2]"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "[u32; 2]", inline))]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset of the byte after the last.
    pub end: u32,
}

impl From<[u32; 2]> for Span {
    fn from([start, end]: [u32; 2]) -> Self {
        Self { start, end }
    }
}

impl From<Span> for [u32; 2] {
    fn from(span: Span) -> Self {
        [span.start, span.end]
    }
}

impl Span {
    /// The span from `start` to `end`; an `end` before `start` gives the empty span at `start`.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        let end = if end < start { start } else { end };
        Self { start, end }
    }

    /// Number of bytes.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether the span is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The bytes of `text` that the span covers. Empty if the span is not inside `text`.
    ///
    /// ```
    /// let span = abide::Span::new(2, 4);
    /// assert_eq!(span.of(b"abcdef"), b"cd");
    /// assert_eq!(span.of(b"abc"), b"");
    /// ```
    #[must_use]
    pub fn of(self, text: &[u8]) -> &[u8] {
        text.get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    /// The column where the span begins on its line, and the column after its end, in characters
    /// from 1.
    ///
    /// ```
    /// let text = "Allow: /\nDisallow: /ü x\n".as_bytes();
    /// assert_eq!(abide::Span::new(20, 23).columns(text), (12, 14));
    /// ```
    #[must_use]
    pub fn columns(self, text: &[u8]) -> (usize, usize) {
        let before = text.get(..self.start as usize).unwrap_or_default();
        let line_start = before
            .iter()
            .rposition(|&byte| byte == b'\n' || byte == b'\r')
            .map_or(0, |at| at.saturating_add(1));
        let characters = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().count();
        let column = characters(before.get(line_start..).unwrap_or_default()).saturating_add(1);
        (column, column.saturating_add(characters(self.of(text))))
    }
}

/// An offset as `u32`. Always fits, because no text is longer than
/// [`Limits::MAX`](super::Limits::MAX).
#[expect(
    clippy::cast_possible_truncation,
    reason = "texts are cut at Limits::MAX < 2^32"
)]
pub(crate) const fn offset(at: usize) -> u32 {
    at as u32
}
