//! Many rules against one path. Where a short literal stands next is written down once for every octet of the path, and
//! read by all rules; before the path is searched for another one, `windows` tells whether it may be there at all.

use super::super::matcher;
use super::windows::Windows;

/// Literals that are written down at most, and octets of the longest path.
const MOST: usize = 15;
const LONGEST: usize = u16::MAX as usize - 1;
/// Octets of paths that are told about together, of each literal those of the whole path: 512 KiB are kept for them.
const TOLD: usize = 1 << 18;

/// What says that a literal stands nowhere behind.
const NOWHERE: u16 = u16::MAX;

/// A path, and where literals of up to four octets stand in it, written down when first asked for.
#[derive(Debug)]
pub(super) struct Occurrences<'p> {
    path: &'p [u8],
    windows: Windows,
    written: Written,
}

/// The literals that are written down.
#[derive(Debug)]
struct Written {
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
            written: Written {
                numbers: [0; 256],
                literals: Vec::new(),
            },
        }
    }

    /// Whether the path is matched by a pattern, without its final `$`, that has so many octets before its first `*`.
    pub(super) fn matches(&mut self, pattern: &[u8], prefix: usize, anchored: bool) -> bool {
        let path = self.path;
        matcher::matches_by(pattern, prefix, anchored, path, |literal, rest| {
            let from = path.len().checked_sub(rest.len())?;
            match self.written.of(literal, path) {
                Some(known) => path.get(known.end(from)?..),
                None if self.windows.may_hold(literal) => matcher::find_after(rest, literal),
                None => None,
            }
        })
    }
}

impl Written {
    /// Where `literal` stands in `path`, if that is written down or can be.
    #[inline]
    fn of(&mut self, literal: &[u8], path: &[u8]) -> Option<&Literal> {
        let octets = short(literal)?;
        let number = *self.numbers.get(place(octets))?;
        if number == 0 {
            return self.write_down(octets, literal, path);
        }
        let known = self.literals.get(usize::from(number).wrapping_sub(1));
        known.filter(|known| known.octets == octets)
    }

    #[cold]
    fn write_down(&mut self, octets: u32, literal: &[u8], path: &[u8]) -> Option<&Literal> {
        let told = self
            .literals
            .len()
            .saturating_add(1)
            .saturating_mul(path.len());
        if path.len() > LONGEST || self.literals.len() >= MOST || told > TOLD {
            return None;
        }
        self.literals.push(Literal::new(octets, literal, path));
        *self.numbers.get_mut(place(octets))? = u8::try_from(self.literals.len()).ok()?;
        self.literals.last()
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

/// The octets of a literal that is short enough to be written down, with zeros behind them.
#[inline]
const fn short(literal: &[u8]) -> Option<u32> {
    let octets = match *literal {
        [a] => [a, 0, 0, 0],
        [a, b] => [a, b, 0, 0],
        [a, b, c] => [a, b, c, 0],
        [a, b, c, d] => [a, b, c, d],
        _ => return None,
    };
    Some(u32::from_le_bytes(octets))
}

/// Where the number of a literal is kept.
#[inline]
const fn place(octets: u32) -> usize {
    (octets.wrapping_mul(0x9E37_79B1) >> 24) as usize
}
