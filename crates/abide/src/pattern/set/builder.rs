//! Collects rules and writes them as a [`PatternSet`].

use super::super::byte_set::ByteSet;
use super::super::normal::{Scratch, differs_in_c2};
use super::super::path_pattern::{PathPattern, RuleValue};
use super::arena::{Arena, Counts, NONE, StoredRule};
use super::key::{self, Key, WITH_SLASH};
use super::{PatternSet, ReadsC2, Strength, grams};
use crate::text::Part as _;
use crate::text::offset;
use crate::verdict::Sense;
use memchr::memchr;

/// Collects rules.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    plain: Vec<CollectedRule>,
    wild: Vec<CollectedRule>,
    /// The bytes of all rules that are not in their keys, in the order in which they came.
    bytes: Vec<u8>,
    /// The greatest number in any record.
    greatest: u32,
    reads_c2: ReadsC2,
    /// How many rules to make room for at first.
    room: usize,
}

/// A collected rule. The bytes of a plain rule are without the stars at their end.
#[derive(Clone, Copy, Debug)]
struct CollectedRule {
    key: Key,
    /// The next eight bytes as a key, only to sort by.
    next: Key,
    /// Where its bytes that are not in its key begin.
    start: u32,
    /// How many bytes it has, those in its key included.
    len: u32,
    strength: Strength,
    line: u32,
}

impl Builder {
    /// Adds a rule of line `line`.
    #[inline]
    pub(crate) fn push(&mut self, pattern: &PathPattern<'_>, sense: Sense, line: u32) {
        let (forms, set) = (pattern.forms(), pattern.set());
        let strength = Strength::new(forms.c1.len(), pattern.is_anchored(), sense);
        match &forms.c2 {
            _ if pattern.has_stray_percent() => {
                // Its `%` says nothing about form C2.
                let set = set.without_percent();
                self.add(&forms.c1, set, strength.of(Strength::FIRST), line);
            }
            None => self.add(&forms.c1, set, strength.of(Strength::BOTH), line),
            Some(c2) => self.add_forms([&forms.c1, c2], set, strength, line),
        }
    }

    /// Adds a rule whose pattern is in form C1 as written.
    #[inline]
    pub(crate) fn push_c1(&mut self, pattern: &RuleValue<'_>, sense: Sense, line: u32) {
        let RuleValue {
            body,
            set,
            anchored,
        } = *pattern;
        let strength = Strength::new(body.len(), anchored, sense);
        if differs_in_c2(body, set) {
            self.add_with_c2(body, set, strength, line);
        } else {
            self.add(body, set, strength.of(Strength::BOTH), line);
        }
    }

    /// Reserves memory for the rules of a text of this many bytes, because a vector that grows is
    /// copied.
    pub(crate) fn reserve_for_text(&mut self, bytes: usize) {
        self.room = (bytes / BYTES_OF_A_LINE).min(MAX_FIRST_ROOM);
    }

    /// Removes every rule.
    pub(crate) fn clear(&mut self) {
        self.plain.clear();
        self.wild.clear();
        self.bytes.clear();
        (self.greatest, self.reads_c2) = (0, ReadsC2::Never);
    }

    /// Adds both forms of a pattern in form C1 whose form C2 differs.
    #[inline(never)]
    fn add_with_c2(&mut self, c1: &[u8], set: ByteSet, strength: Strength, line: u32) {
        let mut room = Scratch::new();
        self.add_forms([c1, room.c2(c1)], set, strength, line);
    }

    /// Adds both forms of a pattern. `set` has the bytes of form C1.
    #[inline]
    fn add_forms(&mut self, forms: [&[u8]; 2], set: ByteSet, strength: Strength, line: u32) {
        let [c1, c2] = forms;
        self.add(c1, set, strength.of(Strength::FIRST), line);
        self.add(c2, set.with_percent(), strength.of(Strength::SECOND), line);
    }

    /// Adds a form, or both if they are the same. Only `%` and `*` of `set` matter here.
    #[inline]
    fn add(&mut self, bytes: &[u8], set: ByteSet, strength: Strength, line: u32) {
        if set.has_percent() {
            self.reads_c2 = self.reads_c2.max(ReadsC2::by_escapes(strength));
        }
        if set.has_star() {
            self.add_starred(bytes, strength, line);
        } else {
            self.add_plain(bytes, strength, line);
        }
    }

