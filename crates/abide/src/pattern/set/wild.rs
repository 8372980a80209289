//! Wild rules: strongest first, with what each requires of a path.

use super::super::matcher;
use super::super::octet_set::OctetSet;
use super::Strength;
use super::arena::Record;
use super::grams::Grams;

/// The wild rules of an arena.
#[derive(Clone, Copy, Debug)]
pub(super) struct WildRules<'a, const NUMBER: usize, const RULE: usize> {
    required: &'a [[u8; 8]],
    rules: &'a [[u8; RULE]],
    /// The index of the rules, where there are many.
    index: &'a [[u8; NUMBER]],
    octets: &'a [u8],
}

/// A wild rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wild<'a> {
    pub(super) strength: Strength,
    pub(super) line: u32,
    octets: &'a [u8],
    /// How many of the octets stand before the first `*`.
    prefix: usize,
}

impl<'a, const NUMBER: usize, const RULE: usize> WildRules<'a, NUMBER, RULE> {
    #[inline]
    pub(super) fn new(
        required: &'a [[u8; 8]],
        rules: &'a [[u8; RULE]],
        index: &'a [[u8; NUMBER]],
        octets: &'a [u8],
    ) -> Self {
        Self {
            required,
            rules,
            index,
            octets,
        }
    }

    /// Shows the rules that `path`, made of `set`, has the octets for, and leaves out those that are not stronger than
    /// `bound`, which is what `see` returned last.
    #[inline]
    pub(super) fn visit(
        &self,
        path: &[u8],
        set: OctetSet,
        mut bound: u32,
        mut see: impl FnMut(&Wild<'a>) -> u32,
    ) {
        if let Some(grams) = Grams::new(self.index) {
            return self.visit_indexed(grams, path, set, bound, see);
        }
        for (at, required) in self.required.iter().enumerate() {
            if set.may_hold(OctetSet::from_bits(u64::from_le_bytes(*required))) {
                let Some(rule) = self.rule(at).filter(|rule| rule.strength.rank() > bound) else {
                    return;
                };
                bound = see(&rule);
            }
        }
    }

    /// The same by the index.
    #[inline(never)]
    fn visit_indexed(
        &self,
        grams: Grams<'a, NUMBER>,
        path: &[u8],
        set: OctetSet,
        mut bound: u32,
        mut see: impl FnMut(&Wild<'a>) -> u32,
    ) {
        // Of a bucket the rules behind one that cannot win are no stronger.
        grams.visit(path, |at| {
            let required = self.required.get(at).copied().unwrap_or_default();
            if !set.may_hold(OctetSet::from_bits(u64::from_le_bytes(required))) {
                return true;
            }
            let Some(rule) = self.rule(at).filter(|rule| rule.strength.rank() > bound) else {
                return false;
            };
            bound = see(&rule);
            true
        });
    }

    #[inline]
    fn rule(&self, at: usize) -> Option<Wild<'a>> {
        let record = Record::read::<NUMBER, RULE>(self.rules.get(at)?);
        let start = record.start as usize;
        let range = start..start.wrapping_add(record.len as usize);
        Some(Wild {
            strength: record.strength,
            line: record.line,
            octets: self.octets.get(range).unwrap_or_default(),
            prefix: record.last as usize,
        })
    }
}

impl Wild<'_> {
    /// Whether the rule matches a path in the form that its octets have.
    #[inline]
    pub(super) fn matches(&self, path: &[u8]) -> bool {
        matcher::matches_behind(self.octets, self.prefix, self.strength.is_anchored(), path)
    }
}
