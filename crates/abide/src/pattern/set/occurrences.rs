//! Many rules against one path. A table per short literal has the next place of the literal for
//! every byte of the path, and all rules use it. Before the path is searched for any other
//! literal, `windows` shows whether it can be there at all. This keeps hostile files linear (W5).

use super::super::matcher;
use super::windows::Windows;

/// The most literals that have a table, and the longest path.
const MAX_LITERALS: usize = 15;
const MAX_PATH_BYTES: usize = u16::MAX as usize - 1;
/// The most entries of all tables together, two bytes each: 512 KiB.
const MAX_ENTRIES: usize = 1 << 18;

/// The entry for "the literal does not follow".
const NOWHERE: u16 = u16::MAX;

/// A path, with a table for each literal of up to four bytes, built when first needed.
#[derive(Debug)]
pub(super) struct Occurrences<'p> {
    path: &'p [u8],
    windows: Windows,
    written: LiteralTable,
}

/// The literals that have a table.
#[derive(Debug)]
struct LiteralTable {
    /// The number of a literal, by its [`place`]; 0 for none.
    numbers: [u8; 256],
    literals: Vec<Literal>,
}

/// A literal. For every byte of the path, and for its end: where the next occurrence of the
/// literal ends.
#[derive(Debug)]
struct Literal {
    /// Its bytes, with zeros after those of a shorter one.
    bytes: u32,
    ends: Box<[u16]>,
}

impl<'p> Occurrences<'p> {
    /// Creates the tables for `path`, all empty.
    pub(super) fn new(path: &'p [u8]) -> Self {
        Self {
            path,
            windows: Windows::of(path),
            written: LiteralTable {
                numbers: [0; 256],
                literals: Vec::new(),
            },
        }
    }

    /// Whether a pattern, without its final `$`, matches the path. `prefix` bytes precede its
    /// first `*`.
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

impl LiteralTable {
    /// The table of `literal`, if there is one or there is room for one.
    #[inline]
    fn of(&mut self, literal: &[u8], path: &[u8]) -> Option<&Literal> {
        let bytes = short(literal)?;
        let number = *self.numbers.get(place(bytes))?;
        if number == 0 {
            return self.write_down(bytes, literal, path);
        }
        let known = self.literals.get(usize::from(number).wrapping_sub(1));
        // Another literal may have taken the slot. Then this one is searched for each time.
        known.filter(|known| known.bytes == bytes)
    }

    #[cold]
    fn write_down(&mut self, bytes: u32, literal: &[u8], path: &[u8]) -> Option<&Literal> {
        let kept = self
            .literals
            .len()
            .saturating_add(1)
            .saturating_mul(path.len());
        if path.len() > MAX_PATH_BYTES || self.literals.len() >= MAX_LITERALS || kept > MAX_ENTRIES
        {
            return None;
        }
        self.literals.push(Literal::new(bytes, literal, path));
        *self.numbers.get_mut(place(bytes))? = u8::try_from(self.literals.len()).ok()?;
        self.literals.last()
    }
}

impl Literal {
    fn new(bytes: u32, literal: &[u8], path: &[u8]) -> Self {
        let mut ends = vec![NOWHERE; path.len().wrapping_add(1)];
        let mut end = NOWHERE;
        // From the end, so that each place knows the next occurrence.
        for (at, slot) in ends.iter_mut().enumerate().rev() {
            if path.get(at..).is_some_and(|rest| rest.starts_with(literal)) {
                // It fits: no path with a table is longer than `MAX_PATH_BYTES`.
                end = u16::try_from(at.wrapping_add(literal.len())).unwrap_or(NOWHERE);
            }
            *slot = end;
        }
        Self {
            bytes,
            ends: ends.into_boxed_slice(),
        }
    }

    /// Where the first occurrence at or after byte `from` ends.
    #[inline]
    fn end(&self, from: usize) -> Option<usize> {
        let end = self.ends.get(from).copied();
        end.filter(|end| *end != NOWHERE).map(usize::from)
    }
}

/// The bytes of a literal that is short enough for a table, with zeros after them.
#[inline]
const fn short(literal: &[u8]) -> Option<u32> {
    let bytes = match *literal {
        [a] => [a, 0, 0, 0],
        [a, b] => [a, b, 0, 0],
        [a, b, c] => [a, b, c, 0],
        [a, b, c, d] => [a, b, c, d],
        _ => return None,
    };
    Some(u32::from_le_bytes(bytes))
}

/// The slot of a literal in [`LiteralTable::numbers`].
#[inline]
const fn place(bytes: u32) -> usize {
    (bytes.wrapping_mul(0x9E37_79B1) >> 24) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        /// More patterns than there is room for literals.
        #[test]
        fn patterns_match_as_they_do_without(path in "/[abc]{0,40}", patterns in prop::collection::vec(("/?[abc]{0,2}", "[abc*]{0,9}", any::<bool>()), 1..60)) {
            let mut known = Occurrences::new(path.as_bytes());
            for (prefix, rest, anchored) in patterns {
                let pattern = format!("{prefix}*{rest}");
                let expected = matcher::matches(pattern.as_bytes(), anchored, path.as_bytes());
                let found = known.matches(pattern.as_bytes(), prefix.len(), anchored);
                prop_assert_eq!(found, expected, "{} and {}", pattern, path);
            }
        }
    }
}
