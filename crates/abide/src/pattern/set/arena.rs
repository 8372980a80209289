//! Compiled rules in one block of memory, so that a kept policy is one allocation (W6).
//!
//! ```text
//! keys · plain rules · requirements · wild rules · index · bytes · annex
//! ```
//!
//! A number takes two bytes if all numbers of the arena fit, and four otherwise. Most files fit,
//! which halves their memory.

use super::super::byte_set::ByteSet;
use super::Strength;
use super::key::{self, Key};
use super::plain::PlainRules;
use super::wild::WildRules;
use crate::text::Part as _;

/// Compiled rules with their bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    bytes: Box<[u8]>,
    counts: Counts,
    wide: bool,
}

/// How much of each kind there is in an arena.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Plain rules.
    pub(super) plain: u32,
    /// Wild rules.
    pub(super) wild: u32,
    /// Numbers in the index.
    pub(super) index: u32,
    /// Bytes of the rules.
    pub(super) bytes: u32,
    /// Bytes of the annex, which the caller reads.
    pub(super) annex: u32,
}

/// An arena, by the width of its numbers.
pub(super) enum Rules<'a> {
    Narrow(View<'a, 2, 10>),
    Wide(View<'a, 4, 20>),
}

/// The parts of an arena: `NUMBER` bytes in a number, `RULE` bytes in a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a, const NUMBER: usize, const RULE: usize> {
    arena: &'a Arena,
}

/// Numbers in a record.
const NUMBERS: usize = 5;
/// Bytes of the set of bytes that a wild rule requires.
const REQUIRED: usize = 8;

/// A rule as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredRule {
    /// Where its bytes begin; of a plain rule, those after its key.
    pub(super) start: u32,
    /// How many bytes it has.
    pub(super) len: u32,
    pub(super) strength: Strength,
    pub(super) line: u32,
    /// Of a plain rule, the next rule on its chain, or [`NONE`]. Of a wild rule, how many bytes
    /// are before its first `*`.
    pub(super) last: u32,
}

/// The link of the last rule on a chain. Cut to two bytes it is still no rule's number.
pub(super) const NONE: u32 = u32::MAX;

/// Writes an arena, part by part, in the order of the parts.
#[derive(Debug)]
pub(super) struct Writer {
    bytes: Vec<u8>,
    counts: Counts,
    wide: bool,
}

impl Writer {
    /// Writes the keys of plain rules.
    pub(super) fn keys(&mut self, keys: impl ExactSizeIterator<Item = Key>) {
        self.all(keys.map(Key::to_bytes));
    }

    /// Writes the bytes that wild rules require.
    pub(super) fn required(&mut self, sets: impl ExactSizeIterator<Item = ByteSet>) {
        self.all(sets.map(|set| set.to_bits().to_le_bytes()));
    }

    /// Writes a rule.
    #[inline]
    pub(super) fn record(&mut self, record: &StoredRule) {
        let numbers = [
            record.start,
            record.len,
            record.strength.0,
            record.line,
            record.last,
        ];
        let bytes = numbers.map(u32::to_le_bytes);
        if self.wide {
            self.bytes.extend_from_slice(bytes.as_flattened());
        } else {
            // Nothing is lost, because `with_capacity` knew the greatest number. Only `NONE` is
            // cut.
            let narrow = bytes.map(|[first, second, ..]| [first, second]);
            self.bytes.extend_from_slice(narrow.as_flattened());
        }
    }

    /// Writes the numbers of the index.
    pub(super) fn numbers(&mut self, numbers: impl ExactSizeIterator<Item = u32>) {
        let bytes = numbers.map(u32::to_le_bytes);
        if self.wide {
            self.all(bytes);
        } else {
            self.all(bytes.map(|[first, second, ..]| [first, second]));
        }
    }

    #[inline]
    fn all<const N: usize>(&mut self, parts: impl ExactSizeIterator<Item = [u8; N]>) {
        let begin = self.bytes.len();
        let end = begin.saturating_add(parts.len().saturating_mul(N));
        self.bytes.resize(end, 0);
        let room = self.bytes.get_mut(begin..);
        debug_assert!(
            room.is_some(),
            "the arena has room for what it was made longer for"
        );
        let room = room.unwrap_or_default();
        for (to, part) in room.as_chunks_mut().0.iter_mut().zip(parts) {
            *to = part;
        }
    }

    /// Writes bytes.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
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
    /// Starts an arena with these counts. `greatest` is the greatest number that will be written.
    pub(super) fn with_capacity(counts: Counts, greatest: u32) -> Writer {
        // `u16::MAX` itself does not fit, because it is `NONE` cut to two bytes.
        let wide = greatest >= u32::from(u16::MAX);
        let number: usize = if wide { 4 } else { 2 };
        let rule = number.saturating_mul(NUMBERS);
        let records = |count: u32, bytes: usize| (count as usize).saturating_mul(bytes);
        let size = records(counts.plain, key::BYTES.saturating_add(rule))
            .saturating_add(records(counts.wild, REQUIRED.saturating_add(rule)))
            .saturating_add(records(counts.index, number))
            .saturating_add(records(counts.bytes, 1))
            .saturating_add(records(counts.annex, 1));
        Writer {
            bytes: Vec::with_capacity(size),
            counts,
            wide,
        }
    }

    /// The annex.
    pub(super) fn annex(&self) -> &[u8] {
        last(&self.bytes, self.counts.annex)
    }

    #[inline]
    pub(super) fn rules(&self) -> Rules<'_> {
        if self.wide {
            Rules::Wide(View { arena: self })
        } else {
            Rules::Narrow(View { arena: self })
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.bytes.len()
    }
}

