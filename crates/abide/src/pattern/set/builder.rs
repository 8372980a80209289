//! Rules to a [`PatternSet`].

use super::super::octet_set::OctetSet;
use super::super::path_pattern::PathPattern;
use super::arena::{Arena, NONE, Numbers, Parts, key};
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
    reads_c2: bool,
}

/// A rule that was collected. Where it is plain, its octets are without the stars at their end.
#[derive(Clone, Copy, Debug)]
struct Rule {
    key: u32,
    start: u32,
    len: u32,
    strength: Strength,
    line: u32,
}

impl Builder {
    /// Adds a rule of line `line`.
    pub(crate) fn push(&mut self, pattern: &PathPattern<'_>, sense: Sense, line: u32) {
        let anchored = if pattern.is_anchored() {
            Strength::ANCHORED
        } else {
            0
        };
        let strength = |forms| Strength::new(pattern.octets(), sense, anchored | forms);
        let forms = pattern.forms();
        match &forms.c2 {
            None => self.add(
                &forms.c1,
                strength(Strength::FIRST | Strength::SECOND),
                line,
            ),
            Some(c2) => {
                self.add(&forms.c1, strength(Strength::FIRST), line);
                self.add(c2, strength(Strength::SECOND), line);
            }
        }
    }

    /// Forgets every rule.
    pub(crate) fn clear(&mut self) {
        self.plain.clear();
        self.wild.clear();
        self.octets.clear();
        self.reads_c2 = false;
    }

    fn add(&mut self, octets: &[u8], mut strength: Strength, line: u32) {
        self.reads_c2 = self.reads_c2 || may_differ_in_c2(octets);
        let kept = octets
            .iter()
            .rposition(|&octet| octet != b'*')
            .and_then(|last| octets.get(..=last))
            .filter(|kept| memchr::memchr(b'*', kept).is_none());
        if kept.is_some_and(|kept| kept.len() < octets.len()) && strength.has(Strength::ANCHORED) {
            strength = Strength(strength.0 | Strength::REWRITTEN);
        }
        let start = offset(self.octets.len());
        // Every path begins with `/`, so other prefixes match none.
        let (rules, octets, key) = match kept {
            Some(plain @ [b'/', ..]) => (&mut self.plain, plain, key(plain)),
            Some(_) => return,
            None => (&mut self.wild, octets, 0),
        };
        self.octets.extend_from_slice(octets);
        rules.push(Rule {
            key,
            start,
            len: offset(octets.len()),
            strength,
            line,
        });
    }

    /// Compiles the rules. Of rules with the same pattern and sense the first is kept (REP-43).
    pub(crate) fn build(self) -> PatternSet {
        let Self {
            mut plain,
            mut wild,
            octets,
            reads_c2,
        } = self;
        let of = |rule: &Rule| {
            octets
                .get(rule.start as usize..)
                .and_then(|rest| rest.get(..rule.len as usize))
                .unwrap_or_default()
        };
        plain.sort_unstable_by(|a, b| {
            a.key.cmp(&b.key).then_with(|| {
                let (of_a, of_b) = (of(a), of(b));
                of_a.cmp(of_b)
                    .then_with(|| (a.strength, a.line).cmp(&(b.strength, b.line)))
            })
        });
        wild.sort_unstable_by(|a, b| {
            b.strength
                .cmp(&a.strength)
                .then_with(|| of(a).cmp(of(b)))
                .then_with(|| a.line.cmp(&b.line))
        });
        let same = |later: &mut Rule, first: &mut Rule| {
            later.strength == first.strength && of(later) == of(first)
        };
        plain.dedup_by(same);
        wild.dedup_by(same);
        let mut parts = Parts::default();
        let mut len = 0;
        parts.plain = numbered(&plain, &mut len, linked(&plain, of))
            .map(|(rule, numbers)| (rule.key, numbers))
            .collect();
        let prefix = |rule: &Rule| memchr::memchr(b'*', of(rule)).map_or(NONE, offset);
        parts.wild = numbered(&wild, &mut len, wild.iter().map(prefix))
            .map(|(rule, numbers)| (OctetSet::required(of(rule)), numbers))
            .collect();
        if wild.len() > grams::FEW {
            parts.index = grams::index(wild.iter().map(of));
        }
        let greatest = parts.greatest().max(len);
        let octets = plain.iter().chain(&wild).map(of);
        PatternSet {
            arena: Arena::new(&parts, octets, len as usize, greatest),
            reads_c2,
        }
    }
}

impl Parts {
    /// The greatest number in here that a rule or the index has, but for [`NONE`].
    fn greatest(&self) -> u32 {
        let rules = self.plain.iter().map(|(_, numbers)| numbers);
        let rules = rules.chain(self.wild.iter().map(|(_, numbers)| numbers));
        rules
            .flat_map(|rule| [rule.strength.0, rule.line])
            .chain(self.index.iter().copied())
            .chain([offset(self.plain.len()), offset(self.index.len())])
            .fold(0, u32::max)
    }
}

/// Each rule's numbers, with `last` for the last of them; `len` grows by the octets of all.
fn numbered<'r>(
    rules: &'r [Rule],
    len: &mut u32,
    last: impl Iterator<Item = u32>,
) -> impl Iterator<Item = (&'r Rule, Numbers)> {
    rules.iter().zip(last).map(|(rule, last)| {
        let start = *len;
        *len = start.saturating_add(rule.len);
        let numbers = Numbers {
            start,
            strength: rule.strength,
            line: rule.line,
            last,
        };
        (rule, numbers)
    })
}

/// Links each plain rule to the one before it of the same octets, or else to the last one of the longest octets that
/// its own begin with.
fn linked<'o>(plain: &[Rule], of: impl Fn(&Rule) -> &'o [u8]) -> impl Iterator<Item = u32> {
    let mut open: Vec<(u32, &[u8])> = Vec::new();
    plain.iter().enumerate().map(move |(at, rule)| {
        let own = of(rule);
        while open
            .last()
            .is_some_and(|(_, shorter)| !own.starts_with(shorter))
        {
            open.pop();
        }
        let link = open.last().map_or(NONE, |&(at, _)| at);
        match open.last_mut() {
            Some((last, same)) if same.len() == own.len() => *last = offset(at),
            _ => open.push((offset(at), own)),
        }
        link
    })
}

/// Whether a pattern can match form C2 of a path and not its form C1. In C2 a path has escapes where
/// C1 has reserved octets, so the pattern must hold an escape, or a literal behind a `*` that can
/// begin inside of one.
fn may_differ_in_c2(pattern: &[u8]) -> bool {
    let inside = |octet: &u8| octet.is_ascii_digit() || (b'A'..=b'F').contains(octet);
    memchr::memchr(b'%', pattern).is_some()
        || pattern
            .split(|&octet| octet == b'*')
            .skip(1)
            .any(|l| l.first().is_some_and(inside))
}
