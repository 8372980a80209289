//! Text to lines: CR, LF and CRLF, freely mixed (REP-13 to REP-16).

use super::Span;
use super::part::Part as _;
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
    begun: Begun,
    marks: Marks<'a>,
}

impl<'a> Lines<'a> {
    /// The lines of `text` from octet `body` on.
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

    /// All of them, without coming back between one and the next.
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

/// A line of which the end is not known yet.
#[derive(Clone, Copy, Debug)]
struct Begun {
    /// Where it begins.
    start: usize,
    /// Where its first `#` stands, if there was one.
    hash: usize,
    number: u32,
}

impl Begun {
    /// The line, if the mark `at` ends it. What is begun then is the next one.
    #[inline]
    fn ended_by(&mut self, text: &[u8], at: usize) -> Option<RawLine> {
        // The second half of a CR LF.
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
            start: at.wrapping_add(ending.octets().len()),
            hash: usize::MAX,
            // There are no more lines than octets.
            number: self.number.wrapping_add(1),
        };
        Some(line)
    }
}

/// The places of all LF, CR and `#` of a text, in order, and its end.
#[derive(Clone, Debug)]
struct Marks<'a> {
    text: &'a [u8],
    /// Where the octets begin that were not searched yet; the greatest number behind the last mark.
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
        let at = *self.left().first()?;
        self.next = self.next.wrapping_add(1);
        Some(at as usize)
    }

    /// Those that were found and not yet taken.
    #[inline]
    fn left(&self) -> &[u32] {
        self.found.part(self.next..self.len)
    }

    /// Searches block by block while there is room for all that one can hold. Whether there are more than were left.
    #[inline(never)]
    fn search(&mut self) -> bool {
        (self.next, self.len) = (0, 0);
        while self.len.wrapping_add(BLOCK) <= ROOM {
            let Some(rest) = self.text.get(self.rest..).filter(|rest| !rest.is_empty()) else {
                self.keep_end();
                break;
            };
            let (bits, count) = rest.first_chunk().map_or_else(|| last_marks(rest), marks);
            self.keep(bits, count);
            self.rest = self.rest.wrapping_add(BLOCK);
        }
        self.len > 0
    }

    /// The end of the text is the last mark, once.
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
    fn keep(&mut self, mut bits: u64, count: usize) {
        let block = offset(self.rest);
        let mut to = self.len;
        self.len = to.wrapping_add(count);
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

/// A bit for each LF, CR and `#`, the first octet's lowest, and how many there are. Written so that the compiler compares
/// sixteen octets at once; each product gathers the lowest bits of eight octets in its highest one, or adds them.
#[inline]
fn marks(block: &[u8; BLOCK]) -> (u64, usize) {
    const GATHER: u64 = 0x0102_0408_1020_4080;
    const ADD: u64 = 0x0101_0101_0101_0101;
    let hits = block
        .map(|octet| u8::from(octet == b'\n') | u8::from(octet == b'\r') | u8::from(octet == b'#'));
    let (eights, _) = hits.as_chunks::<8>();
    let eights = eights.iter().map(|eight| u64::from_le_bytes(*eight));
    let bits = eights.clone().rev().fold(0, |bits, eight| {
        bits << 8 | eight.wrapping_mul(GATHER) >> 56
    });
    let counts = eights.fold(0_u64, u64::wrapping_add);
    (bits, (counts.wrapping_mul(ADD) >> 56) as usize)
}

/// The marks of what is left behind the last whole block.
fn last_marks(rest: &[u8]) -> (u64, usize) {
    let mut block = [0; BLOCK];
    for (to, from) in block.iter_mut().zip(rest) {
        *to = *from;
    }
    marks(&block)
}
