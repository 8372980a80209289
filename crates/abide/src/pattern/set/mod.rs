//! All rules of a group, compiled for one question: of those that match, which has the most octets
//! (REP-41, REP-42, REP-44)?
//!
//! Rules without a `*`, or with no octets behind it, are *plain*: a path matches where it begins with theirs. They are
//! sorted, and each links to the last one of the longest shorter prefix that it begins with. The last plain rule
//! that is not greater than the path is found by binary search; every plain rule that the path begins with stands on
//! the chain of links from there, for all strings between a prefix of the path and the path itself begin with that
//! prefix.
//!
//! All other rules are *wild*. They stand strongest first, and are tried only while they can still win, and only
//! where the path has all the octets that they ask for. Where there are many, an index by three octets that a path
//! must hold (`grams`) tells which to try.
//!
//! Everything lies in one piece of memory (`arena`), the octets of the patterns included.

mod arena;
mod builder;
mod grams;
mod key;
mod occurrences;
mod plain;
mod wild;
mod windows;

pub(crate) use builder::Builder;

use super::normal::Forms;
use super::octet_set::OctetSet;
use crate::text::Part as _;
use crate::text::offset;
use crate::verdict::Sense;
use arena::{Arena, Rules, View};
use key::Key;
use plain::Standing;
use std::cmp::Ordering;

/// Strength of a rule: the greater one decides. Octets first (REP-42), and with equal octets allow
/// (REP-44, AMB-REP-4). Zero is weaker than every rule. The lowest bits tell what does not make a rule strong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Strength(u32);

impl Strength {
    const ANCHORED: u32 = 1;
    /// The octets are form C1 of the pattern.
    const FIRST: u32 = 2;
    /// The octets are form C2 of the pattern.
    const SECOND: u32 = 4;
    /// The octets are both.
    const BOTH: u32 = Self::FIRST | Self::SECOND;
    /// The octets are kept without the stars at their end, so that nothing is left to anchor: `/a*$`.
    const REWRITTEN: u32 = 8;
    /// The rule matches every path that begins with its octets, and no rule on its chain is stronger.
    const FINAL: u32 = 16;
    const FLAGS: u32 = 0x1F;
    /// The rank where no rule matches: weaker than every rule, and nothing is disallowed.
    const NO_RULE: u32 = 0x20;
    /// Octets that are told apart; longer patterns than these 64 MiB are equally strong.
    const OCTETS: usize = (1 << 26) - 1;

    /// The strength of a pattern of so many octets, to which the `$` that anchors it is added.
    fn new(octets: usize, anchored: bool, sense: Sense) -> Self {
        let octets = octets.saturating_add(usize::from(anchored));
        let octets = offset(octets.min(Self::OCTETS));
        let anchored = if anchored { Self::ANCHORED } else { 0 };
        Self(octets << 6 | u32::from(sense == Sense::Allow) << 5 | anchored)
    }

    /// The same of octets that are these forms of the pattern.
    const fn of(self, forms: u32) -> Self {
        Self(self.0 | forms)
    }

    const fn octets(self) -> u32 {
        self.0 >> 6
    }

    const fn sense(self) -> Sense {
        if self.0 & 0x20 == 0 {
            Sense::Disallow
        } else {
            Sense::Allow
        }
    }

    /// The strength alone.
    const fn rank(self) -> u32 {
        self.0 & !Self::FLAGS
    }

    const fn has(self, flags: u32) -> bool {
        self.0 & flags != 0
    }

    /// Whether no weaker rule has to be looked at for a path that begins with the octets.
    const fn is_final(self) -> bool {
        self.has(Self::FINAL)
    }

    /// Whether every path matches that begins with the octets, in whichever form.
    const fn is_prefix(self) -> bool {
        !self.is_anchored() && self.has(Self::FIRST) && self.has(Self::SECOND)
    }