    /// Adds a form with stars. Stars at the end change nothing, so a rule that has no others is
    /// plain.
    fn add_starred(&mut self, bytes: &[u8], strength: Strength, line: u32) {
        // `None` also for a pattern of stars alone: it is wild, and has no bytes to sort by.
        let kept = bytes.iter().rposition(|&byte| byte != b'*');
        let kept = kept.and_then(|last| bytes.get(..=last));
        match kept.filter(|kept| memchr(b'*', kept).is_none()) {
            None => {
                if self.reads_c2 != ReadsC2::Always && may_begin_in_escape(bytes) {
                    self.reads_c2 = ReadsC2::Always;
                }
                let rule = self.rule(bytes, 0, strength, line);
                self.wild.push(rule);
            }
            Some(plain) if strength.has(Strength::ANCHORED) => {
                // The strength counts the bytes as written, with the stars and the `$` (REP-42).
                self.add_plain(plain, Strength(strength.0 | Strength::REWRITTEN), line);
            }
            Some(plain) => self.add_plain(plain, strength, line),
        }
    }

    /// Adds a plain form. Every path begins with `/`, so other prefixes match nothing.
    #[inline]
    fn add_plain(&mut self, bytes: &[u8], strength: Strength, line: u32) {
        if bytes.first() == Some(&b'/') {
            let rule = CollectedRule {
                key: Key::of(bytes),
                next: Key::behind(bytes, WITH_SLASH),
                ..self.rule(bytes, WITH_SLASH, strength, line)
            };
            self.plain.push(rule);
        }
    }

    /// A rule whose key has the first `known` bytes.
    #[inline]
    fn rule(&mut self, bytes: &[u8], known: usize, strength: Strength, line: u32) -> CollectedRule {
        let start = offset(self.bytes.len());
        // No strength is 0, so no rule was added yet.
        if self.greatest == 0 {
            self.make_room();
        }
        self.keep(bytes, known);
        // A strength is a greater number than the length of either form.
        self.greatest = self.greatest.max(strength.0).max(line);
        CollectedRule {
            key: Key::default(),
            next: Key::default(),
            start,
            len: offset(bytes.len()),
            strength,
            line,
        }
    }

    /// Keeps the bytes of a rule after the first `known`.
    #[inline]
    fn keep(&mut self, bytes: &[u8], known: usize) {
        // A rule that is all in its key has no rest.
        let rest = bytes.get(known..).unwrap_or_default();
        self.bytes.extend_from_slice(rest);
    }

    /// Makes room for the first rules.
    #[cold]
    fn make_room(&mut self) {
        let rules = self.room.max(FIRST_ROOM);
        self.plain.reserve(rules);
        self.bytes.reserve(rules.saturating_mul(BYTES_OF_A_RULE));
    }

    /// Compiles the rules, and keeps `annex` beside them. Of rules with the same pattern and sense
    /// the first is kept (REP-43).
    pub(crate) fn build(mut self, annex: &[u8]) -> PatternSet {
        let bytes = std::mem::take(&mut self.bytes);
        let Self { plain, wild, .. } = &mut self;
        // One comparison of numbers orders most rules; only runs of equal keys compare bytes.
        plain.sort_unstable_by_key(CollectedRule::keys);
        for run in plain.chunk_by_mut(|a, b| a.keys() == b.keys()) {
            if run.len() > 1 {
                let rest =
                    |rule: &CollectedRule| (rule.behind_keys(&bytes), rule.strength, rule.line);
                // The line comes last, so the first of equal rules stays in front (REP-43).
                run.sort_unstable_by(|a, b| rest(a).cmp(&rest(b)));
            }
        }
        wild.sort_unstable_by(|a, b| {
            let rest = |rule: &CollectedRule| (rule.bytes(&bytes), rule.line);
            b.strength
                .cmp(&a.strength)
                .then_with(|| rest(a).cmp(&rest(b)))
        });
        // The strength contains the sense, so that an allow and a disallow of one pattern both
        // stay.
        plain.dedup_by(|later, first| {
            (later.keys(), later.strength) == (first.keys(), first.strength)
                && later.behind_keys(&bytes) == first.behind_keys(&bytes)
        });
        wild.dedup_by(|later, first| {
            later.strength == first.strength && later.bytes(&bytes) == first.bytes(&bytes)
        });
        PatternSet {
            arena: self.arena(annex, &bytes),
            reads_c2: self.reads_c2,
        }
    }

