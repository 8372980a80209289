//! Splits a text into lines: CR, LF and CRLF, freely mixed (REP-13 to REP-16).
//!
//! Every line end and `#` of a block of 64 bytes is found at once, as a bit mask. This replaces
//! two searches per line, one for the end and one for the `#`, which cost more than the lines are
//! long.

use super::Span;
use super::part::Part as _;
use super::span::offset;

/// What ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum LineEnding {
    /// LF.
    Lf,
    /// CR without a following LF.
    Cr,
    /// CR LF, which is one line end (REP-14).
    CrLf,
    /// The end of the file (REP-16).
    EndOfFile,
}

impl LineEnding {
    /// The bytes of the line end.
    #[must_use]
    pub const fn as_bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::Cr => b"\r",
            Self::CrLf => b"\r\n",
            Self::EndOfFile => b"",
        }
    }
}

/// One physical line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RawLine {
    /// Number of the line, from 1.
    pub number: u32,
    /// Its bytes without the line end.
    pub span: Span,
    /// Offset of the first `#`, or of the end of the line.
    pub hash: u32,
    /// How it ends.
    pub ending: LineEnding,
}

impl RawLine {
    /// The line with this number, which begins at byte `start` of `text`.
    pub(crate) fn at(text: &[u8], start: u32, number: u32) -> Self {
        let rest = text.part(start as usize..);
        let len = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let (line, behind) = rest.split_at_checked(len).unwrap_or((rest, b""));
        let place = |at: usize| start.saturating_add(offset(at));
        Self {
            number,
            span: Span::new(start, place(len)),
            hash: place(memchr::memchr(b'#', line).unwrap_or(len)),
            ending: match behind {
                [b'\r', b'\n', ..] => LineEnding::CrLf,
                [b'\r', ..] => LineEnding::Cr,
                [b'\n', ..] => LineEnding::Lf,
                _ => LineEnding::EndOfFile,
            },
        }
    }
}

/// The lines of a text, in order. A line end at the end of the text does not begin another line.
///
/// ```
/// use abide::syntax::{LineEnding, Lines};
/// let endings: Vec<_> = Lines::new(b"a\r\nb\rc", 0).map(|line| line.ending).collect();
/// assert_eq!(endings, [LineEnding::CrLf, LineEnding::Cr, LineEnding::EndOfFile]);
/// ```
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    text: &'a [u8],
    begun: Begun,
    marks: Marks<'a>,
}

impl<'a> Lines<'a> {
    /// The lines of `text` from byte `body` on.
    #[must_use]
    pub fn new(text: &'a [u8], body: usize) -> Self {
        Self {
            text,
            begun: Begun {
                start: body,
                hash: usize::MAX,
                number: 1,
            },
            marks: Marks::new(text, body),
        }
    }
}

impl Iterator for Lines<'_> {
    type Item = RawLine;

    #[inline]
    fn next(&mut self) -> Option<RawLine> {
        loop {
            while let Some(at) = self.marks.next() {
                if let Some(line) = self.begun.ended_by(self.text, at) {
                    return Some(line);
                }
            }
            if !self.marks.search() {
                return None;
            }
        }
    }

    /// Folds all lines in one loop, which is faster than calling `next`.
    #[inline]
    fn fold<B, F: FnMut(B, RawLine) -> B>(self, init: B, mut f: F) -> B {
        let (text, mut begun, mut marks) = (self.text, self.begun, self.marks);
        let mut folded = init;
        loop {
            for &at in marks.left() {
                if let Some(line) = begun.ended_by(text, at as usize) {
                    folded = f(folded, line);
                }
            }
            if !marks.search() {
                return folded;
            }
        }
    }
}

/// The current line, whose end is not known yet.
#[derive(Clone, Copy, Debug)]
struct Begun {
    /// Where it begins.
    start: usize,
    /// Offset of its first `#`, or `usize::MAX`.
    hash: usize,
    number: u32,
}

impl Begun {
    /// Returns the line if the mark `at` ends it, and begins the next one.
    #[inline]
    fn ended_by(&mut self, text: &[u8], at: usize) -> Option<RawLine> {
        // The LF of a CR LF, which ended the line before.
        if at < self.start {
            return None;
        }
        let ending = match text.get(at) {
            Some(b'#') => {
                self.hash = self.hash.min(at);
                return None;
            }
            Some(b'\n') => LineEnding::Lf,
            Some(_) if text.get(at.wrapping_add(1)) == Some(&b'\n') => LineEnding::CrLf,
            Some(_) => LineEnding::Cr,
            None if at == self.start => return None,
            None => LineEnding::EndOfFile,
        };
        let line = RawLine {
            number: self.number,
            span: Span {
                start: offset(self.start),
                end: offset(at),
            },
            hash: offset(self.hash.min(at)),
            ending,
        };
        *self = Self {
            start: at.wrapping_add(ending.as_bytes().len()),
            hash: usize::MAX,
            // Cannot overflow: there are no more lines than bytes.
            number: self.number.wrapping_add(1),
        };
        Some(line)
    }
}

