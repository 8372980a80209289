//! Plain rules: sorted, each with a link to the longest shorter rule that it begins with.

use super::Strength;
use super::arena::{StoredRule, View};
use super::key::{self, Key};
use crate::text::Part as _;

/// The plain rules of an arena.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainRules<'a, const NUMBER: usize, const RULE: usize> {
    view: View<'a, NUMBER, RULE>,
}

/// A plain rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    pub(super) strength: Strength,
    pub(super) line: u32,
    /// How many bytes it has.
    pub(super) len: usize,
}

impl Plain {
    /// Whether the rule matches a path that begins with its bytes. `forms` are the forms of the
    /// path.
    #[inline]
    pub(super) fn is_match(&self, path: &[u8], forms: u32) -> bool {
        let ends = !self.strength.is_anchored() || self.len == path.len();
        ends && self.strength.has(forms)
    }
}

impl<'a, const NUMBER: usize, const RULE: usize> PlainRules<'a, NUMBER, RULE> {
    #[inline]
    pub(super) fn new(view: View<'a, NUMBER, RULE>) -> Self {
        Self { view }
    }

    /// Finds the place of a path with the key `own` among the rules.
    #[inline]
    pub(super) fn standing(self, own: Key) -> PlainPosition {
        PlainPosition {
            key: own,
            up_to: key::up_to(self.view.keys(), own),
        }
    }

    /// Calls `see` for every rule that the path begins with, the longest first.
    #[inline]
    pub(super) fn visit(self, path: &[u8], standing: PlainPosition, mut see: impl FnMut(Plain)) {
        let (last, shared) = self.last_up_to(path, standing);
        let rules = self.view.plain_rules();
        let mut next = rules.get(last);
        while let Some(rule) = next {
            let record = StoredRule::read::<NUMBER, RULE>(rule);
            next = rules.get(record.last as usize);
            let len = record.len as usize;
            // A longer rule is no prefix of the path. Those further down its chain may be.
            if len <= shared {
                see(Plain {
                    strength: record.strength,
                    line: record.line,
                    len,
                });
            }
        }
    }

    /// Returns the last rule that is not greater than `path`, and how many bytes at the beginning
    /// of the two are the same (more than the rule has if it has no more; none if every rule is
    /// greater).
    #[inline]
    fn last_up_to(self, path: &[u8], standing: PlainPosition) -> (usize, usize) {
        let PlainPosition { key: own, up_to } = standing;
        if self.has_before(up_to, own) {
            self.last_among(up_to, own, path)
        } else {
            self.last_of_other_key(up_to, own)
        }
    }

    /// Like [`PlainRules::last_up_to`] if the rule before `end` has the key of the path,
    /// `own`. Compares a few rules one by one, because few files have many rules with the same
    /// eight bytes.
    #[inline(never)]
    fn last_among(self, mut end: usize, own: Key, path: &[u8]) -> (usize, usize) {
        let tail = path.get(key::WITH_SLASH..).unwrap_or_default();
        for _ in 0..MAX_COMPARED {
            let at = end.wrapping_sub(1);
            if let Some(shared) = self.shared_with(at, tail) {
                return (at, shared);
            }
            end = at;
            if !self.has_before(end, own) {
                return self.last_of_other_key(end, own);
            }
        }
        self.last_among_many(end, own, tail)
    }

    /// Like [`PlainRules::last_among`] by binary search, for many rules with the same
    /// key.
    #[inline(never)]
    fn last_among_many(self, end: usize, own: Key, tail: &[u8]) -> (usize, usize) {
        // No rule before `low` is greater than the path, and `last` is the last of them. All rules
        // from `high` on are greater.
        let (mut low, mut high) = (0, end);
        let mut last = (0, 0);
        while low < high {
            let middle = low.midpoint(high);
            let behind = middle.wrapping_add(1);
            if !self.has_before(behind, own) {
                last = self.last_of_other_key(behind, own);
                low = behind;
            } else if let Some(shared) = self.shared_with(middle, tail) {
                last = (middle, shared);
                low = behind;
            } else {
                high = middle;
            }
        }
        last
    }

    /// The answer if the rule before `end` has another key than the path.
    #[inline]
    fn last_of_other_key(self, end: usize, own: Key) -> (usize, usize) {
        let at = end.checked_sub(1);
        // One more for the `/` before the key.
        at.map_or((0, 0), |at| (at, self.key(at).shared(own).wrapping_add(1)))
    }

    /// Whether the rule before `end` has the key `own`.
    #[inline]
    fn has_before(self, end: usize, own: Key) -> bool {
        end.checked_sub(1).is_some_and(|at| self.key(at) == own)
    }

    /// The key of a rule.
    #[inline]
    fn key(self, at: usize) -> Key {
        let keys = self.view.keys();
        keys.get(at)
            .copied()
            .map_or(Key::default(), Key::from_bytes)
    }

    /// How many bytes at the beginning of rule `at` and the path are the same; `None` if the rule
    /// is greater. Both have the same key, and the path goes on with `tail`.
    #[inline]
    fn shared_with(self, at: usize, tail: &[u8]) -> Option<usize> {
        let record = StoredRule::read::<NUMBER, RULE>(self.view.plain_rules().get(at)?);
        let start = record.start as usize;
        let len = (record.len as usize).saturating_sub(key::WITH_SLASH);
        let rest = self.view.bytes().get(start..start.wrapping_add(len));
        debug_assert!(
            rest.is_some() || len == 0,
            "the arena has the bytes of its rules"
        );
        let rest = rest.unwrap_or_default();
        let shared = shared_length(rest, tail);
        // `None`, the end, is less than any byte: a prefix is not greater.
        (rest.get(shared) <= tail.get(shared)).then(|| shared.wrapping_add(key::WITH_SLASH))
    }
}

/// The place of a path among the plain rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainPosition {
    /// The path's key.
    key: Key,
    /// How many rules have a key that is not greater.
    up_to: usize,
}

/// How many rules with the same key are compared before a binary search.
const MAX_COMPARED: usize = 3;

/// How many bytes at the beginning of `a` and `b` are the same.
#[inline]
fn shared_length(a: &[u8], b: &[u8]) -> usize {
    let len = a.len().min(b.len());
    let (a, b) = (a.part(..len), b.part(..len));
    let (eights_of_a, rest_of_a) = a.as_chunks::<8>();
    let (eights_of_b, rest_of_b) = b.as_chunks::<8>();
    let mut shared = 0_usize;
    for (of_a, of_b) in eights_of_a.iter().zip(eights_of_b) {
        let differ = u64::from_le_bytes(*of_a) ^ u64::from_le_bytes(*of_b);
        if differ != 0 {
            return shared.wrapping_add(differ.trailing_zeros() as usize / 8);
        }
        shared = shared.wrapping_add(8);
    }
    // Compare the last eight bytes again instead of looping over the rest.
    if let (Some(last_of_a), Some(last_of_b)) = (a.last_chunk(), b.last_chunk()) {
        let differ = u64::from_le_bytes(*last_of_a) ^ u64::from_le_bytes(*last_of_b);
        let same = differ.trailing_zeros() as usize / 8;
        return len.wrapping_sub(8).wrapping_add(same);
    }
    let pairs = rest_of_a.iter().zip(rest_of_b);
    pairs.take_while(|(a, b)| a == b).count()
}