/// The number at position `at` of a record.
#[inline]
pub(super) fn number<const NUMBER: usize>(rule: &[u8], at: usize) -> u32 {
    let bytes = rule.part(at.wrapping_mul(NUMBER)..);
    debug_assert!(bytes.len() >= NUMBER, "a rule has this number");
    match NUMBER {
        2 => bytes
            .first_chunk()
            .map_or(0, |two| u16::from_le_bytes(*two).into()),
        _ => bytes
            .first_chunk()
            .map_or(0, |four| u32::from_le_bytes(*four)),
    }
}

/// The first `count` records of `N` bytes each, and the bytes behind them.
#[inline]
fn split<const N: usize>(bytes: &[u8], count: u32) -> (&[[u8; N]], &[u8]) {
    let split = bytes.split_at_checked((count as usize).wrapping_mul(N));
    debug_assert!(
        split.is_some(),
        "the arena has as many records as its head says"
    );
    let (records, rest) = split.unwrap_or_default();
    (records.as_chunks().0, rest)
}

/// The last `count` bytes.
#[inline]
fn last(bytes: &[u8], count: u32) -> &[u8] {
    let start = bytes.len().checked_sub(count as usize);
    let last = start.and_then(|start| bytes.get(start..));
    debug_assert!(
        last.is_some(),
        "the arena has as many bytes as its head says"
    );
    last.unwrap_or_default()
}

impl<'a, const NUMBER: usize, const RULE: usize> View<'a, NUMBER, RULE> {
    /// The plain rules.
    #[inline]
    pub(super) fn plain(self) -> PlainRules<'a, NUMBER, RULE> {
        PlainRules::new(self)
    }

    /// The keys of the plain rules.
    #[inline]
    pub(super) fn keys(self) -> &'a [[u8; key::BYTES]] {
        split(&self.arena.bytes, self.arena.counts.plain).0
    }

    /// The records of the plain rules.
    #[inline]
    pub(super) fn plain_rules(self) -> &'a [[u8; RULE]] {
        let plain = self.arena.counts.plain;
        let keys = (plain as usize).wrapping_mul(key::BYTES);
        split(self.arena.bytes.part(keys..), plain).0
    }

    /// Whether there are wild rules.
    #[inline]
    pub(super) fn has_wild(self) -> bool {
        self.arena.counts.wild > 0
    }

    /// The wild rules.
    #[inline]
    pub(super) fn wild(self) -> WildRules<'a, NUMBER, RULE> {
        let plain = (self.arena.counts.plain as usize).wrapping_mul(key::BYTES.wrapping_add(RULE));
        let rest = self.arena.bytes.part(plain..);
        let (required, rest) = split::<REQUIRED>(rest, self.arena.counts.wild);
        let (rules, rest) = split(rest, self.arena.counts.wild);
        let (index, _) = split(rest, self.arena.counts.index);
        WildRules::new(required, rules, index, self.bytes())
    }

    /// The bytes of the rules, followed by the annex.
    #[inline]
    pub(super) fn bytes(self) -> &'a [u8] {
        last(
            &self.arena.bytes,
            self.arena
                .counts
                .bytes
                .wrapping_add(self.arena.counts.annex),
        )
    }
}

impl StoredRule {
    #[inline]
    pub(super) fn read<const NUMBER: usize, const RULE: usize>(rule: &[u8; RULE]) -> Self {
        Self {
            start: number::<NUMBER>(rule, 0),
            len: number::<NUMBER>(rule, 1),
            strength: Strength(number::<NUMBER>(rule, 2)),
            line: number::<NUMBER>(rule, 3),
            last: number::<NUMBER>(rule, 4),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: u32) -> StoredRule {
        StoredRule {
            start: number,
            len: number.wrapping_add(1),
            strength: Strength(number.wrapping_add(2)),
            line: number.wrapping_add(3),
            last: number.wrapping_add(4),
        }
    }

    fn numbers(record: StoredRule) -> [u32; NUMBERS] {
        let StoredRule {
            start,
            len,
            strength,
            line,
            last,
        } = record;
        [start, len, strength.0, line, last]
    }

    fn check<const NUMBER: usize, const RULE: usize>(view: View<'_, NUMBER, RULE>, first: u32) {
        let read: Vec<_> = view
            .plain_rules()
            .iter()
            .map(StoredRule::read::<NUMBER, RULE>)
            .collect();
        let read: Vec<_> = read.into_iter().map(numbers).collect();
        assert_eq!(
            read,
            [first, first + 5].map(|number| numbers(record(number)))
        );
        assert_eq!(view.keys().len(), 2);
        assert!(view.has_wild());
        assert!(view.bytes().starts_with(b"/a*b"));
    }

    /// Small numbers are kept in two bytes each, larger ones in four.
    #[test]
    fn what_is_written_is_read() {
        for (first, is_wide) in [(7, false), (70_000, true)] {
            let counts = Counts {
                plain: 2,
                wild: 1,
                index: 3,
                bytes: 4,
                annex: 5,
            };
            let mut writer = Arena::with_capacity(counts, first + 9);
            writer.keys([Key::of(b"/a"), Key::of(b"/b")].into_iter());
            writer.record(&record(first));
            writer.record(&record(first + 5));
            writer.required([ByteSet::of(b"ab")].into_iter());
            writer.record(&record(first));
            writer.numbers([1, 2, 3].into_iter());
            writer.bytes(b"/a*b");
            writer.bytes(b"annex");
            let arena = writer.finish();
            assert_eq!(arena.annex(), b"annex");
            assert_eq!(arena.memory(), arena.bytes.len());
            match arena.rules() {
                Rules::Narrow(view) => check(view, first),
                Rules::Wide(view) => check(view, first),
            }
            assert_eq!(matches!(arena.rules(), Rules::Wide(_)), is_wide);
        }
    }
}