    /// Whether the path has to end where the octets do.
    const fn is_anchored(self) -> bool {
        self.0 & (Self::ANCHORED | Self::REWRITTEN) == Self::ANCHORED
    }
}

/// A rule that matches a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Match {
    /// Number of the rule's line.
    pub(crate) line: u32,
    /// The rule's octets.
    pub(crate) octets: u32,
    /// What the rule says.
    pub(crate) sense: Sense,
}

/// The compiled rules of a group.
#[derive(Clone, Debug, Default)]
pub(crate) struct PatternSet {
    arena: Arena,
    reads_c2: ReadsC2,
}

/// Of which paths form C2 can change the answer.
///
/// C2 has escapes of reserved octets that C1 has as they are. Where neither rule nor path has an escape in C1, each in C2
/// stands for the same octet in both, so that what matches in C2 does in C1 too, unless a rule can begin inside of one. Nor is
/// too much found where form C1 of a path is then compared with form C2 of a rule: that has a `%`, which the path has not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum ReadsC2 {
    /// No rule has a `%` in either form.
    #[default]
    Never,
    /// Rules have one in form C2 alone.
    OfEscapes,
    /// Rules have one in form C1, or a literal behind a `*` that can begin inside of an escape.
    Always,
}

/// A path that is looked up in a set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sought<'a> {
    octets: &'a [u8],
    /// What the octets are, and maybe others.
    set: OctetSet,
    standing: Standing,
}

impl<'a> Sought<'a> {
    /// The path.
    pub(crate) const fn octets(&self) -> &'a [u8] {
        self.octets
    }

    /// What it is made of, and maybe more.
    pub(crate) const fn set(&self) -> OctetSet {
        self.set
    }
}

/// One form of a path.
#[derive(Clone, Copy)]
struct Form<'a> {
    path: Sought<'a>,
    /// Which forms of rules it is compared with.
    forms: u32,
}

impl PatternSet {
    /// Whether form C2 of a path can change the answer whose form C1 is made of `set`.
    #[inline]
    pub(crate) fn reads_c2(&self, set: OctetSet) -> bool {
        match self.reads_c2 {
            ReadsC2::Never => false,
            ReadsC2::OfEscapes => set.has_percent(),
            ReadsC2::Always => true,
        }
    }

    /// Looks up a path that is made of `set`.
    #[inline]
    pub(crate) fn seek<'a>(&self, octets: &'a [u8], set: OctetSet) -> Sought<'a> {
        Sought {
            octets,
            set,
            standing: self.standing(Key::of(octets)),
        }
    }

    /// Looks up the path that `text` ends with, from `start` on.
    #[inline]
    pub(crate) fn seek_end<'a>(&self, text: &'a [u8], start: usize) -> Sought<'a> {
        // The search comes first, for it waits for itself alone: a processor does what follows meanwhile.
        let standing = self.standing(Key::behind(text, start.wrapping_add(1)));
        Sought {
            octets: text.part(start..),
            set: OctetSet::of_end(text, start),
            standing,
        }
    }

    #[inline]
    fn standing(&self, key: Key) -> Standing {
        match self.arena.rules() {
            Rules::Narrow(rules) => rules.plain().standing(key),
            Rules::Wide(rules) => rules.plain().standing(key),
        }
    }

    /// Whether the strongest rule allows that matches a target of the form `c1`, and of the form `c2`, where that differs
    /// and can matter. Where no rule matches, nothing is disallowed.
    #[inline]
    pub(crate) fn allows(&self, c1: Sought<'_>, c2: Option<&[u8]>) -> bool {
        let mut best = Strength::NO_RULE;
        self.for_each_form(c1, c2, |form| match self.arena.rules() {
            Rules::Narrow(rules) => best = form.strongest(rules, best),
            Rules::Wide(rules) => best = form.strongest(rules, best),
        });
        Strength(best).sense() == Sense::Allow
    }

    /// All rules that match `path`, strongest first, and in file order where equally strong.
    pub(crate) fn all(&self, path: &Forms<'_>) -> Vec<Match> {
        let mut found: Vec<Match> = Vec::new();
        let c1 = self.seek(&path.c1, OctetSet::of(&path.c1));
        self.for_each_form(c1, path.c2.as_deref(), |form| match self.arena.rules() {
            Rules::Narrow(rules) => form.all(rules, &mut found),
            Rules::Wide(rules) => form.all(rules, &mut found),
        });
        if found.len() > 1 {
            found.sort_unstable_by(|a, b| strongest_first(a, b).then_with(|| a.line.cmp(&b.line)));
            found.dedup();
        }
        found
    }

    /// Shows the forms of a path: both at once where they are the same, or where C2 adds nothing.
    #[inline]
    fn for_each_form<'f>(
        &self,
        c1: Sought<'f>,
        c2: Option<&'f [u8]>,
        mut see: impl FnMut(Form<'f>),
    ) {
        see(Form {
            path: c1,
            forms: if c2.is_some() {
                Strength::FIRST
            } else {
                Strength::BOTH
            },
        });
        if let Some(c2) = c2 {
            see(Form {
                path: self.seek(c2, OctetSet::of(c2)),
                forms: Strength::SECOND,
            });
        }
    }

    /// What was given to be kept beside the rules.
    pub(crate) fn annex(&self) -> &[u8] {
        self.arena.annex()
    }

    /// Octets that the set keeps in memory, beside itself.
    pub(crate) fn memory(&self) -> usize {
        self.arena.memory()
    }
}

