//! An index of many wild rules by three bytes (a *gram*) that a path must contain.
//!
//! Each rule is filed under one gram of its literals: the one that the fewest other rules have. A
//! path visits the bucket of each of its grams once. Rules without a literal of three bytes are
//! always tried.

use super::arena::number;
use crate::array_windows::array_windows;
use crate::text::Part as _;
use crate::text::offset;

/// Up to this many wild rules are tried without an index: one bit of a `u64` each.
pub(super) const MAX_UNINDEXED: usize = u64::BITS as usize;

/// The most buckets that an index has.
const MAX_BUCKETS: usize = 1 << 15;

/// The most bucket starts that a small index has.
const MAX_SMALL_BUCKETS: usize = 1 << 11;

/// Bytes of a gram.
const GRAM: usize = 3;

/// An index, as it is in the arena: how many bits a bucket number has, where each bucket begins,
/// where the last one ends, and the rules of all buckets. Rules that are always tried follow the
/// last bucket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grams<'a, const NUMBER: usize> {
    starts: &'a [[u8; NUMBER]],
    rules: &'a [[u8; NUMBER]],
    shift: u32,
}

impl<'a, const NUMBER: usize> Grams<'a, NUMBER> {
    #[inline]
    pub(super) fn new(index: &'a [[u8; NUMBER]]) -> Option<Self> {
        let (bits, rest) = index.split_first()?;
        let bits = read(bits);
        // One start more than buckets, for the rules that are always tried.
        let (starts, rules) = rest.split_at_checked(1_usize.checked_shl(bits)?.checked_add(1)?)?;
        Some(Self {
            starts,
            rules,
            shift: u32::BITS.wrapping_sub(bits),
        })
    }

    /// The rules of a bucket, strongest first. The bucket after the last has the rules that are
    /// always tried.
    #[inline]
    fn bucket(&self, number: usize) -> &'a [[u8; NUMBER]] {
        let start = self.starts.get(number).map_or(0, read) as usize;
        let next = self.starts.get(number.wrapping_add(1));
        let end = next.map_or(self.rules.len(), |end| read(end) as usize);
        self.rules.part(start..end)
    }

    /// The rules that are always tried, strongest first.
    #[inline]
    pub(super) fn always(&self) -> impl ExactSizeIterator<Item = usize> + use<'a, NUMBER> {
        let rules = self.bucket(self.starts.len().wrapping_sub(1));
        rules.iter().map(|rule| read(rule) as usize)
    }

    /// Calls `see` for the rules of each bucket of the grams of `path`, until it returns `false`
    /// for a bucket. Leaves out the rules that are always tried.
    #[inline]
    pub(super) fn visit(&self, path: &[u8], see: impl FnMut(usize) -> bool) {
        // Zeroing the bits of the largest index takes longer than the whole visit of a small one.
        if self.starts.len() <= MAX_SMALL_BUCKETS {
            self.visit_once::<{ MAX_SMALL_BUCKETS / 64 }>(path, see);
        } else {
            self.visit_once::<{ MAX_BUCKETS / 64 }>(path, see);
        }
    }

    /// Like [`Grams::visit`], and remembers the visited buckets in `WORDS` words of 64
    /// bits.
    #[inline(never)]
    fn visit_once<const WORDS: usize>(&self, path: &[u8], mut see: impl FnMut(usize) -> bool) {
        let mut seen = [0_u64; WORDS];
        for window in array_windows::<_, GRAM>(path) {
            let number = bucket_of(*window, self.shift);
            let rules = self.bucket(number);
            if rules.is_empty() {
                continue;
            }
            // `visit` chose `WORDS` by the number of buckets, so there is a word.
            let Some(word) = seen.get_mut(number / 64) else {
                continue;
            };
            let bit = 1 << (number % 64);
            if *word & bit == 0 {
                *word |= bit;
                let _ = rules.iter().all(|rule| see(read(rule) as usize));
            }
        }
    }
}

/// A number of the index.
#[inline]
fn read<const NUMBER: usize>(bytes: &[u8; NUMBER]) -> u32 {
    number::<NUMBER>(bytes, 0)
}

#[inline]
fn bucket_of([a, b, c]: [u8; GRAM], shift: u32) -> usize {
    let gram = u32::from_le_bytes([a, b, c, 0]);
    (gram.wrapping_mul(0x9E37_79B1) >> shift) as usize
}

/// The buckets of the grams of a rule's literals.
fn grams(bytes: &[u8], shift: u32) -> impl Iterator<Item = usize> {
    let grams = array_windows::<_, GRAM>(bytes);
    let literal = grams.filter(|gram| gram.iter().all(|&byte| byte != b'*'));
    literal.map(move |gram| bucket_of(*gram, shift))
}

/// Builds the index of rules with these bytes, strongest first.
pub(super) fn index<'o>(rules: impl ExactSizeIterator<Item = &'o [u8]> + Clone) -> Vec<u32> {
    let count = rules.len();
    // At least two buckets a rule up to `MAX_BUCKETS`, so that most grams of a path meet an empty
    // one.
    let buckets = count
        .next_power_of_two()
        .saturating_mul(2)
        .clamp(64, MAX_BUCKETS);
    let shift = u32::BITS.saturating_sub(buckets.trailing_zeros());
    let mut frequency = vec![0_u32; buckets];
    for number in rules.clone().flat_map(|bytes| grams(bytes, shift)) {
        if let Some(known) = frequency.get_mut(number) {
            *known = known.saturating_add(1);
        }
    }
    let rarest = |bytes| {
        grams(bytes, shift).min_by_key(|&number| frequency.get(number).copied().unwrap_or(0))
    };
    let chosen: Vec<usize> = rules
        // Without a gram, the bucket after the last.
        .map(|bytes| rarest(bytes).unwrap_or(buckets))
        .collect();
    distributed(&chosen, buckets)
}

/// Writes the numbers of rules by their `chosen` buckets. The bucket after the last is always
/// tried.
fn distributed(chosen: &[usize], buckets: usize) -> Vec<u32> {
    let head = buckets.saturating_add(2);
    let mut index = vec![0_u32; head.saturating_add(chosen.len())];
    let Some((bits, rest)) = index.split_first_mut() else {
        return index;
    };
    *bits = buckets.trailing_zeros();
    let (starts, rules) = rest.split_at_mut(head.saturating_sub(1));
    // A counting sort: sizes become ends, and each rule, last first, moves the end of its bucket
    // down to the start.
    for &number in chosen {
        if let Some(size) = starts.get_mut(number) {
            *size = size.saturating_add(1);
        }
    }
    let mut end = 0_u32;
    for start in starts.iter_mut() {
        end = end.saturating_add(*start);
        *start = end;
    }
    for (rule, &number) in chosen.iter().enumerate().rev() {
        if let Some(start) = starts.get_mut(number) {
            *start = start.saturating_sub(1);
            if let Some(slot) = rules.get_mut(*start as usize) {
                *slot = offset(rule);
            }
        }
    }
    index
}
