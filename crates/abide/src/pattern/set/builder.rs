//! Rules to a [`PatternSet`].

use super::super::octet_set::OctetSet;
use super::super::path_pattern::PathPattern;
use super::arena::{Arena, Counts, NONE, Record};
use super::key::{Key, TOLD};
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
    key: Key,
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
                let rule = self.rule(octets, Key::default(), strength, line);
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
            let rule = self.rule(octets, Key::of(octets), strength, line);
            if self.plain.is_empty() {
                self.plain.reserve(FIRST_ROOM);
            }
            self.plain.push(rule);
        }
    }

    #[inline]
    fn rule(&mut self, octets: &[u8], key: Key, strength: Strength, line: u32) -> Rule {
        let start = offset(self.octets.len());
        if self.octets.is_empty() {
            self.octets
                .reserve(FIRST_ROOM.saturating_mul(OCTETS_OF_A_RULE));
        }
        self.octets.extend_from_slice(octets);
        self.greatest = self
            .greatest
            .max(strength.0 | Strength::FINAL)
            .max(line)
            .max(offset(octets.len()));
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
        // The key of a plain rule has its first octets.
        let rest = |rule: &Rule| of(rule).get(TOLD..).unwrap_or_default();
        let plain = || self.plain.iter().map(rest);
        let octets = plain().chain(self.wild.iter().map(&of));
        let counts = Counts {
            plain: offset(self.plain.len()),
            wild: offset(self.wild.len()),
            index: offset(index.len()),
            octets: octets
                .clone()
                .fold(0, |sum, octets| sum.saturating_add(offset(octets.len()))),
            annex: offset(annex.len()),
        };
        let greatest = self
            .greatest
            .max(counts.octets)
            .max(counts.plain)
            .max(counts.index);
        let mut arena = Arena::with_capacity(counts, greatest);
        arena.keys(self.plain.iter().map(|rule| rule.key));
        let mut start = 0_u32;
        let mut record = |rule: &Rule, octets: &[u8], last| {
            let begin = start;
            start = start.saturating_add(offset(octets.len()));
            Record {
                start: begin,
                len: rule.len,
                strength: rule.strength,
                line: rule.line,
                last,
            }
        };
        let mut open = Vec::new();
        for (at, rule) in self.plain.iter().enumerate() {
            let (link, strength) = link(&mut open, offset(at), of(rule), rule.strength);
            let rule = Rule { strength, ..*rule };
            arena.record(&record(&rule, rest(&rule), link));
        }
        for rule in &self.wild {
            arena.required(OctetSet::required(of(rule)));
        }
        for rule in &self.wild {
            let prefix = memchr::memchr(b'*', of(rule)).map_or(0, offset);
            arena.record(&record(rule, of(rule), prefix));
        }
        for number in index {
            arena.number(number);
        }
        for octets in octets {
            arena.octets(octets);
        }
        arena.octets(annex);
        arena.finish()
    }
}

/// Rules that there is room for at first: as many as most files have.
const FIRST_ROOM: usize = 32;
/// Octets that a rule has, more or less.
const OCTETS_OF_A_RULE: usize = 24;

/// Plain rules of the same octets, of which those of the rule before begin with all.
struct Open<'o> {
    octets: &'o [u8],
    /// The last of them.
    last: u32,
    /// The greatest rank of them and of all on their chain.
    rank: u32,
}

/// The rule that plain rule `at` links to: the one before it of the same octets, or else the last one of the longest
/// octets that its own begin with. With it comes the rule's strength, which tells whether the chain has a stronger one.
fn link<'o>(
    open: &mut Vec<Open<'o>>,
    at: u32,
    octets: &'o [u8],
    strength: Strength,
) -> (u32, Strength) {
    while open
        .last()
        .is_some_and(|shorter| !octets.starts_with(shorter.octets))
    {
        open.pop();
    }
    let (link, rank) = open
        .last()
        .map_or((NONE, 0), |shorter| (shorter.last, shorter.rank));
    let is_final = strength.is_prefix() && strength.rank() >= rank;
    let rank = rank.max(strength.rank());
    match open.last_mut() {
        Some(same) if same.octets.len() == octets.len() => (same.last, same.rank) = (at, rank),
        _ => open.push(Open {
            octets,
            last: at,
            rank,
        }),
    }
    let flag = if is_final { Strength::FINAL } else { 0 };
    (link, Strength(strength.0 | flag))
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