/// The offsets of all LF, CR and `#` of a text, in order, then of its end.
#[derive(Clone, Debug)]
struct Marks<'a> {
    text: &'a [u8],
    /// Where to search next; `usize::MAX` after the end was found.
    rest: usize,
    found: [u32; MAX_MARKS],
    next: usize,
    len: usize,
}

/// How many bytes are searched at once.
const BLOCK: usize = 64;
/// How many marks are found ahead at most: room for three blocks full of them.
const MAX_MARKS: usize = 192;

impl<'a> Marks<'a> {
    fn new(text: &'a [u8], from: usize) -> Self {
        Self {
            text,
            rest: from,
            found: [0; MAX_MARKS],
            next: 0,
            len: 0,
        }
    }

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let at = *self.left().first()?;
        self.next = self.next.wrapping_add(1);
        Some(at as usize)
    }

    /// The marks that were found and not yet used.
    #[inline]
    fn left(&self) -> &[u32] {
        self.found.part(self.next..self.len)
    }

    /// Searches block by block while there is room for a block full of marks. Returns whether it
    /// found any.
    #[inline(never)]
    fn search(&mut self) -> bool {
        (self.next, self.len) = (0, 0);
        while self.len.wrapping_add(BLOCK) <= MAX_MARKS {
            let Some(rest) = self.text.get(self.rest..).filter(|rest| !rest.is_empty()) else {
                self.keep_end();
                break;
            };
            self.keep(rest.first_chunk().map_or_else(|| last_marks(rest), marks));
            self.rest = self.rest.wrapping_add(BLOCK);
        }
        self.len > 0
    }

    /// Adds the end of the text, once, as the last mark.
    fn keep_end(&mut self) {
        if self.rest != usize::MAX
            && let Some(slot) = self.found.get_mut(self.len)
        {
            *slot = offset(self.text.len());
            self.len = self.len.wrapping_add(1);
            self.rest = usize::MAX;
        }
    }

    #[inline]
    fn keep(&mut self, mut bits: u64) {
        let block = offset(self.rest);
        while bits != 0
            && let Some(slot) = self.found.get_mut(self.len)
        {
            *slot = block.wrapping_add(bits.trailing_zeros());
            self.len = self.len.wrapping_add(1);
            bits &= bits.wrapping_sub(1);
        }
    }
}

/// Returns a bit for each LF, CR and `#` of a block, the lowest for the first byte.
///
/// Written so that the compiler compares sixteen bytes at once. `hits` has a 1 for each mark. Of
/// eight such bytes, multiplying by `GATHER` moves the lowest bit of byte *i* to bit 56 + *i*.
#[inline]
fn marks(block: &[u8; BLOCK]) -> u64 {
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let hits = block
        .map(|byte| u8::from(byte == b'\n') | u8::from(byte == b'\r') | u8::from(byte == b'#'));
    let (eights, _) = hits.as_chunks::<8>();
    let eights = eights.iter().map(|eight| u64::from_le_bytes(*eight));
    eights.rev().fold(0, |bits, eight| {
        bits << 8 | eight.wrapping_mul(GATHER) >> 56
    })
}

/// The marks of the bytes after the last whole block.
fn last_marks(rest: &[u8]) -> u64 {
    let mut block = [0; BLOCK];
    for (to, from) in block.iter_mut().zip(rest) {
        *to = *from;
    }
    marks(&block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Looks at every byte.
    fn naive(text: &[u8], body: usize) -> Vec<RawLine> {
        let mut lines: Vec<RawLine> = Vec::new();
        let mut start = body;
        while start < text.len() {
            let len = text[start..].iter().position(|byte| b"\r\n".contains(byte));
            let end = len.map_or(text.len(), |len| start + len);
            let hash = text[start..end].iter().position(|byte| *byte == b'#');
            let ending = match text[end..] {
                [b'\r', b'\n', ..] => LineEnding::CrLf,
                [b'\r', ..] => LineEnding::Cr,
                [b'\n', ..] => LineEnding::Lf,
                _ => LineEnding::EndOfFile,
            };
            lines.push(RawLine {
                number: offset(lines.len() + 1),
                span: Span::new(offset(start), offset(end)),
                hash: offset(hash.map_or(end, |hash| start + hash)),
                ending,
            });
            start = end + ending.as_bytes().len();
        }
        lines
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        /// Blocks of 64 bytes, full of marks or without any.
        #[test]
        fn rep_13_lines_are_what_looking_at_every_byte_finds(
            parts in prop::collection::vec("[ab#\r\n]{0,20}|[a-z :]{0,90}|(\r\n){0,40}|#{0,70}", 0..8),
            body in 0_usize..4,
        ) {
            let text = parts.concat();
            let text = text.as_bytes();
            let body = body.min(text.len());
            let expected = naive(text, body);
            let one_by_one: Vec<_> = std::iter::from_fn({
                let mut lines = Lines::new(text, body);
                move || lines.next()
            })
            .collect();
            prop_assert_eq!(&one_by_one, &expected);
            let mut folded = Vec::new();
            Lines::new(text, body).for_each(|line| folded.push(line));
            prop_assert_eq!(&folded, &expected);
            for line in expected {
                prop_assert_eq!(RawLine::at(text, line.span.start, line.number), line);
            }
        }
    }
}
