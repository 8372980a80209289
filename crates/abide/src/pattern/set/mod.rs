//! All rules of a group, compiled to find the longest rule that matches a path (REP-41, REP-42,
//! REP-44). `../DESIGN.md` explains the structure in full.
//!
//! *Plain* rules have no `*`, or only at their end: they match every path that begins with their
//! bytes. They are sorted, and each links to the last rule with the longest shorter prefix. A
//! binary search finds the last plain rule that is not greater than the path. Every plain rule that
//! the path begins with is on the chain of links from there, because every string between a prefix
//! of the path and the path itself begins with that prefix.
//!
//! All other rules are *wild*. They are sorted by strength and tried while they can still win, and
//! only if the path contains all bytes that they require. If there are many, an index by three
//! bytes that a path must contain (`grams`) selects the rules to try.
//!
//! Everything is in one block of memory (`arena`), the bytes of the patterns included.

mod arena;
mod builder;
mod grams;
mod key;
mod occurrences;
mod plain;
mod wild;
mod windows;

pub(crate) use builder::Builder;

use super::byte_set::ByteSet;
use super::normal::Forms;
use crate::text::Part as _;
use crate::text::offset;
use crate::verdict::Sense;
use arena::{Arena, Rules, View};
use key::Key;
use plain::PlainPosition;
use std::cmp::Ordering;

/// The strength of a rule: the strongest one decides. More bytes are stronger (REP-42), and with
/// equal bytes allow is (REP-44, AMB-REP-4). Zero is weaker than every rule.
///
/// From the highest bit: 27 bits for the number of bytes, one for allow, four flags. Comparing two
/// numbers without their flags compares the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Strength(u32);

impl Strength {
    const ANCHORED: u32 = 1;
    /// The bytes are form C1 of the pattern.
    const FIRST: u32 = 2;
    /// The bytes are form C2 of the pattern.
    const SECOND: u32 = 4;
    /// The bytes are both.
    const BOTH: u32 = Self::FIRST | Self::SECOND;
    /// The rule was written with stars at its end, such as `/a*$`, so its `$` anchors nothing.
    const REWRITTEN: u32 = 8;
    const FLAGS: u32 = 0xF;
    /// The rank if no rule matches: weaker than every rule, and an allow.
    const NO_RULE: u32 = Self::ALLOW;
    const ALLOW: u32 = 0x10;
    /// The greatest number of bytes. Patterns longer than these 128 MiB are equally strong.
    const BYTES: usize = (1 << 27) - 1;

    /// The strength of a pattern of `bytes` bytes. A final `$` counts as one more.
    fn new(bytes: usize, anchored: bool, sense: Sense) -> Self {
        let bytes = bytes.saturating_add(usize::from(anchored));
        let bytes = offset(bytes.min(Self::BYTES));
        let anchored = if anchored { Self::ANCHORED } else { 0 };
        let allow = if sense == Sense::Allow {
            Self::ALLOW
        } else {
            0
        };
        Self(bytes << 5 | allow | anchored)
    }

    /// This strength, of a rule whose bytes are these forms of the pattern.
    const fn of(self, forms: u32) -> Self {
        Self(self.0 | forms)
    }

    const fn bytes(self) -> u32 {
        self.0 >> 5
    }

    const fn sense(self) -> Sense {
        if self.0 & Self::ALLOW == 0 {
            Sense::Disallow
        } else {
            Sense::Allow
        }
    }

    /// The strength without flags.
    const fn rank(self) -> u32 {
        self.0 & !Self::FLAGS
    }

    const fn has(self, flags: u32) -> bool {
        self.0 & flags != 0
    }

    /// Whether the path must end with the bytes.
    const fn is_anchored(self) -> bool {
        self.0 & (Self::ANCHORED | Self::REWRITTEN) == Self::ANCHORED
    }
}

/// A rule that matches a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Match {
    /// Number of the rule's line.
    pub(crate) line: u32,
    /// The rule's bytes.
    pub(crate) bytes: u32,
    /// What the rule says.
    pub(crate) sense: Sense,
}

