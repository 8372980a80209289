//! Compiled rules in one piece of memory.
//!
//! ```text
//! keys · plain rules · wild rules · index · octets
//! ```
//!
//! Numbers have two octets each where all of them fit, and four elsewhere. A rule's octets end where those of the next
//! rule begin.

use super::super::octet_set::OctetSet;
use super::Strength;
use super::grams::Grams;
use crate::text::offset;

/// Compiled rules and their octets, as they are kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    bytes: Box<[u8]>,
    counts: Counts,
    wide: bool,
}

/// How much of each kind there is in an arena.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// Plain rules.
    plain: u32,
    /// Wild rules.
    wild: u32,
    /// Numbers that the index has.
    index: u32,
}

/// The arena of either width.
pub(super) enum Rules<'a> {
    Narrow(View<'a, 2, 8, 16>),
    Wide(View<'a, 4, 16, 24>),
}

/// The parts of an arena: `NUMBER` octets in a number, `PLAIN` and `WILD` in a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a, const NUMBER: usize, const PLAIN: usize, const WILD: usize> {
    keys: &'a [[u8; KEY]],
    plain: &'a [[u8; PLAIN]],
    wild: &'a [[u8; WILD]],
    index: &'a [[u8; NUMBER]],
    octets: &'a [u8],
}

/// Octets of a key: what a plain rule begins with, behind its `/`.
const KEY: usize = 4;
/// Octets of what a wild rule requires, which stands before its numbers.
const REQUIRED: usize = 8;

/// A plain rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    pub(super) strength: Strength,
    pub(super) line: u32,
    /// Octets of its prefix.
    pub(super) len: usize,
    /// The next rule on the chain; no rule's number where it ends.
    pub(super) link: usize,
}

/// A wild rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wild<'a> {
    pub(super) strength: Strength,
    pub(super) line: u32,
    pub(super) octets: &'a [u8],
    /// How many of the octets stand before the first `*`.
    pub(super) prefix: usize,
}

/// The numbers of a rule, in their order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    /// Where its octets begin.
    pub(super) start: u32,
    pub(super) strength: Strength,
    pub(super) line: u32,
    /// The link of a plain rule, the prefix of a wild one.
    pub(super) last: u32,
}

/// What an arena is made of.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) plain: Vec<(u32, Numbers)>,
    pub(super) wild: Vec<(OctetSet, Numbers)>,
    pub(super) index: Vec<u32>,
}

/// The link of a rule that is the last of its chain. Written in two octets it is still no rule's number.
pub(super) const NONE: u32 = u32::MAX;

impl Arena {
    /// Puts `parts` together with the octets of their rules. `greatest` is no less than any number in there, but for
    /// [`NONE`].
    pub(super) fn new<'o>(
        parts: &Parts,
        octets: impl Iterator<Item = &'o [u8]>,
        octets_len: usize,
        greatest: u32,
    ) -> Self {
        let wide = greatest >= u32::from(u16::MAX);
        let number: usize = if wide { 4 } else { 2 };
        let rule = number.saturating_mul(4);
        let records = |count: usize, octets: usize| count.saturating_mul(octets);
        let size = records(parts.plain.len(), KEY.saturating_add(rule))
            .saturating_add(records(parts.wild.len(), REQUIRED.saturating_add(rule)))
            .saturating_add(records(parts.index.len(), number))
            .saturating_add(octets_len);
        let mut bytes = Vec::with_capacity(size);
        for (key, _) in &parts.plain {
            bytes.extend_from_slice(&key.to_le_bytes());
        }
        for (_, numbers) in &parts.plain {
            numbers.write(wide, &mut bytes);
        }
        for (required, numbers) in &parts.wild {
            bytes.extend_from_slice(&required.to_bits().to_le_bytes());
            numbers.write(wide, &mut bytes);
        }
        for &value in &parts.index {
            write(value, wide, &mut bytes);
        }
        octets.for_each(|octets| bytes.extend_from_slice(octets));
        Self {
            bytes: bytes.into_boxed_slice(),
            counts: Counts {
                plain: offset(parts.plain.len()),
                wild: offset(parts.wild.len()),
                index: offset(parts.index.len()),
            },
            wide,
        }
    }

    #[inline]
    pub(super) fn rules(&self) -> Rules<'_> {
        if self.wide {
            Rules::Wide(View::new(&self.bytes, self.counts))
        } else {
            Rules::Narrow(View::new(&self.bytes, self.counts))
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.bytes.len()
    }
}

impl Numbers {
    fn write(&self, wide: bool, bytes: &mut Vec<u8>) {
        for value in [self.start, self.strength.0, self.line, self.last] {
            write(value, wide, bytes);
        }
    }
}

#[inline]
fn write(value: u32, wide: bool, bytes: &mut Vec<u8>) {
    let [a, b, c, d] = value.to_le_bytes();
    if wide {
        bytes.extend_from_slice(&[a, b, c, d]);
    } else {
        bytes.extend_from_slice(&[a, b]);
    }
}

/// The number that begins at octet `at` of `record`.
#[inline]
fn number<const NUMBER: usize>(record: &[u8], at: usize) -> u32 {
    let octets = record.get(at..).unwrap_or_default();
    match NUMBER {
        2 => octets
            .first_chunk()
            .map_or(0, |two| u16::from_le_bytes(*two).into()),
        _ => octets
            .first_chunk()
            .map_or(0, |four| u32::from_le_bytes(*four)),
    }
}

