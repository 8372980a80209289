//! Compiled rules in one piece of memory.
//!
//! ```text
//! annex · keys · plain rules · requirements · wild rules · index · octets
//! ```
//!
//! Numbers have two octets each where all of them fit, and four elsewhere. A rule's octets end where those of the next
//! rule begin.

use super::super::octet_set::OctetSet;
use super::grams::Grams;
use super::{Strength, shared_length};
use std::cmp::Ordering;

/// Compiled rules and their octets, as they are kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    bytes: Box<[u8]>,
    counts: Counts,
    wide: bool,
}

/// How much of each kind there is in an arena.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Octets that are not ours.
    pub(super) annex: u32,
    /// Plain rules.
    pub(super) plain: u32,
    /// Wild rules.
    pub(super) wild: u32,
    /// Numbers that the index has.
    pub(super) index: u32,
}

/// The arena of either width.
pub(super) enum Rules<'a> {
    Narrow(View<'a, 2, 8>),
    Wide(View<'a, 4, 16>),
}

/// The parts of an arena: `NUMBER` octets in a number, `RULE` in a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a, const NUMBER: usize, const RULE: usize> {
    keys: &'a [[u8; KEY]],
    plain: &'a [[u8; RULE]],
    required: &'a [[u8; REQUIRED]],
    wild: &'a [[u8; RULE]],
    index: &'a [[u8; NUMBER]],
    octets: &'a [u8],
}

/// Keys that are counted rather than searched in halves.
const FEW_KEYS: usize = 64;

/// Octets of a key: what a plain rule begins with, behind its `/`.
const KEY: usize = 4;
/// Octets of what a wild rule requires.
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

/// The link of a rule that is the last of its chain. Written in two octets it is still no rule's number.
pub(super) const NONE: u32 = u32::MAX;

/// An arena that is written, part by part, in the order of the parts.
#[derive(Debug)]
pub(super) struct Writer {
    bytes: Vec<u8>,
    counts: Counts,
    wide: bool,
}

impl Writer {
    /// Writes the part of a sort key that is kept.
    pub(super) fn key(&mut self, sort_key: u64) {
        self.bytes.extend_from_slice(&key(sort_key).to_le_bytes());
    }

    /// Writes what a wild rule requires.
    pub(super) fn required(&mut self, required: OctetSet) {
        self.bytes
            .extend_from_slice(&required.to_bits().to_le_bytes());
    }

    /// Writes the numbers of a rule: where its octets begin, its strength, its line, then its link or the octets of
    /// its prefix.
    #[inline]
    pub(super) fn numbers(&mut self, numbers: [u32; 4]) {
        let [a, b, c, d] = numbers.map(u32::to_le_bytes);
        if self.wide {
            self.bytes.extend_from_slice([a, b, c, d].as_flattened());
        } else {
            let narrow = [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]];
            self.bytes.extend_from_slice(&narrow);
        }
    }

    /// Writes a number of the index.
    pub(super) fn number(&mut self, number: u32) {
        let [a, b, c, d] = number.to_le_bytes();
        if self.wide {
            self.bytes.extend_from_slice(&[a, b, c, d]);
        } else {
            self.bytes.extend_from_slice(&[a, b]);
        }
    }

    /// Writes octets.
    pub(super) fn octets(&mut self, octets: &[u8]) {
        self.bytes.extend_from_slice(octets);
    }

    pub(super) fn finish(self) -> Arena {
        Arena {
            bytes: self.bytes.into_boxed_slice(),
            counts: self.counts,
            wide: self.wide,
        }
    }
}

impl Arena {
    /// An arena to be written, for so much of each kind, and so many octets. `greatest` is the greatest number of all.
    pub(super) fn with_capacity(counts: Counts, octets: u32, greatest: u32) -> Writer {
        let wide = greatest >= u32::from(u16::MAX);
        let number: usize = if wide { 4 } else { 2 };
        let rule = number.saturating_mul(4);
        let records = |count: u32, octets: usize| (count as usize).saturating_mul(octets);
        let size = records(counts.plain, KEY.saturating_add(rule))
            .saturating_add(records(counts.wild, REQUIRED.saturating_add(rule)))
            .saturating_add(records(counts.index, number))
            .saturating_add(records(counts.annex, 1))
            .saturating_add(octets as usize);
        Writer {
            bytes: Vec::with_capacity(size),
            counts,
            wide,
        }
    }