/// The compiled rules of a group.
#[derive(Clone, Debug, Default)]
pub(crate) struct PatternSet {
    arena: Arena,
    reads_c2: ReadsC2,
}

/// For which paths form C2 can change the answer. Computing form C2 is skipped for the others.
///
/// C2 writes reserved bytes as escapes that C1 keeps as they are. If neither rule nor path has an
/// escape in C1, every escape in C2 is the same byte in both. Then what matches in C2 also matches
/// in C1, unless a literal of the rule can begin inside an escape. And comparing form C1 of a path
/// with form C2 of a rule finds nothing extra, because that form has a `%`, which the path does not
/// have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum ReadsC2 {
    /// For no path: no rule has a `%` in either form.
    #[default]
    Never,
    /// For paths with escapes: rules have a `%` in form C2 only.
    OfEscapes,
    /// For all paths: a rule has a `%` in form C1, unless it is compared in that form only, or a
    /// literal after a `*` that can begin inside an escape.
    Always,
}

/// A path, with its place among the plain rules of a set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathKey<'a> {
    bytes: &'a [u8],
    /// The bytes of the path, and maybe others.
    set: ByteSet,
    standing: PlainPosition,
}

impl<'a> PathKey<'a> {
    /// The path.
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The bytes of the path, and maybe others.
    pub(crate) const fn set(&self) -> ByteSet {
        self.set
    }
}

/// A rule that matches, by its strength without flags.
#[derive(Clone, Copy, Debug)]
struct RankedRule {
    rank: u32,
    line: u32,
}

impl RankedRule {
    const fn new(strength: Strength, line: u32) -> Self {
        Self {
            rank: strength.rank(),
            line,
        }
    }

    /// Whether this rule decides, and not `other`.
    const fn is_before(self, other: Self) -> bool {
        self.rank > other.rank || (self.rank == other.rank && self.line < other.line)
    }

    /// The one of `best` and `self` that decides.
    fn or_before(self, best: Option<Self>) -> Self {
        best.filter(|best| !self.is_before(*best)).unwrap_or(self)
    }
}

/// One form of a path.
#[derive(Clone, Copy)]
struct Form<'a> {
    path: PathKey<'a>,
    /// The forms of rules that it is compared with.
    forms: u32,
}

impl PatternSet {
    /// Whether form C2 can change the answer for a path whose form C1 has the bytes `set`.
    #[inline]
    pub(crate) fn reads_c2(&self, set: ByteSet) -> bool {
        match self.reads_c2 {
            ReadsC2::Never => false,
            ReadsC2::OfEscapes => set.has_percent(),
            ReadsC2::Always => true,
        }
    }

