//! All rules of a group, compiled for one question: of those that match, which has the most octets
//! (REP-41, REP-42, REP-44)?
//!
//! Rules are sorted by their literal prefix, the octets before the first `*`. Each links to the
//! rule before it of the same prefix, and the first of a prefix to the last one of the longest
//! shorter prefix that it begins with. For a path, the last rule whose prefix is not greater than
//! the path is found by binary search; every rule whose prefix the path begins with stands on the
//! chain of links from there, for all strings between a prefix of the path and the path itself
//! begin with that prefix.
//!
//! Cost follows the path and the chain, not the number of rules, but for rules that share one
//! prefix and go on with `*`: these are tried one by one, and only while they could still win.

use super::matcher;
use super::normal::Forms;
use super::path_pattern::PathPattern;
use crate::text::offset;
use crate::verdict::Sense;
use std::borrow::Cow;
use std::cmp::Ordering;

/// A rule, packed: a robots.txt of 500 KiB can hold some 50,000 of them.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Where the pattern's octets begin, in the text or in the arena.
    start: u32,
    /// How many octets the pattern has in this form, without a final `$`.
    len: u32,
    /// How many of them stand before the first `*`.
    prefix: u32,
    /// Number of the rule's line.
    line: u32,
    /// Strength: octets, then allow before disallow.
    rank: Rank,
    /// The next rule on the chain, or [`NONE`]. While building, the rule's group.
    link: u32,
    flags: Flags,
}

const NONE: u32 = u32::MAX;

/// Strength of a rule: the greater one decides. Octets first (REP-42), and with equal octets allow
/// (REP-44, AMB-REP-4). Zero is weaker than every rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(u32);

impl Rank {
    fn new(octets: usize, sense: Sense) -> Self {
        let octets = offset(octets.min(u32::MAX as usize >> 1));
        Self(octets << 1 | u32::from(sense == Sense::Allow))
    }

    const fn octets(self) -> u32 {
        self.0 >> 1
    }