/// Four octets behind the first one, as a number that sorts as they do.
#[inline]
pub(super) fn key(octets: &[u8]) -> u32 {
    match octets {
        [_, a, b, c, d, ..] => u32::from_be_bytes([*a, *b, *c, *d]),
        [_, a, b, c] => u32::from_be_bytes([*a, *b, *c, 0]),
        [_, a, b] => u32::from_be_bytes([*a, *b, 0, 0]),
        [_, a] => u32::from_be_bytes([*a, 0, 0, 0]),
        _ => 0,
    }
}

/// The first `count` records of so many octets each, and what stands behind them.
#[inline]
fn split<const N: usize>(bytes: &[u8], count: u32) -> (&[[u8; N]], &[u8]) {
    let (records, rest) = bytes
        .split_at_checked((count as usize).wrapping_mul(N))
        .unwrap_or_default();
    (records.as_chunks().0, rest)
}

impl<'a, const NUMBER: usize, const PLAIN: usize, const WILD: usize> View<'a, NUMBER, PLAIN, WILD> {
    #[inline]
    fn new(bytes: &'a [u8], counts: Counts) -> Self {
        let (keys, rest) = split(bytes, counts.plain);
        let (plain, rest) = split(rest, counts.plain);
        let (wild, rest) = split(rest, counts.wild);
        let (index, octets) = split(rest, counts.index);
        Self {
            keys,
            plain,
            wild,
            index,
            octets,
        }
    }

    #[inline]
    fn key(&self, at: usize) -> Option<u32> {
        self.keys.get(at).map(|key| u32::from_le_bytes(*key))
    }

    /// The last plain rule that is not greater than `path`.
    #[inline]
    pub(super) fn last_up_to(&self, path: &[u8]) -> Option<usize> {
        let own = key(path);
        let after = self
            .keys
            .partition_point(|key| u32::from_le_bytes(*key) <= own);
        let last = after.checked_sub(1)?;
        // Most often there are few of the same key, and the last is it.
        if self.key(last) != Some(own) || self.octets_of(last) <= path {
            return Some(last);
        }
        let before = self.keys.get(..last).unwrap_or_default();
        let mut low = before.partition_point(|key| u32::from_le_bytes(*key) < own);
        let mut high = last;
        while low < high {
            let middle = low.midpoint(high);
            if self.octets_of(middle) <= path {
                low = middle.wrapping_add(1);
            } else {
                high = middle;
            }
        }
        low.checked_sub(1)
    }

    #[inline]
    fn start(&self, at: usize) -> usize {
        let start = |rule: &[u8; PLAIN]| number::<NUMBER>(rule, 0) as usize;
        self.plain.get(at).map_or_else(|| self.wild_start(0), start)
    }

    #[inline]
    fn wild_start(&self, at: usize) -> usize {
        let start = |rule: &[u8; WILD]| number::<NUMBER>(rule, REQUIRED) as usize;
        self.wild.get(at).map_or(self.octets.len(), start)
    }

    /// The octets of a plain rule.
    #[inline]
    pub(super) fn octets_of(&self, at: usize) -> &'a [u8] {
        let range = self.start(at)..self.start(at.wrapping_add(1));
        self.octets.get(range).unwrap_or_default()
    }

    #[inline]
    pub(super) fn plain(&self, at: usize) -> Option<Plain> {
        let rule = self.plain.get(at)?;
        let link = number::<NUMBER>(rule, NUMBER.wrapping_mul(3));
        Some(Plain {
            strength: Strength(number::<NUMBER>(rule, NUMBER)),
            line: number::<NUMBER>(rule, NUMBER.wrapping_mul(2)),
            len: self.start(at.wrapping_add(1)).wrapping_sub(self.start(at)),
            link: link as usize,
        })
    }

    pub(super) fn wild_len(&self) -> usize {
        self.wild.len()
    }

    /// How strong wild rule `at` is, and what octets it requires.
    #[inline]
    pub(super) fn wild_head(&self, at: usize) -> Option<(Strength, OctetSet)> {
        let rule = self.wild.get(at)?;
        let (required, _) = rule.split_first_chunk()?;
        let strength = number::<NUMBER>(rule, REQUIRED.wrapping_add(NUMBER));
        Some((
            Strength(strength),
            OctetSet::from_bits(u64::from_le_bytes(*required)),
        ))
    }

    #[inline]
    pub(super) fn wild(&self, at: usize) -> Option<Wild<'a>> {
        let rule = self.wild.get(at)?;
        let numbered =
            |of: usize| number::<NUMBER>(rule, REQUIRED.wrapping_add(NUMBER.wrapping_mul(of)));
        let range = self.wild_start(at)..self.wild_start(at.wrapping_add(1));
        Some(Wild {
            strength: Strength(numbered(1)),
            line: numbered(2),
            octets: self.octets.get(range).unwrap_or_default(),
            prefix: numbered(3) as usize,
        })
    }

    /// The index of the wild rules, where there are many.
    #[inline]
    pub(super) fn grams(&self) -> Option<Grams<'a, NUMBER>> {
        Grams::new(self.index)
    }
}

/// A number of the index.
#[inline]
pub(super) fn read<const NUMBER: usize>(octets: &[u8; NUMBER]) -> u32 {
    number::<NUMBER>(octets, 0)
}