impl Form<'_> {
    /// The rank of the strongest rule that matches, or `best` where none is stronger.
    #[inline]
    fn strongest<const N: usize, const R: usize>(&self, rules: View<'_, N, R>, best: u32) -> u32 {
        // Most paths may match no wild rule, and that is known before it is known which plain ones they match.
        let wild = if rules.has_wild() {
            rules.wild().candidates(self.path.set)
        } else {
            0
        };
        let best = self.strongest_plain(rules, best);
        if wild == 0 {
            best
        } else {
            self.strongest_wild(rules, wild, best)
        }
    }

    /// The same of the plain rules.
    #[inline]
    fn strongest_plain<const N: usize, const R: usize>(
        &self,
        rules: View<'_, N, R>,
        mut best: u32,
    ) -> u32 {
        let path = self.path.octets;
        rules.plain().visit(path, self.path.standing, |rule| {
            if rule.is_match(path, self.forms) {
                best = best.max(rule.strength.rank());
            }
            rule.strength.is_final()
        });
        best
    }

    /// The same of the wild rules among the `candidates`.
    #[inline(never)]
    fn strongest_wild<const N: usize, const R: usize>(
        &self,
        rules: View<'_, N, R>,
        candidates: u64,
        mut best: u32,
    ) -> u32 {
        rules.wild().visit(self, candidates, best, |rule| {
            best = rule.strength.rank();
            best
        });
        best
    }

    /// Adds every rule that matches.
    fn all<const N: usize, const R: usize>(&self, rules: View<'_, N, R>, found: &mut Vec<Match>) {
        let path = self.path.octets;
        rules.plain().visit(path, self.path.standing, |rule| {
            if rule.is_match(path, self.forms) {
                found.push(Match::new(rule.strength, rule.line));
            }
            false
        });
        let wild = rules.wild();
        wild.visit(self, wild.candidates(self.path.set), 0, |rule| {
            found.push(Match::new(rule.strength, rule.line));
            0
        });
    }
}

impl Match {
    fn new(strength: Strength, line: u32) -> Self {
        Self {
            line,
            octets: strength.octets(),
            sense: strength.sense(),
        }
    }
}

fn strongest_first(a: &Match, b: &Match) -> Ordering {
    let rank = |found: &Match| (found.octets, found.sense == Sense::Allow);
    rank(b).cmp(&rank(a))
}