    const fn sense(self) -> Sense {
        if self.0 & 1 == 1 {
            Sense::Allow
        } else {
            Sense::Disallow
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Flags(u8);

impl Flags {
    const IN_ARENA: u8 = 1;
    const ANCHORED: u8 = 2;
    const WILD: u8 = 4;
    /// The octets are form C1 of the pattern.
    const FIRST: u8 = 8;
    /// The octets are form C2 of the pattern.
    const SECOND: u8 = 16;

    const fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
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

/// Collects rules.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    entries: Vec<Entry>,
    arena: Vec<u8>,
}

impl Builder {
    /// Adds a rule of line `line` and group `group`, whose value begins at `value` in the text.
    pub(crate) fn push(
        &mut self,
        pattern: &PathPattern<'_>,
        sense: Sense,
        line: u32,
        group: u32,
        value: u32,
    ) {
        let Forms { c1, c2 } = pattern.forms();
        let rank = Rank::new(pattern.octets(), sense);
        let anchored = if pattern.is_anchored() {
            Flags::ANCHORED
        } else {
            0
        };
        let both = if c2.is_none() { Flags::SECOND } else { 0 };
        let c1 = match c1 {
            Cow::Borrowed(octets) => Self::entry(value, octets, anchored | Flags::FIRST | both),
            Cow::Owned(octets) => self.stored(octets, anchored | Flags::FIRST | both),
        };
        self.add(Entry {
            line,
            rank,
            link: group,
            ..c1
        });
        if let Some(c2) = c2 {
            let c2 = self.stored(c2, anchored | Flags::SECOND);
            self.add(Entry {
                line,
                rank,
                link: group,
                ..c2
            });
        }
    }

    fn stored(&mut self, octets: &[u8], flags: u8) -> Entry {
        let start = offset(self.arena.len());
        self.arena.extend_from_slice(octets);
        Self::entry(start, octets, flags | Flags::IN_ARENA)
    }

    fn entry(start: u32, octets: &[u8], flags: u8) -> Entry {
        let star = memchr::memchr(b'*', octets);
        Entry {
            start,
            len: offset(octets.len()),
            prefix: offset(star.unwrap_or(octets.len())),
            line: 0,
            rank: Rank::default(),
            link: NONE,
            flags: Flags(flags | if star.is_some() { Flags::WILD } else { 0 }),
        }
    }

    /// Grows by a quarter instead of doubling: a large file should not cost twice its rules.
    fn add(&mut self, entry: Entry) {
        if self.entries.len() == self.entries.capacity() {
            self.entries.reserve_exact((self.entries.len() / 4).max(16));
        }
        self.entries.push(entry);
    }

    /// Keeps the rules of the groups that `keep` tells, and forgets the others.
    pub(crate) fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        self.entries.retain(|entry| keep(entry.link));
    }

    /// Compiles the rules. Of rules with the same pattern and sense the first is kept (REP-43).
    pub(crate) fn build(self, text: &[u8]) -> PatternSet {
        let Self { mut entries, arena } = self;
        let octets = |entry: &Entry| stored_octets(entry, text, &arena);
        let prefix = |entry: &Entry| head(octets(entry), entry.prefix);
        // Where the octets are kept makes no difference between rules.
        let kind = |entry: &Entry| entry.flags.0 & !Flags::IN_ARENA;
        entries.sort_unstable_by(|a, b| {
            prefix(a)
                .cmp(prefix(b))
                .then_with(|| a.rank.cmp(&b.rank))
                .then_with(|| octets(a).cmp(octets(b)))
                .then_with(|| (kind(a), a.line).cmp(&(kind(b), b.line)))
        });
        entries.dedup_by(|later, first| {
            (later.rank, kind(later)) == (first.rank, kind(first)) && octets(later) == octets(first)
        });
        link(&mut entries, prefix);
        entries.shrink_to_fit();
        let reads_c2 = entries.iter().any(|entry| may_differ_in_c2(octets(entry)));
        PatternSet {
            entries: entries.into_boxed_slice(),
            arena: arena.into_boxed_slice(),
            reads_c2,
        }
    }
}

/// Links each entry to the one before it of the same prefix, or else to the last one of the longest
/// prefix that its own begins with.
fn link<'a>(entries: &mut [Entry], prefix: impl Fn(&Entry) -> &'a [u8]) {
    let mut open: Vec<(u32, &[u8])> = Vec::new();
    for (at, entry) in entries.iter_mut().enumerate() {
        let own = prefix(entry);
        while open
            .last()
            .is_some_and(|(_, shorter)| !own.starts_with(shorter))
        {
            open.pop();
        }
        entry.link = open.last().map_or(NONE, |&(at, _)| at);
        match open.last_mut() {
            Some((last, same)) if same.len() == own.len() => *last = offset(at),
            _ => open.push((offset(at), own)),
        }
    }
}

fn stored_octets<'a>(entry: &Entry, text: &'a [u8], arena: &'a [u8]) -> &'a [u8] {
    let source = if entry.flags.has(Flags::IN_ARENA) {
        arena
    } else {
        text
    };
    head(
        source.get(entry.start as usize..).unwrap_or_default(),
        entry.len,
    )
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

fn head(octets: &[u8], len: u32) -> &[u8] {
    octets.get(..len as usize).unwrap_or_default()
}

/// The compiled rules of a group.
#[derive(Clone, Debug, Default)]
pub(crate) struct PatternSet {
    entries: Box<[Entry]>,
    arena: Box<[u8]>,
    reads_c2: bool,
}

impl PatternSet {
    /// Whether form C2 of a path can change the answer.
    pub(crate) fn reads_c2(&self) -> bool {
        self.reads_c2
    }

    /// What the strongest rule says that matches `path`, a target's forms; `None` where none does.
    /// `text` is the text that the rules were read from.
    pub(crate) fn decide(&self, text: &[u8], path: &Forms<'_>) -> Option<Sense> {
        let mut best = Rank::default();
        self.visit(text, path, |entry, matches| {
            if entry.rank > best && matches() {
                best = entry.rank;
            }
        });
        (best > Rank::default()).then(|| best.sense())
    }

    /// All rules that match `path`, strongest first, and in file order where equally strong.
    pub(crate) fn all(&self, text: &[u8], path: &Forms<'_>) -> Vec<Match> {
        let mut found = Vec::new();
        self.visit(text, path, |entry, matches| {
            if matches() {
                let (octets, sense) = (entry.rank.octets(), entry.rank.sense());
                found.push(Match {
                    line: entry.line,
                    octets,
                    sense,
                });
            }
        });
        found.sort_unstable_by(|a, b| strongest_first(a, b).then_with(|| a.line.cmp(&b.line)));
        found.dedup();
        found
    }

    /// Shows every rule whose literal prefix the path begins with, with a test for the rest of it.
    fn visit(&self, text: &[u8], path: &Forms<'_>, mut see: impl FnMut(&Entry, &dyn Fn() -> bool)) {
        match &path.c2 {
            None => self.walk(text, &path.c1, Flags::FIRST | Flags::SECOND, &mut see),
            Some(c2) => {
                self.walk(text, &path.c1, Flags::FIRST, &mut see);
                self.walk(text, c2, Flags::SECOND, &mut see);
            }
        }
    }

    fn walk(
        &self,
        text: &[u8],
        path: &[u8],
        forms: u8,
        see: &mut impl FnMut(&Entry, &dyn Fn() -> bool),
    ) {
        let octets = |entry: &Entry| stored_octets(entry, text, &self.arena);
        let next = |entry: &Entry| self.entries.get(entry.link as usize);
        let after = self
            .entries
            .partition_point(|entry| head(octets(entry), entry.prefix) <= path);
        let mut at = after.checked_sub(1).and_then(|last| self.entries.get(last));
        let shared = at.map_or(0, |entry| shared_length(octets(entry), path));
        while let Some(entry) = at.filter(|entry| entry.prefix as usize > shared) {
            at = next(entry);
        }
        while let Some(entry) = at {
            if entry.flags.has(forms) {
                see(entry, &|| rest_matches(entry, octets(entry), path));
            }
            at = next(entry);
        }
    }

    /// Octets that the set keeps in memory.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.entries).saturating_add(self.arena.len())
    }
}

fn strongest_first(a: &Match, b: &Match) -> Ordering {
    let rank = |found: &Match| (found.octets, found.sense == Sense::Allow);
    rank(b).cmp(&rank(a))
}

fn shared_length(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Whether a path that begins with the entry's literal prefix matches the whole pattern.
fn rest_matches(entry: &Entry, octets: &[u8], path: &[u8]) -> bool {
    let anchored = entry.flags.has(Flags::ANCHORED);
    if !entry.flags.has(Flags::WILD) {
        return !anchored || path.len() == octets.len();
    }
    let prefix = entry.prefix as usize;
    let (Some(pattern), Some(path)) = (octets.get(prefix..), path.get(prefix..)) else {
        return false;
    };
    matcher::matches_after_star(pattern, anchored, path)
}