    /// Looks up a path with the bytes `set`.
    #[inline]
    pub(crate) fn seek<'a>(&self, bytes: &'a [u8], set: ByteSet) -> PathKey<'a> {
        PathKey {
            bytes,
            set,
            standing: self.standing(Key::of(bytes)),
        }
    }

    /// Looks up the path at the end of `text`, from `start` on.
    #[inline]
    pub(crate) fn seek_end<'a>(&self, text: &'a [u8], start: usize) -> PathKey<'a> {
        // The search comes first: each of its steps waits for the one before, and the processor
        // reads the bytes meanwhile.
        let standing = self.standing(Key::behind(text, start.wrapping_add(1)));
        let bytes = text.part(start..);
        PathKey {
            bytes,
            set: ByteSet::of(bytes),
            standing,
        }
    }

    #[inline]
    fn standing(&self, key: Key) -> PlainPosition {
        match self.arena.rules() {
            Rules::Narrow(rules) => rules.plain().standing(key),
            Rules::Wide(rules) => rules.plain().standing(key),
        }
    }

    /// Whether the strongest rule that matches is an allow, or no rule matches. `c2` is form C2 of
    /// the path, if that differs and can change the answer.
    #[inline]
    pub(crate) fn allows(&self, c1: PathKey<'_>, c2: Option<&[u8]>) -> bool {
        let mut best = Strength::NO_RULE;
        self.for_each_form(c1, c2, |form| match self.arena.rules() {
            Rules::Narrow(rules) => best = form.strongest(rules, best),
            Rules::Wide(rules) => best = form.strongest(rules, best),
        });
        Strength(best).sense() == Sense::Allow
    }

    /// The first of [`PatternSet::all`]: the rule that decides. Allocates nothing.
    pub(crate) fn first(&self, path: &Forms<'_>) -> Option<Match> {
        let mut best: Option<RankedRule> = None;
        let c1 = self.seek(&path.c1, ByteSet::of(&path.c1));
        self.for_each_form(c1, path.c2.as_deref(), |form| match self.arena.rules() {
            Rules::Narrow(rules) => form.first(rules, &mut best),
            Rules::Wide(rules) => form.first(rules, &mut best),
        });
        best.map(|best| Match::new(Strength(best.rank), best.line))
    }

    /// All rules that match `path`, strongest first, and in file order if equally strong.
    pub(crate) fn all(&self, path: &Forms<'_>) -> Vec<Match> {
        let mut found: Vec<Match> = Vec::new();
        let c1 = self.seek(&path.c1, ByteSet::of(&path.c1));
        self.for_each_form(c1, path.c2.as_deref(), |form| match self.arena.rules() {
            Rules::Narrow(rules) => form.all(rules, &mut found),
            Rules::Wide(rules) => form.all(rules, &mut found),
        });
        if found.len() > 1 {
            found.sort_unstable_by(|a, b| strongest_first(a, b).then_with(|| a.line.cmp(&b.line)));
            // A rule whose two forms both match was found twice.
            found.dedup();
        }
        found
    }

    /// Calls `see` for each form of a path, or once for both if C2 is not needed.
    #[inline]
    fn for_each_form<'f>(
        &self,
        c1: PathKey<'f>,
        c2: Option<&'f [u8]>,
        mut see: impl FnMut(Form<'f>),
    ) {
        see(Form {
            path: c1,
            forms: if c2.is_some() {
                Strength::FIRST
            } else {
                // One look is enough: every rule is compared, whichever form its bytes are.
                Strength::BOTH
            },
        });
        if let Some(c2) = c2 {
            see(Form {
                path: self.seek(c2, ByteSet::of(c2)),
                forms: Strength::SECOND,
            });
        }
    }

    /// The annex that was given to [`Builder::build`].
    pub(crate) fn annex(&self) -> &[u8] {
        self.arena.annex()
    }

    /// How many bytes of heap the set takes.
    pub(crate) fn memory(&self) -> usize {
        self.arena.memory()
    }
}

