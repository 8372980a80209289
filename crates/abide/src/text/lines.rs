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
    /// Where its first `#` stands; the end of the line where it has none.
    pub hash: u32,
    /// What ends it.
    pub ending: LineEnding,
}

impl RawLine {
    /// The line that begins at octet `start` of `text`, by its known number.
    pub(crate) fn at(text: &[u8], start: u32, number: u32) -> Self {
        let rest = text.get(start as usize..).unwrap_or_default();
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
    /// Where the next line begins.
    at: usize,
    number: u32,
    marks: Marks<'a>,
}

impl<'a> Lines<'a> {
    /// The lines of `text` from octet `body` on.
    #[must_use]
    pub fn new(text: &'a [u8], body: usize) -> Self {
        Self {
            text,
            at: body,
            number: 0,
            marks: Marks::new(text, body),
        }
    }

    /// Where the line that begins at `start` ends, its first `#` or its end, and what ends it.
    #[inline]
    fn end(&mut self, start: usize) -> (usize, usize, LineEnding) {
        let mut hash = usize::MAX;
        while let Some(at) = self.marks.next() {
            match self.text.get(at) {
                // The second half of a CR LF.
                _ if at < start => {}
                Some(b'#') => hash = hash.min(at),
                Some(b'\n') => return (at, hash.min(at), LineEnding::Lf),
                _ if self.text.get(at.wrapping_add(1)) == Some(&b'\n') => {
                    return (at, hash.min(at), LineEnding::CrLf);
                }
                _ => return (at, hash.min(at), LineEnding::Cr),
            }
        }
        let end = self.text.len();
        (end, hash.min(end), LineEnding::EndOfFile)
    }
}

impl Iterator for Lines<'_> {
    type Item = RawLine;

    #[inline]
    fn next(&mut self) -> Option<RawLine> {
        let start = self.at;
        if start >= self.text.len() {
            return None;
        }
        let (end, hash, ending) = self.end(start);
        self.at = end.wrapping_add(ending.octets().len());
        self.number = self.number.saturating_add(1);
        Some(RawLine {
            number: self.number,
            span: Span::new(offset(start), offset(end)),
            hash: offset(hash),
            ending,
        })
    }
}

/// The places of all LF, CR and `#` of a text, in order.
#[derive(Clone, Debug)]
struct Marks<'a> {
    text: &'a [u8],
    /// Where the octets begin that were not searched yet.
    rest: usize,
    found: [u32; ROOM],
    next: usize,
    len: usize,
}

/// Octets that are searched at once.
const BLOCK: usize = 64;
/// Marks that are found ahead at most: those of a few blocks, where every octet is one.
const ROOM: usize = 192;
/// How many places are written at once, meant or not, for a branch costs more than a few stores. Few blocks have more
/// marks, and those that have none are not told from the others.
const STRIDE: usize = 4;

impl<'a> Marks<'a> {
    fn new(text: &'a [u8], from: usize) -> Self {
        Self {
            text,
            rest: from,
            found: [0; ROOM],
            next: 0,
            len: 0,
        }
    }

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.next == self.len {
            self.search();
            if self.len == 0 {
                return None;
            }
        }
        let at = *self.found.get(self.next)?;
        self.next = self.next.wrapping_add(1);
        Some(at as usize)
    }

    /// Searches block by block while there is room for all that one can hold.
    #[inline(never)]
    fn search(&mut self) {
        (self.next, self.len) = (0, 0);
        while self.len.wrapping_add(BLOCK) <= ROOM {
            let Some(rest) = self.text.get(self.rest..).filter(|rest| !rest.is_empty()) else {
                return;
            };
            let bits = rest.first_chunk().map_or_else(|| last_marks(rest), marks);
            self.keep(bits);
            self.rest = self.rest.wrapping_add(BLOCK);
        }
    }

    #[inline]
    fn keep(&mut self, mut bits: u64) {
        let block = offset(self.rest);
        let mut to = self.len;
        self.len = to.wrapping_add(bits.count_ones() as usize);
        loop {
            let slots = self.found.get_mut(to..).and_then(<[u32]>::first_chunk_mut);
            let Some::<&mut [u32; STRIDE]>(slots) = slots else {
                return;
            };
            for slot in slots {
                *slot = block.wrapping_add(bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
            }
            to = to.wrapping_add(STRIDE);
            if bits == 0 {
                return;
            }
        }
    }
}

/// A bit for each LF, CR and `#`, the first octet's lowest. Written so that the compiler compares sixteen octets at
/// once; each product gathers the lowest bits of eight octets in its highest one.
#[inline]
fn marks(block: &[u8; BLOCK]) -> u64 {
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let hits = block
        .map(|octet| u8::from(octet == b'\n') | u8::from(octet == b'\r') | u8::from(octet == b'#'));
    let (eights, _) = hits.as_chunks::<8>();
    eights.iter().rev().fold(0, |bits, eight| {
        let gathered = u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56;
        bits << 8 | gathered
    })
}

/// The marks of what is left behind the last whole block.
fn last_marks(rest: &[u8]) -> u64 {
    let mut block = [0; BLOCK];
    for (to, from) in block.iter_mut().zip(rest) {
        *to = *from;
    }
    marks(&block)
}