    /// What is kept beside the rules.
    pub(super) fn annex(&self) -> &[u8] {
        split::<1>(&self.bytes, self.counts.annex).0.as_flattened()
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

/// The first eight octets, as a number that sorts as they do.
#[inline]
fn eight(octets: &[u8]) -> u64 {
    let eight = octets.first_chunk().copied().unwrap_or_else(|| {
        let mut padded = [0; 8];
        for (to, from) in padded.iter_mut().zip(octets) {
            *to = *from;
        }
        padded
    });
    u64::from_be_bytes(eight)
}

/// Eight octets behind the `/`: what plain rules are sorted by.
#[inline]
pub(super) fn sort_key(octets: &[u8]) -> u64 {
    eight(octets.get(1..).unwrap_or_default())
}

/// The part of [`sort_key`] that is kept.
#[inline]
const fn key(sort_key: u64) -> u32 {
    (sort_key >> 32) as u32
}

/// The eight octets behind those of the key.
#[inline]
fn behind_key(octets: &[u8]) -> u64 {
    eight(octets.get(1_usize.wrapping_add(KEY)..).unwrap_or_default())
}

/// The first `count` records of so many octets each, and what stands behind them.
#[inline]
fn split<const N: usize>(bytes: &[u8], count: u32) -> (&[[u8; N]], &[u8]) {
    let (records, rest) = bytes
        .split_at_checked((count as usize).wrapping_mul(N))
        .unwrap_or_default();
    (records.as_chunks().0, rest)
}

impl<'a, const NUMBER: usize, const RULE: usize> View<'a, NUMBER, RULE> {
    #[inline]
    fn new(bytes: &'a [u8], counts: Counts) -> Self {
        let (_, rest) = split::<1>(bytes, counts.annex);
        let (keys, rest) = split(rest, counts.plain);
        let (plain, rest) = split(rest, counts.plain);
        let (required, rest) = split(rest, counts.wild);
        let (wild, rest) = split(rest, counts.wild);
        let (index, octets) = split(rest, counts.index);
        Self {
            keys,
            plain,
            required,
            wild,
            index,
            octets,
        }
    }

    /// How many keys are not greater than `own`. Of the last few all are counted, which is quicker than to go on in
    /// halves.
    #[inline]
    fn keys_up_to(&self, own: u32) -> usize {
        let (mut before, mut rest) = (0_usize, self.keys);
        while rest.len() > FEW_KEYS {
            let (low, high) = rest.split_at_checked(rest.len() / 2).unwrap_or_default();
            let is_low = high
                .first()
                .is_none_or(|key| u32::from_le_bytes(*key) > own);
            before = before.wrapping_add(if is_low { 0 } else { low.len() });
            rest = if is_low { low } else { high };
        }
        let not_greater = rest
            .iter()
            .map(|key| u32::from(u32::from_le_bytes(*key) <= own));
        before.wrapping_add(not_greater.sum::<u32>() as usize)
    }

    /// The last plain rule that is not greater than `path`, and how many octets the two begin with together.
    #[inline]
    pub(super) fn last_up_to(&self, path: &[u8]) -> Option<(usize, usize)> {
        let own = key(sort_key(path));
        let last = self.keys_up_to(own).checked_sub(1)?;
        let differ = self
            .keys
            .get(last)
            .map(|key| u32::from_le_bytes(*key) ^ own)?;
        if differ != 0 {
            // The octets of the key, the `/` before them, and no more.
            let shared = (differ.leading_zeros() as usize / 8).wrapping_add(1);
            let len = self
                .start(last.wrapping_add(1))
                .wrapping_sub(self.start(last));
            return Some((last, shared.min(len).min(path.len())));
        }
        let before = self.keys.get(..last).unwrap_or_default();
        let first = before.partition_point(|key| u32::from_le_bytes(*key) < own);
        self.last_among_equal_keys(first, last, path)
    }

    /// The same among the rules from `first` to `last`, which begin as the path does, or the one before them.
    fn last_among_equal_keys(
        &self,
        first: usize,
        last: usize,
        path: &[u8],
    ) -> Option<(usize, usize)> {
        let own = behind_key(path);
        let (mut low, mut high) = (first, last.wrapping_add(1));
        while low < high {
            let middle = low.midpoint(high);
            let octets = self.octets_of(middle);
            let is_greater = match behind_key(octets).cmp(&own) {
                Ordering::Equal => octets > path,
                order => order == Ordering::Greater,
            };
            if is_greater {
                high = middle;
            } else {
                low = middle.wrapping_add(1);
            }
        }
        let last = low.checked_sub(1)?;
        Some((last, shared_length(self.octets_of(last), path)))
    }

    #[inline]
    fn start(&self, at: usize) -> usize {
        let start = |rule: &[u8; RULE]| number::<NUMBER>(rule, 0) as usize;
        self.plain.get(at).map_or_else(|| self.wild_start(0), start)
    }

    #[inline]
    fn wild_start(&self, at: usize) -> usize {
        let start = |rule: &[u8; RULE]| number::<NUMBER>(rule, 0) as usize;
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

    /// What each wild rule requires, strongest first.
    #[inline]
    pub(super) fn required(&self) -> impl Iterator<Item = OctetSet> + 'a {
        self.required.iter().copied().map(required)
    }

    /// What wild rule `at` requires.
    #[inline]
    pub(super) fn required_by(&self, at: usize) -> Option<OctetSet> {
        self.required.get(at).copied().map(required)
    }

    #[inline]
    pub(super) fn wild(&self, at: usize) -> Option<Wild<'a>> {
        let rule = self.wild.get(at)?;
        let numbered = |of: usize| number::<NUMBER>(rule, NUMBER.wrapping_mul(of));
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

/// What a wild rule requires, as it was written.
#[inline]
fn required(octets: [u8; REQUIRED]) -> OctetSet {
    OctetSet::from_bits(u64::from_le_bytes(octets))
}

/// A number of the index.
#[inline]
pub(super) fn read<const NUMBER: usize>(octets: &[u8; NUMBER]) -> u32 {
    number::<NUMBER>(octets, 0)
}
