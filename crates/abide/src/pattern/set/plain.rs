//! Plain rules: sorted, each linked to the longest shorter one that it begins with.

use super::Strength;
use super::arena::{Record, View};
use super::key::{self, Key};

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
    /// Octets of its prefix.
    pub(super) len: usize,
}

impl Plain {
    /// Whether a path matches that begins with the rule's octets, compared with rules of these `forms`.
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

    /// Shows every rule that `path` begins with, the longest first, until `see` has seen enough.
    #[inline]
    pub(super) fn visit(self, path: &[u8], mut see: impl FnMut(Plain) -> bool) {
        let Some((last, shared)) = self.last_up_to(path) else {
            return;
        };
        let rules = self.view.plain_rules();
        let mut next = rules.get(last);
        while let Some(rule) = next {
            let record = Record::read::<NUMBER, RULE>(rule);
            next = rules.get(record.last as usize);
            let len = record.len as usize;
            let plain = Plain {
                strength: record.strength,
                line: record.line,
                len,
            };
            if len <= shared && see(plain) {
                return;
            }
        }
    }

    /// The last rule that is not greater than `path`, and how many octets the two begin with together: at least so many
    /// where it is more than the rule has.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "its answers stay in registers")]
    fn last_up_to(self, path: &[u8]) -> Option<(usize, usize)> {
        let own = Key::of(path);
        let last = key::up_to(self.view.keys(), own).checked_sub(1)?;
        let found = self.key(last);
        if found != own {
            return Some((last, found.shared(own)));
        }
        let before = last.checked_sub(1);
        let key_before = before.map(|before| self.key(before));
        if key_before == Some(own) {
            return self.last_among(last, own, path);
        }
        match self.shared_with(last, path) {
            Some(shared) => Some((last, shared)),
            None => Some((before?, key_before?.shared(own))),
        }
    }

    /// The key of a rule.
    #[inline]
    fn key(self, at: usize) -> Key {
        let keys = self.view.keys();
        keys.get(at)
            .copied()
            .map_or(Key::default(), Key::from_octets)
    }

    /// How many octets `path` and rule `at` begin with together, where their keys are the same; `None` where the rule is
    /// greater.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "asked once for most paths")]
    fn shared_with(self, at: usize, path: &[u8]) -> Option<usize> {
        let rest = self.rest(at);
        let tail = path.get(key::TOLD..).unwrap_or_default();
        let shared = shared_length(rest, tail);
        (rest.get(shared) <= tail.get(shared)).then(|| shared.wrapping_add(key::TOLD))
    }

    /// The same as [`PlainRules::last_up_to`] where the rules up to `last`, more than one, have the path's key.
    #[inline(never)]
    fn last_among(self, last: usize, own: Key, path: &[u8]) -> Option<(usize, usize)> {
        let end = last.wrapping_add(1);
        let start = key::less(self.view.keys().get(..end)?, own);
        let (mut low, mut high) = (start, end);
        let mut found = None;
        while low < high {
            let middle = low.midpoint(high);
            if let Some(shared) = self.shared_with(middle, path) {
                found = Some((middle, shared));
                low = middle.wrapping_add(1);
            } else {
                high = middle;
            }
        }
        if found.is_some() {
            return found;
        }
        let before = start.checked_sub(1)?;
        Some((before, self.key(before).shared(own)))
    }

    /// The octets of a rule that its key has not.
    #[inline]
    fn rest(self, at: usize) -> &'a [u8] {
        let Some(rule) = self.view.plain_rules().get(at) else {
            return b"";
        };
        let record = Record::read::<NUMBER, RULE>(rule);
        let start = record.start as usize;
        let len = (record.len as usize).saturating_sub(key::TOLD);
        self.view
            .octets()
            .get(start..start.wrapping_add(len))
            .unwrap_or_default()
    }
}

/// How many octets the two begin with together.
#[inline]
fn shared_length(a: &[u8], b: &[u8]) -> usize {
    let len = a.len().min(b.len());
    let (a, b) = (
        a.get(..len).unwrap_or_default(),
        b.get(..len).unwrap_or_default(),
    );
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
    // The last eight again, for a look at each of the rest would be a branch more.
    if let (Some(last_of_a), Some(last_of_b)) = (a.last_chunk(), b.last_chunk()) {
        let differ = u64::from_le_bytes(*last_of_a) ^ u64::from_le_bytes(*last_of_b);
        let same = differ.trailing_zeros() as usize / 8;
        return len.wrapping_sub(8).wrapping_add(same);
    }
    let pairs = rest_of_a.iter().zip(rest_of_b);
    pairs.take_while(|(a, b)| a == b).count()
}
