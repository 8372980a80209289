//! Many rules against one path. Where a short literal stands next is written down once for every octet of the path, and
//! read by all rules; before the path is searched for another one, `windows` tells whether it may be there at all.

use super::super::matcher;
use super::windows::Windows;

/// Literals that are written down at most, and octets of the longest path: what is kept stays below 128 KiB.
const MOST: usize = 15;
const LONGEST: usize = 4_095;

/// What says that a literal stands nowhere behind.
const NOWHERE: u16 = u16::MAX;

/// Octets of the longest literal that is written down.
const LITERAL: usize = 4;

/// A path, and where short literals stand in it, written down when first asked for.
#[derive(Debug)]
pub(super) struct Occurrences<'p> {
    path: &'p [u8],
    windows: Windows,
    /// The number of a literal, by its [`place`]; 0 is none.
    numbers: [u8; 256],
    literals: Vec<Literal>,
}

/// A literal, and for every octet of the path, and its end, where the first one from there on ends.
#[derive(Debug)]
struct Literal {
    /// Zeros stand behind those of a shorter one.
    octets: u32,
    ends: Box<[u16]>,
}

impl<'p> Occurrences<'p> {
    /// For rules that are compared with `path`.
    pub(super) fn new(path: &'p [u8]) -> Self {
        Self {
            path,
            windows: Windows::of(path),
            numbers: [0; 256],
            literals: Vec::new(),
        }
    }

    /// Whether the path is matched by a pattern, without its final `$`, that has so many octets before its first `*`.
    pub(super) fn matches(&mut self, pattern: &[u8], prefix: usize, anchored: bool) -> bool {
        let Some((first, mut rest)) = pattern.split_at_checked(prefix) else {
            return false;
        };
        let mut tail: &[u8] = b"";
        if anchored && let Some(star) = memchr::memrchr(b'*', rest) {
            (rest, tail) = rest.split_at_checked(star).unwrap_or_default();
            tail = tail.get(1..).unwrap_or_default();
        }
        if !self.path.starts_with(first) || !self.path.ends_with(tail) {
            return false;
        }
        let mut at = first.len();
        while let [octet, others @ ..] = rest {
            if *octet == b'*' {
                rest = others;
                continue;
            }
            let (short, len) = literal(rest);
            let (literal, behind) = rest.split_at_checked(len).unwrap_or_default();
            let known = short.and_then(|octets| self.written_down(octets, literal));
            let end = match known {
                Some(known) => known.end(at),
                None => self.searched(literal, at),
            };
            let Some(end) = end else { return false };
            (at, rest) = (end, behind);
        }
        let rest = self.path.get(at..).unwrap_or_default();
        !anchored || rest.ends_with(tail)
    }

    /// A literal that is written down, or can be.
    #[inline]
    fn written_down(&mut self, octets: u32, literal: &[u8]) -> Option<&Literal> {
        let number = *self.numbers.get(place(octets))?;
        if number == 0 {
            return self.write_down(octets, literal);
        }
        let known = self.literals.get(usize::from(number).wrapping_sub(1));
        known.filter(|known| known.octets == octets)
    }

    #[cold]
    fn write_down(&mut self, octets: u32, literal: &[u8]) -> Option<&Literal> {
        if self.path.len() > LONGEST || self.literals.len() >= MOST {
            return None;
        }
        self.literals.push(Literal::new(octets, literal, self.path));
        *self.numbers.get_mut(place(octets))? = u8::try_from(self.literals.len()).ok()?;
        self.literals.last()
    }

    /// Where a literal ends that begins first at octet `from` or behind it.
    fn searched(&self, literal: &[u8], from: usize) -> Option<usize> {
        let rest = self.path.get(from..)?;
        let behind = self
            .windows
            .may_hold(literal)
            .then(|| matcher::find_after(rest, literal))??;
        self.path.len().checked_sub(behind.len())
    }
}

impl Literal {
    fn new(octets: u32, literal: &[u8], path: &[u8]) -> Self {
        let mut ends = vec![NOWHERE; path.len().wrapping_add(1)];
        let mut end = NOWHERE;
        for (at, slot) in ends.iter_mut().enumerate().rev() {
            if path.get(at..).is_some_and(|rest| rest.starts_with(literal)) {
                end = u16::try_from(at.wrapping_add(literal.len())).unwrap_or(NOWHERE);
            }
            *slot = end;
        }
        Self {
            octets,
            ends: ends.into_boxed_slice(),
        }
    }

    /// Where it ends that begins first at octet `from` or behind it.
    #[inline]
    fn end(&self, from: usize) -> Option<usize> {
        let end = self.ends.get(from).copied();
        end.filter(|end| *end != NOWHERE).map(usize::from)
    }
}

/// The octets before the first `*`, or all, and how many they are; the octets only of a literal that can be written down.
#[inline]
fn literal(text: &[u8]) -> (Option<u32>, usize) {
    let Some(eight) = text.first_chunk() else {
        let len = text.iter().position(|&octet| octet == b'*');
        let len = len.unwrap_or(text.len());
        let mut octets = [0; LITERAL];
        for (to, from) in octets.iter_mut().zip(text.iter().take(len)) {
            *to = *from;
        }
        return ((len <= LITERAL).then_some(u32::from_le_bytes(octets)), len);
    };
    let eight = u64::from_le_bytes(*eight);
    let differ = eight ^ u64::from_le_bytes([b'*'; 8]);
    let ones = u64::from_le_bytes([1; 8]);
    // The lowest octet that is zero now has the lowest bit of these.
    let found = differ.wrapping_sub(ones) & !differ & ones << 7;
    if found == 0 {
        let len = text.iter().position(|&octet| octet == b'*');
        return (None, len.unwrap_or(text.len()));
    }
    let bits = found.trailing_zeros() & !7;
    let octets = eight & (1_u64 << bits).wrapping_sub(1);
    (u32::try_from(octets).ok(), bits as usize / 8)
}

/// Where the number of a literal is kept.
#[inline]
const fn place(octets: u32) -> usize {
    (octets.wrapping_mul(0x9E37_79B1) >> 24) as usize
}
