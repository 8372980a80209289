//! Rules to a [`PatternSet`].

use super::super::octet_set::OctetSet;
use super::super::path_pattern::PathPattern;
use super::arena::{Arena, Counts, NONE, sort_key};
use super::{PatternSet, Strength, grams};
use crate::text::offset;
use crate::verdict::Sense;

/// Collects rules.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    plain: Vec<Rule>,
    wild: Vec<Rule>,
    /// The octets of all of them, as they came.
    octets: Vec<u8>,
    /// The greatest number that a rule has.
    greatest: u32,
    reads_c2: bool,
}

/// A rule that was collected. Where it is plain, its octets are without the stars at their end.
#[derive(Clone, Copy, Debug)]
struct Rule {
    key: u64,
    start: u32,
    len: u32,
    strength: Strength,
    line: u32,
}

impl Builder {
    /// Adds a rule of line `line`.
    #[inline]
    pub(crate) fn push(&mut self, pattern: &PathPattern<'_>, sense: Sense, line: u32) {
        let anchored = if pattern.is_anchored() {
            Strength::ANCHORED
        } else {
            0
        };
        let strength = |forms| Strength::new(pattern.octets(), sense, anchored | forms);
        let (forms, set) = (pattern.forms(), pattern.set());
        match &forms.c2 {
            None => {
                let strength = strength(Strength::FIRST | Strength::SECOND);
                self.add(&forms.c1, set, strength, line);
            }
            Some(c2) => {
                self.add(&forms.c1, set, strength(Strength::FIRST), line);
                self.add(c2, OctetSet::of(c2), strength(Strength::SECOND), line);
            }
        }
    }

    /// Forgets every rule.
    pub(crate) fn clear(&mut self) {
        self.plain.clear();
        self.wild.clear();
        self.octets.clear();
        (self.greatest, self.reads_c2) = (0, false);
    }

    #[inline]
    fn add(&mut self, octets: &[u8], set: OctetSet, strength: Strength, line: u32) {
        if !set.has_star() {
            self.reads_c2 |= set.has_percent();
            return self.add_plain(octets, strength, line);
        }
        self.reads_c2 = self.reads_c2 || set.has_percent() || may_begin_in_escape(octets);
        let kept = octets.iter().rposition(|&octet| octet != b'*');
        let kept = kept.and_then(|last| octets.get(..=last));
        match kept.filter(|kept| memchr::memchr(b'*', kept).is_none()) {
            None => {
                let rule = self.rule(octets, 0, strength, line);
                self.wild.push(rule);
            }
            Some(plain) if strength.has(Strength::ANCHORED) => {
                self.add_plain(plain, Strength(strength.0 | Strength::REWRITTEN), line);
            }
            Some(plain) => self.add_plain(plain, strength, line),
        }
    }

    /// Every path begins with `/`, so other prefixes match none.
    #[inline]
    fn add_plain(&mut self, octets: &[u8], strength: Strength, line: u32) {
        if octets.first() == Some(&b'/') {
            let rule = self.rule(octets, sort_key(octets), strength, line);
            if self.plain.is_empty() {
                self.plain.reserve(FIRST_ROOM);
            }
            self.plain.push(rule);
        }
    }

    #[inline]
    fn rule(&mut self, octets: &[u8], key: u64, strength: Strength, line: u32) -> Rule {
        let start = offset(self.octets.len());
        if self.octets.is_empty() {
            self.octets
                .reserve(FIRST_ROOM.saturating_mul(OCTETS_OF_A_RULE));
        }
        self.octets.extend_from_slice(octets);
        self.greatest = self.greatest.max(strength.0).max(line);
        Rule {
            key,
            start,
            len: offset(octets.len()),
            strength,
            line,
        }
    }

