//! Text to lines: CR, LF and CRLF, freely mixed (REP-13 to REP-16).

use super::Span;
use super::span::offset;

/// What ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineEnding {
    /// LF.
    Lf,
    /// CR that no LF follows.
    Cr,
    /// CR LF, which is one line end (REP-14).
    CrLf,
    /// The end of the file (REP-16).
    EndOfFile,
}

impl LineEnding {
    /// The octets of the line end.
    #[must_use]
    pub const fn octets(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::Cr => b"\r",
            Self::CrLf => b"\r\n",
            Self::EndOfFile => b"",
        }
    }
}

/// One physical line, not yet read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawLine {
    /// Number of the line, from 1.
    pub number: u32,
    /// Its octets without the line end.
    pub span: Span,
    /// What ends it.
    pub ending: LineEnding,
}

/// The lines of a text, in order. A line end that is the text's last octet opens no further line.
///
/// ```
/// use abide::text::{LineEnding, Lines};
/// let endings: Vec<_> = Lines::new(b"a\r\nb\rc", 0).map(|line| line.ending).collect();
/// assert_eq!(endings, [LineEnding::CrLf, LineEnding::Cr, LineEnding::EndOfFile]);
/// ```
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    number: u32,
}

impl<'a> Lines<'a> {
    /// The lines of `text` from octet `body` on.
    #[must_use]
    pub fn new(text: &'a [u8], body: usize) -> Self {
        Self {
            text,
            at: body,
            number: 0,
        }
    }
}

impl Iterator for Lines<'_> {
    type Item = RawLine;

    fn next(&mut self) -> Option<RawLine> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let ending = match rest.get(length..) {
            Some([b'\r', b'\n', ..]) => LineEnding::CrLf,
            Some([b'\r', ..]) => LineEnding::Cr,
            Some([b'\n', ..]) => LineEnding::Lf,
            _ => LineEnding::EndOfFile,
        };
        let start = self.at;
        let end = start.saturating_add(length);
        self.at = end.saturating_add(ending.octets().len());
        self.number = self.number.saturating_add(1);
        Some(RawLine {
            number: self.number,
            span: Span::new(offset(start), offset(end)),
            ending,
        })
    }
}