impl Form<'_> {
    /// The rank of the strongest rule that matches, or `best` if none is stronger.
    #[inline]
    fn strongest<const N: usize, const R: usize>(&self, rules: View<'_, N, R>, best: u32) -> u32 {
        // The bytes of most paths rule out all wild rules, which is known before the binary search
        // ends.
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

    /// Like [`Form::strongest`], for the plain rules.
    #[inline]
    fn strongest_plain<const N: usize, const R: usize>(
        &self,
        rules: View<'_, N, R>,
        mut best: u32,
    ) -> u32 {
        let path = self.path.bytes;
        rules.plain().visit(path, self.path.standing, |rule| {
            if rule.is_match(path, self.forms) {
                best = best.max(rule.strength.rank());
            }
        });
        best
    }

    /// Like [`Form::strongest`], for the wild rules among `candidates`.
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

    /// Replaces `best` by the strongest rule that matches, if that is stronger, or as strong and
    /// earlier in the file.
    fn first<const N: usize, const R: usize>(
        &self,
        rules: View<'_, N, R>,
        best: &mut Option<RankedRule>,
    ) {
        let path = self.path.bytes;
        rules.plain().visit(path, self.path.standing, |rule| {
            if rule.is_match(path, self.forms) {
                *best = Some(RankedRule::new(rule.strength, rule.line).or_before(*best));
            }
        });
        // A rule as strong as the best one may be earlier in the file.
        let bound = |best: Option<RankedRule>| best.map_or(0, |best| best.rank.saturating_sub(1));
        let wild = rules.wild();
        let candidates = wild.candidates(self.path.set);
        wild.visit(self, candidates, bound(*best), |rule| {
            *best = Some(RankedRule::new(rule.strength, rule.line).or_before(*best));
            bound(*best)
        });
    }

    /// Adds every rule that matches.
    fn all<const N: usize, const R: usize>(&self, rules: View<'_, N, R>, found: &mut Vec<Match>) {
        let path = self.path.bytes;
        rules.plain().visit(path, self.path.standing, |rule| {
            if rule.is_match(path, self.forms) {
                found.push(Match::new(rule.strength, rule.line));
            }
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
            bytes: strength.bytes(),
            sense: strength.sense(),
        }
    }
}

fn strongest_first(a: &Match, b: &Match) -> Ordering {
    let rank = |found: &Match| (found.bytes, found.sense == Sense::Allow);
    rank(b).cmp(&rank(a))
}

#[cfg(test)]
mod tests {
    use super::super::normal;
    use super::super::path_pattern::PathPattern;
    use super::*;
    use proptest::prelude::*;

    /// Compares every rule with the path, one after the other.
    fn naive(rules: &[(PathPattern<'_>, Sense)], path: &Forms<'_>) -> Vec<Match> {
        let mut found: Vec<Match> = Vec::new();
        for (at, (pattern, sense)) in rules.iter().enumerate() {
            // Of rules that are the same, the first one counts.
            let is_new = !rules[..at].contains(&(pattern.clone(), *sense));
            if is_new && pattern.matches_forms(path) {
                found.push(Match {
                    line: offset(at),
                    bytes: offset(pattern.length()),
                    sense: *sense,
                });
            }
        }
        found.sort_by(|a, b| strongest_first(a, b).then(a.line.cmp(&b.line)));
        found
    }

    fn rule((allow, value): &(bool, String)) -> Option<(PathPattern<'_>, Sense)> {
        let sense = if *allow {
            Sense::Allow
        } else {
            Sense::Disallow
        };
        Some((PathPattern::read(value.as_bytes()).ok()?, sense))
    }

    fn check(values: &[(bool, String)], paths: &[String]) -> Result<(), TestCaseError> {
        let rules: Vec<_> = values.iter().filter_map(rule).collect();
        let mut builder = Builder::default();
        for (line, (pattern, sense)) in rules.iter().enumerate() {
            builder.push(pattern, *sense, offset(line));
        }
        let set = builder.build(b"annex");
        prop_assert_eq!(set.annex(), b"annex");
        for path in paths {
            let forms = normal::target(path.as_bytes());
            let expected = naive(&rules, &forms);
            prop_assert_eq!(&set.all(&forms), &expected, "{} in {:?}", path, values);
            let allowed = expected
                .first()
                .is_none_or(|first| first.sense == Sense::Allow);
            prop_assert_eq!(set.first(&forms), expected.first().copied());
            let sought = set.seek(&forms.c1, ByteSet::of(&forms.c1));
            prop_assert_eq!(set.allows(sought, forms.c2.as_deref()), allowed);
            let url = format!("https://e.example{path}");
            if forms.c1 == path.as_bytes() {
                let sought = set.seek_end(url.as_bytes(), "https://e.example".len());
                prop_assert_eq!(set.allows(sought, forms.c2.as_deref()), allowed);
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Prefixes that contain each other, in either form.
        #[test]
        fn rep_42_a_set_is_what_comparing_every_rule_finds(
            rules in prop::collection::vec((any::<bool>(), "[/*]([ab2=:*/%]|%2f|%61|abbababbaba){0,5}\\$?"), 0..40),
            paths in prop::collection::vec("/([ab2=:/%]|%2F|abbababbaba){0,6}", 1..8),
        ) {
            check(&rules, &paths)?;
        }

        /// More than 64 wild rules have an index.
        #[test]
        fn rep_42_many_wild_rules(
            rules in prop::collection::vec((any::<bool>(), "[/*][a-d]{1,4}\\*[a-d*]{0,4}\\$?"), 60..200),
            paths in prop::collection::vec("/[a-d]{0,30}", 1..8),
        ) {
            check(&rules, &paths)?;
        }
    }
}