    /// Compiles the rules, and keeps `annex` beside them. Of rules with the same pattern and sense the first is kept
    /// (REP-43).
    pub(crate) fn build(mut self, annex: &[u8]) -> PatternSet {
        let octets = std::mem::take(&mut self.octets);
        let of = |rule: &Rule| {
            octets
                .get(rule.start as usize..)
                .and_then(|rest| rest.get(..rule.len as usize))
                .unwrap_or_default()
        };
        let Self { plain, wild, .. } = &mut self;
        plain.sort_unstable_by_key(|rule| rule.key);
        for run in plain.chunk_by_mut(|a, b| a.key == b.key) {
            if run.len() > 1 {
                let rest = |rule: &Rule| (rule.strength, rule.line);
                run.sort_unstable_by(|a, b| of(a).cmp(of(b)).then(rest(a).cmp(&rest(b))));
            }
        }
        wild.sort_unstable_by(|a, b| {
            b.strength
                .cmp(&a.strength)
                .then_with(|| of(a).cmp(of(b)).then(a.line.cmp(&b.line)))
        });
        let same = |later: &mut Rule, first: &mut Rule| {
            (later.key, later.strength) == (first.key, first.strength) && of(later) == of(first)
        };
        plain.dedup_by(same);
        wild.dedup_by(same);
        PatternSet {
            arena: self.arena(annex, of),
            reads_c2: self.reads_c2,
        }
    }

    /// Writes the rules, which are in order.
    fn arena<'o>(&self, annex: &[u8], of: impl Fn(&Rule) -> &'o [u8]) -> Arena {
        let index = if self.wild.len() > grams::FEW {
            grams::index(self.wild.iter().map(&of))
        } else {
            Vec::new()
        };
        let rules = || self.plain.iter().chain(&self.wild);
        let octets = rules().fold(0_u32, |sum, rule| sum.saturating_add(rule.len));
        let counts = Counts {
            annex: offset(annex.len()),
            plain: offset(self.plain.len()),
            wild: offset(self.wild.len()),
            index: offset(index.len()),
        };
        let greatest = self
            .greatest
            .max(octets)
            .max(counts.plain)
            .max(counts.index);
        let mut arena = Arena::with_capacity(counts, octets, greatest);
        arena.octets(annex);
        for rule in &self.plain {
            arena.key(rule.key);
        }
        let mut start = 0_u32;
        let mut numbers = |rule: &Rule, last| {
            let own = [start, rule.strength.0, rule.line, last];
            start = start.saturating_add(rule.len);
            own
        };
        let mut open = Vec::new();
        for (at, rule) in self.plain.iter().enumerate() {
            arena.numbers(numbers(rule, link(&mut open, offset(at), of(rule))));
        }
        for rule in &self.wild {
            arena.required(OctetSet::required(of(rule)));
        }
        for rule in &self.wild {
            let prefix = memchr::memchr(b'*', of(rule)).map_or(0, offset);
            arena.numbers(numbers(rule, prefix));
        }
        for number in index {
            arena.number(number);
        }
        for rule in rules() {
            arena.octets(of(rule));
        }
        arena.finish()
    }
}

/// Rules that there is room for at first: as many as most files have.
const FIRST_ROOM: usize = 32;
/// Octets that a rule has, more or less.
const OCTETS_OF_A_RULE: usize = 24;

/// The rule that plain rule `at` links to: the one before it of the same octets, or else the last one of the longest
/// octets that its own begin with. `open` has the last rules of all octets that those of the rule before begin with.
fn link<'o>(open: &mut Vec<(u32, &'o [u8])>, at: u32, own: &'o [u8]) -> u32 {
    while open
        .last()
        .is_some_and(|(_, shorter)| !own.starts_with(shorter))
    {
        open.pop();
    }
    let link = open.last().map_or(NONE, |&(at, _)| at);
    match open.last_mut() {
        Some((last, same)) if same.len() == own.len() => *last = at,
        _ => open.push((at, own)),
    }
    link
}

/// Whether a pattern can match form C2 of a path and not its form C1. In C2 a path has escapes where
/// C1 has reserved octets, so the pattern must hold an escape, or a literal behind a `*` that can
/// begin inside of one: this says whether it has such a literal.
fn may_begin_in_escape(pattern: &[u8]) -> bool {
    let inside = |octet: &u8| octet.is_ascii_digit() || (b'A'..=b'F').contains(octet);
    pattern
        .array_windows()
        .any(|[star, next]| *star == b'*' && inside(next))
}