    /// Writes the rules, which are sorted, with their `bytes`.
    fn arena(&self, annex: &[u8], bytes: &[u8]) -> Arena {
        let wild = || self.wild.iter().map(|rule| rule.bytes(bytes));
        let index = if self.wild.len() > grams::MAX_UNINDEXED {
            grams::index(wild())
        } else {
            Vec::new()
        };
        let counts = Counts {
            plain: offset(self.plain.len()),
            wild: offset(self.wild.len()),
            index: offset(index.len()),
            bytes: offset(bytes.len()),
            annex: offset(annex.len()),
        };
        // Links are numbers of plain rules, and starts are places in the bytes.
        let greatest = self
            .greatest
            .max(counts.bytes)
            .max(counts.plain)
            .max(counts.index);
        let mut arena = Arena::with_capacity(counts, greatest);
        arena.keys(self.plain.iter().map(|rule| rule.key));
        let mut open = Vec::new();
        for (at, rule) in self.plain.iter().enumerate() {
            arena.record(&rule.record(link(&mut open, offset(at), rule, bytes)));
        }
        arena.required(wild().map(ByteSet::required));
        for (rule, bytes) in self.wild.iter().zip(wild()) {
            let prefix = memchr(b'*', bytes).map_or(0, offset);
            arena.record(&rule.record(prefix));
        }
        arena.numbers(index.into_iter());
        arena.bytes(bytes);
        arena.bytes(annex);
        arena.finish()
    }
}

impl ReadsC2 {
    /// What a rule with a `%` in the forms of this strength needs.
    fn by_escapes(strength: Strength) -> Self {
        if strength.has(Strength::FIRST) {
            Self::Always
        } else {
            Self::OfEscapes
        }
    }
}

impl CollectedRule {
    /// What plain rules are sorted by first: sixteen bytes.
    #[inline]
    fn keys(&self) -> u128 {
        self.key.and(self.next)
    }

    /// The bytes of a wild rule, from the `bytes` of all rules.
    #[inline]
    fn bytes<'o>(&self, bytes: &'o [u8]) -> &'o [u8] {
        bytes.part(self.start as usize..).part(..self.len as usize)
    }

    /// The bytes of a plain rule that are in neither of its keys, from the `bytes` of all rules.
    #[inline]
    fn behind_keys<'o>(&self, bytes: &'o [u8]) -> &'o [u8] {
        let start = (self.start as usize).saturating_add(key::BYTES);
        let len = (self.len as usize).saturating_sub(key::TWO_WITH_SLASH);
        bytes
            .get(start..)
            .and_then(|rest| rest.get(..len))
            .unwrap_or_default()
    }

    /// Whether this plain rule begins with all bytes of a shorter one.
    #[inline]
    fn begins_with(&self, shorter: &Self, bytes: &[u8]) -> bool {
        let len = shorter.len as usize;
        let goes_on = || {
            let rest = shorter.behind_keys(bytes);
            rest.is_empty() || self.behind_keys(bytes).starts_with(rest)
        };
        self.key.begins_as(shorter.key, len.saturating_sub(1))
            && self
                .next
                .begins_as(shorter.next, len.saturating_sub(WITH_SLASH))
            && goes_on()
    }

    #[inline]
    fn record(&self, last: u32) -> StoredRule {
        StoredRule {
            start: self.start,
            len: self.len,
            strength: self.strength,
            line: self.line,
            last,
        }
    }
}

/// How many rules there is room for at first: as many as most files have.
const FIRST_ROOM: usize = 32;
/// The most rules that room is made for at first.
const MAX_FIRST_ROOM: usize = 1024;
/// About how many bytes a line with a rule has.
const BYTES_OF_A_LINE: usize = 32;
/// About how many bytes a rule has that are not in its key.
const BYTES_OF_A_RULE: usize = 16;

/// A stack of the rules that the next plain rule may begin with, shortest first. Of rules with the
/// same bytes, `last` is the last one.
struct OpenRule<'r> {
    rule: &'r CollectedRule,
    last: u32,
}

/// Returns the rule that plain rule `at` links to: the one before it with the same bytes, or else
/// the last one with the longest bytes that its own begin with.
///
/// Rules are sorted, so a rule on the stack that this one does not begin with is never linked to
/// again.
fn link<'r>(open: &mut Vec<OpenRule<'r>>, at: u32, rule: &'r CollectedRule, bytes: &[u8]) -> u32 {
    while open
        .last()
        .is_some_and(|shorter| !rule.begins_with(shorter.rule, bytes))
    {
        open.pop();
    }
    let link = open.last().map_or(NONE, |shorter| shorter.last);
    match open.last_mut() {
        Some(same) if same.rule.len == rule.len => same.last = at,
        _ => open.push(OpenRule { rule, last: at }),
    }
    link
}

/// Whether a pattern has a literal after a `*` that can begin inside an escape, such as `*2F`.
fn may_begin_in_escape(pattern: &[u8]) -> bool {
    let inside = |byte: &u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte);
    let mut rest = pattern;
    while let Some(star) = memchr(b'*', rest) {
        rest = rest.part(star.wrapping_add(1)..);
        if rest.first().is_some_and(inside) {
            return true;
        }
    }
    false
}
