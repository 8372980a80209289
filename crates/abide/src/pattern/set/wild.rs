//! Wild rules: strongest first, each with the bytes that it requires of a path.

use super::super::byte_set::ByteSet;
use super::super::matcher;
use super::arena::StoredRule;
use super::grams::Grams;
use super::occurrences::Occurrences;
use super::{Form, Strength};
use crate::text::Part as _;

/// The wild rules of an arena.
#[derive(Clone, Copy, Debug)]
pub(super) struct WildRules<'a, const NUMBER: usize, const RULE: usize> {
    required: &'a [[u8; 8]],
    rules: &'a [[u8; RULE]],
    /// The index of the rules, if there are many; otherwise empty.
    index: &'a [[u8; NUMBER]],
    bytes: &'a [u8],
}

/// A wild rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wild<'a> {
    pub(super) strength: Strength,
    pub(super) line: u32,
    bytes: &'a [u8],
    /// How many bytes are before the first `*`.
    prefix: usize,
}

impl<'a, const NUMBER: usize, const RULE: usize> WildRules<'a, NUMBER, RULE> {
    #[inline]
    pub(super) fn new(
        required: &'a [[u8; 8]],
        rules: &'a [[u8; RULE]],
        index: &'a [[u8; NUMBER]],
        bytes: &'a [u8],
    ) -> Self {
        Self {
            required,
            rules,
            index,
            bytes,
        }
    }

    /// The rules that a path with the bytes `set` may match, as a bit mask: bit 0 is the strongest
    /// rule. A rule that requires a byte which the path lacks cannot match, so its bit is 0.
    ///
    /// With more rules than bits there is an index, which finds the candidates itself; then all
    /// bits are set, and [`visit`](Self::visit) ignores them.
    #[inline]
    pub(super) fn candidates(&self, set: ByteSet) -> u64 {
        if self.index.is_empty() {
            let with = |bits, (required, at): (&[u8; 8], u32)| {
                bits | u64::from(set.may_hold(read(*required))) << at
            };
            self.required.iter().zip(0..u64::BITS).fold(0, with)
        } else {
            u64::MAX
        }
    }

    /// Calls `see` for each of the `candidates` that matches the path and is stronger than `bound`.
    /// `see` returns the next bound.
    #[inline]
    pub(super) fn visit(
        &self,
        form: &Form<'_>,
        mut candidates: u64,
        mut bound: u32,
        mut see: impl FnMut(&Wild<'a>) -> u32,
    ) {
        if let Some(grams) = Grams::new(self.index) {
            return self.visit_indexed(grams, form, bound, see);
        }
        while candidates != 0 {
            let at = candidates.trailing_zeros() as usize;
            candidates &= candidates.wrapping_sub(1);
            // Strongest first: the rules behind this one cannot win either.
            let Some(rule) = self.stronger(at, bound) else {
                return;
            };
            if rule.strength.has(form.forms) && rule.matches(form.path.bytes) {
                bound = see(&rule);
            }
        }
    }

    /// Like [`WildRules::visit`] with the index.
    #[inline(never)]
    fn visit_indexed(
        &self,
        grams: Grams<'a, NUMBER>,
        form: &Form<'_>,
        mut bound: u32,
        mut see: impl FnMut(&Wild<'a>) -> u32,
    ) {
        let mut trial = Trial::new(form.path.bytes);
        // Returns false for a rule that cannot win: the rules after it in a bucket are no stronger.
        let mut attempt = |at: usize| {
            let required = self.required.get(at).copied().unwrap_or_default();
            if !form.path.set.may_hold(read(required)) {
                return true;
            }
            let Some(rule) = self.stronger(at, bound) else {
                return false;
            };
            if rule.strength.has(form.forms) && trial.is_matched_by(&rule) {
                bound = see(&rule);
            }
            true
        };
        grams.visit(form.path.bytes, &mut attempt);
        // These end at the first rule that cannot win, as a bucket does.
        let _ = grams.always().all(attempt);
    }

    /// Rule `at`, if it is stronger than `bound`.
    #[inline]
    fn stronger(&self, at: usize, bound: u32) -> Option<Wild<'a>> {
        self.rule(at).filter(|rule| rule.strength.rank() > bound)
    }

    #[inline]
    fn rule(&self, at: usize) -> Option<Wild<'a>> {
        let record = StoredRule::read::<NUMBER, RULE>(self.rules.get(at)?);
        let start = record.start as usize;
        let range = start..start.wrapping_add(record.len as usize);
        Some(Wild {
            strength: record.strength,
            line: record.line,
            bytes: self.bytes.part(range),
            prefix: record.last as usize,
        })
    }
}

/// A path that rules are compared with.
struct Trial<'p> {
    path: &'p [u8],
    compared: usize,
    occurrences: Option<Occurrences<'p>>,
}

impl<'p> Trial<'p> {
    /// From this many compared rules on, tables of the path pay off.
    const MIN_COMPARED: usize = 32;

    fn new(path: &'p [u8]) -> Self {
        Self {
            path,
            compared: 0,
            occurrences: None,
        }
    }

    fn is_matched_by(&mut self, rule: &Wild<'_>) -> bool {
        self.compared = self.compared.saturating_add(1);
        if self.compared == Self::MIN_COMPARED {
            self.occurrences = Some(Occurrences::new(self.path));
        }
        match &mut self.occurrences {
            Some(known) => known.matches(rule.bytes, rule.prefix, rule.strength.is_anchored()),
            None => rule.matches(self.path),
        }
    }
}

/// The bytes that a rule requires, from the arena.
#[inline]
fn read(required: [u8; 8]) -> ByteSet {
    ByteSet::from_bits(u64::from_le_bytes(required))
}

impl Wild<'_> {
    /// Whether the rule matches a path that is in the same form.
    #[inline]
    pub(super) fn matches(&self, path: &[u8]) -> bool {
        matcher::matches_behind(self.bytes, self.prefix, self.strength.is_anchored(), path)
    }
}
