//! The two canonical forms of targets and patterns (REP-48 to REP-56, REP-61, AMB-REP-1).
//!
//! RFC 9309 contradicts itself on which octets are percent-encoded before comparison, so there are
//! two forms, and a rule matches where it matches in either:
//!
//! - **C1** encodes what may not stand in a URI (controls, SP, octets outside ASCII, quotes, angle
//!   brackets, braces and the like), decodes escapes of unreserved octets, writes escapes in upper
//!   case and encodes `*` and `$` where they are data. Other reserved octets stay as written.
//! - **C2** is C1 with every reserved octet encoded, but for `/` in the path, the first `?`, and
//!   `=` and `&` in the query.
//!
//! Escapes of reserved octets are never decoded: `%2F` is not `/`. A stray `%` stays as it is.

use super::eight::{eight_from, first_in};
use super::octet_set::OctetSet;
use crate::text::Part as _;
use std::borrow::Cow;

/// Both forms of a target or pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forms<'a> {
    /// Form C1.
    pub c1: Cow<'a, [u8]>,
    /// Form C2, where it differs from C1.
    pub c2: Option<Vec<u8>>,
}

impl Forms<'_> {
    /// Form C2.
    #[must_use]
    pub fn c2(&self) -> &[u8] {
        self.c2.as_deref().unwrap_or(&self.c1)
    }

    /// The same forms, borrowing nothing.
    pub(crate) fn into_owned(self) -> Forms<'static> {
        Forms {
            c1: self.c1.into_owned().into(),
            c2: self.c2,
        }
    }
}

/// The forms of a target's path and query. Borrows from `path` where that is already in form C1.
///
/// ```
/// let forms = abide::pattern::normal::target("/foo/bar?baz=https://foo.bar".as_bytes());
/// assert_eq!(*forms.c1, *b"/foo/bar?baz=https://foo.bar");
/// assert_eq!(*forms.c2(), *b"/foo/bar?baz=https%3A%2F%2Ffoo.bar");
/// ```
#[must_use]
pub fn target(path: &[u8]) -> Forms<'_> {
    target_of(path, OctetSet::of(path))
}

/// The same for a path of the octets `set`.
pub(crate) fn target_of(path: &[u8], set: OctetSet) -> Forms<'_> {
    let (c1, set) = if set.may_change_in_target() {
        let c1 = first(path, set, Specials::Data);
        let set = OctetSet::of(&c1);
        (c1, set)
    } else {
        (Cow::Borrowed(path), set)
    };
    let c2 = second(&c1, set);
    Forms { c1, c2 }
}

/// The forms of a pattern without its final `$`: a `*` is left alone, for it is no data.
///
/// ```
/// let forms = abide::pattern::normal::pattern(b"/a$b/*:c");
/// assert_eq!(*forms.c1, *b"/a%24b/*:c");
/// assert_eq!(*forms.c2(), *b"/a%24b/*%3Ac");
/// ```
#[must_use]
pub fn pattern(pattern: &[u8]) -> Forms<'_> {
    pattern_of(pattern, OctetSet::of(pattern)).0
}

/// The same for a pattern of the octets `set`, with the octets of form C1.
#[inline]
pub(crate) fn pattern_of(pattern: &[u8], set: OctetSet) -> (Forms<'_>, OctetSet) {
    if set.may_change() {
        let c1 = first(pattern, set, Specials::Wildcard);
        let set = OctetSet::of(&c1);
        let c2 = second(&c1, set);
        return (Forms { c1, c2 }, set);
    }
    let c2 = second(pattern, set);
    let c1 = Cow::Borrowed(pattern);
    (Forms { c1, c2 }, set)
}

/// What a literal `*` is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Specials {
    Data,
    Wildcard,
}

/// Classes of octets, RFC 3986 §2.2 and §2.3, one table for all questions.
const CLASS: [Class; 256] = {
    let mut table = [Class::Foreign; 256];
    let mut at = 0_usize;
    while at < 256 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::indexing_slicing,
            reason = "at < 256"
        )]
        {
            table[at] = class(at as u8);
        }
        at = at.saturating_add(1);
    }
    table
};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// `A-Z a-z 0-9 - . _ ~`
    Unreserved,
    /// Reserved octets but for `*` and `$`.
    Reserved,
    /// `*` and `$`, which are reserved too, and special in patterns.
    Special,
    /// `%`
    Percent,
    /// All that may not stand in a URI.
    Foreign,
}

/// The class of an octet.
pub(super) const fn class(octet: u8) -> Class {
    match octet {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => Class::Unreserved,
        b':' | b'/' | b'?' | b'#' | b'[' | b']' | b'@' | b'!' | b'&' | b'\'' | b'(' | b')'
        | b'+' | b',' | b';' | b'=' => Class::Reserved,
        b'*' | b'$' => Class::Special,
        b'%' => Class::Percent,
        _ => Class::Foreign,
    }
}

fn class_of(octet: u8) -> Class {
    CLASS
        .get(usize::from(octet))
        .copied()
        .unwrap_or(Class::Foreign)
}

/// What form C1 makes of the octets at the beginning of a text.
enum Step {
    /// The octet stays.
    Keep,
    /// The octet is written as an escape.
    Encode,
    /// An escape that stays: three octets, in upper case.
    Escape(u8),
    /// An escape of an unreserved octet: three octets that become one.
    Decode(u8),
}

fn step(octet: u8, tail: &[u8], specials: Specials) -> Step {
    match class_of(octet) {
        Class::Unreserved | Class::Reserved => Step::Keep,
        Class::Special if octet == b'*' && specials == Specials::Wildcard => Step::Keep,
        Class::Special | Class::Foreign => Step::Encode,
        Class::Percent => match escaped(tail) {
            None => Step::Keep,
            Some(octet) if class_of(octet) == Class::Unreserved => Step::Decode(octet),
            Some(octet) => Step::Escape(octet),
        },
    }
}

/// The octet that `%` with `tail` behind it is an escape of.
#[inline]
fn escaped(tail: &[u8]) -> Option<u8> {
    let [high, low, ..] = tail else { return None };
    let [high, low] = [high, low].map(|digit| HEX.get(usize::from(*digit)).copied());
    let (high, low) = (high?, low?);
    ((high | low) < 16).then_some(high << 4 | low)
}

/// What hexadecimal digits stand for, and more than 15 for all other octets.
static HEX: [u8; 256] = {
    let mut table = [u8::MAX; 256];
    let mut value = 0;
    while value < 16 {
        let [upper, lower] = [b"0123456789ABCDEF", b"0123456789abcdef"];
        #[expect(
            clippy::cast_possible_truncation,
            clippy::indexing_slicing,
            reason = "value < 16"
        )]
        {
            table[upper[value] as usize] = value as u8;
            table[lower[value] as usize] = value as u8;
        }
        value = value.saturating_add(1);
    }
    table
};

/// Form C1 of a text of the octets `set`.
fn first(text: &[u8], set: OctetSet, specials: Specials) -> Cow<'_, [u8]> {
    if canonical_length(text, set, specials) == text.len() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(kept(text, |out| write_first(text, set, specials, out)))
}

/// Writes form C1 of a text of the octets `set`. Returns what the form is made of, and maybe more; `None` where there is
/// too little room.
#[inline]
fn write_first(
    text: &[u8],
    set: OctetSet,
    specials: Specials,
    out: &mut Room<'_>,
) -> Option<OctetSet> {
    // In most texts every escape is decoded.
    let mut set = set.without_percent();
    let mut at = 0_usize;
    loop {
        if !set.gains_escapes() {
            at = out.push_up_to_percent(text, at)?;
        }
        let Some([octet, tail @ ..]) = text.get(at..) else {
            return Some(set);
        };
        let step = step(*octet, tail, specials);
        at = at.wrapping_add(match step {
            Step::Escape(_) | Step::Decode(_) => 3,
            Step::Keep | Step::Encode => 1,
        });
        match step {
            Step::Keep => {
                out.push(*octet)?;
                set = set.and(OctetSet::of(&[*octet]));
            }
            Step::Decode(value) if !completes_stray_percent(out.written(), value) => {
                out.push(value)?;
                set = set.and(OctetSet::of(&[value]));
            }
            Step::Encode => set = set.and(out.push_escape(*octet)?),
            Step::Escape(value) | Step::Decode(value) => set = set.and(out.push_escape(value)?),
        }
    }
}

/// How many octets at the beginning of `text`, of the octets `set`, stay as they are, up to the first that has to be looked
/// at.
fn kept_length(text: &[u8], set: OctetSet, specials: Specials) -> usize {
    let looked_at = |&octet: &u8| {
        let set = OctetSet::of(&[octet]);
        match specials {
            Specials::Data => set.may_change_in_target(),
            Specials::Wildcard => set.may_change(),
        }
    };
    let first = if set.gains_escapes() {
        text.iter().position(looked_at)
    } else {
        memchr::memchr(b'%', text)
    };
    first.unwrap_or(text.len())
}

/// How many octets at the beginning of `text`, of the octets `set`, are in form C1 already.
fn canonical_length(text: &[u8], set: OctetSet, specials: Specials) -> usize {
    let mut rest = text;
    loop {
        rest = rest.part(kept_length(rest, set, specials)..);
        let [octet, tail @ ..] = rest else { break };
        rest = match step(*octet, tail, specials) {
            Step::Keep => tail,
            Step::Escape(_) if !tail.iter().take(2).any(u8::is_ascii_lowercase) => tail.part(2..),
            _ => break,
        };
    }
    text.len().saturating_sub(rest.len())
}

/// Whether the decoded `value` would turn the stray `%` that `out` ends with into an escape. It is
/// left encoded then, or a second normalisation would give something else than the first.
fn completes_stray_percent(out: &[u8], value: u8) -> bool {
    // Few paths have a stray one, and what the value is cannot be guessed.
    let is_open = match out {
        [.., b'%'] => true,
        [.., b'%', digit] => digit.is_ascii_hexdigit(),
        _ => false,
    };
    is_open && value.is_ascii_hexdigit()
}

/// Form C2 of a text in form C1 of the octets `set`, where it differs.
#[inline]
fn second(c1: &[u8], set: OctetSet) -> Option<Vec<u8>> {
    differs_in_c2(c1, set).then(|| kept(c1, |out| write_second(c1, out)))
}

/// Writes form C2 of a text in form C1; `None` where there is too little room.
#[inline]
fn write_second(c1: &[u8], out: &mut Room<'_>) -> Option<()> {
    let mut spellings = &IN_PATH;
    for &octet in c1 {
        out.push_spelling(*spellings.get(usize::from(octet))?)?;
        if octet == b'?' {
            spellings = &IN_QUERY;
        }
    }
    Some(())
}

/// How form C2 writes each octet before the first `?`, and behind it.
static IN_PATH: [Spelling; 256] = spelled_in_c2(*b"/?");
static IN_QUERY: [Spelling; 256] = spelled_in_c2(*b"=&");

/// How an octet is written: up to three octets, and how many they are. All four are put down, for how many count cannot be
/// guessed.
type Spelling = [u8; 4];

/// The reserved octets are encoded, but for these two.
const fn spelled_in_c2(but: [u8; 2]) -> [Spelling; 256] {
    let [one, other] = but;
    let mut table = [[0; 4]; 256];
    let mut octet = 0_u8;
    loop {
        let is_encoded = matches!(class(octet), Class::Reserved) && octet != one && octet != other;
        let [percent, high, low] = escape(octet);
        #[expect(clippy::indexing_slicing, reason = "an octet is less than 256")]
        {
            table[octet as usize] = if is_encoded {
                [percent, high, low, 3]
            } else {
                [octet, 0, 0, 1]
            };
        }
        if octet == u8::MAX {
            break table;
        }
        octet = octet.wrapping_add(1);
    }
}

/// Whether form C2 of a text in form C1 of the octets `set` differs from it: outside of the query by `=` or `&`, in it by
/// `/` or a second `?`, and everywhere by the other reserved octets.
#[inline]
pub(crate) fn differs_in_c2(c1: &[u8], set: OctetSet) -> bool {
    if set.is_encoded_in_c2() {
        return true;
    }
    if !set.may_differ_in_c2() {
        return false;
    }
    let query = memchr::memchr(b'?', c1).unwrap_or(c1.len());
    let (path, query) = c1.split_at_checked(query).unwrap_or((c1, b""));
    memchr::memchr2(b'=', b'&', path).is_some()
        || memchr::memchr2(b'/', b'?', query.part(1..)).is_some()
}

/// `octet` as an escape.
const fn escape(octet: u8) -> [u8; 3] {
    const fn digit(nibble: u8) -> u8 {
        let letter = b'A'.wrapping_sub(10);
        nibble.wrapping_add(if nibble < 10 { b'0' } else { letter })
    }
    [b'%', digit(octet >> 4), digit(octet & 0xF)]
}

/// Room that a form is written into.
struct Room<'r> {
    octets: &'r mut [u8],
    len: usize,
}

impl<'r> Room<'r> {
    fn new(octets: &'r mut [u8]) -> Self {
        Self { octets, len: 0 }
    }

    fn written(&self) -> &[u8] {
        self.octets.part(..self.len)
    }

    /// Writes one more octet; `None` where there is no room for it.
    #[inline]
    fn push(&mut self, octet: u8) -> Option<()> {
        *self.octets.get_mut(self.len)? = octet;
        self.len = self.len.wrapping_add(1);
        Some(())
    }

    /// Writes one or three octets; `None` where there is no room for four.
    #[inline]
    fn push_spelling(&mut self, spelling: Spelling) -> Option<()> {
        *self.octets.get_mut(self.len..)?.first_chunk_mut()? = spelling;
        let [.., len] = spelling;
        self.len = self.len.wrapping_add(len.into());
        Some(())
    }

    /// Writes what stands in `text` from `at` on, before the next `%`, and returns where that is, or the end; `None` where
    /// there is no room for eight octets more.
    #[inline]
    fn push_up_to_percent(&mut self, text: &[u8], mut at: usize) -> Option<usize> {
        loop {
            let left = text.len().wrapping_sub(at);
            let eight = eight_from(text, at);
            *self.octets.get_mut(self.len..)?.first_chunk_mut()? = eight;
            let kept = first_in(eight, b'%').unwrap_or(8).min(left);
            self.len = self.len.wrapping_add(kept);
            at = at.wrapping_add(kept);
            if kept < 8 {
                return Some(at);
            }
        }
    }

    /// Writes `octet` as an escape, and tells what that is made of.
    #[inline]
    fn push_escape(&mut self, octet: u8) -> Option<OctetSet> {
        let escape = escape(octet);
        for octet in escape {
            self.push(octet)?;
        }
        Some(OctetSet::of(&escape))
    }
}

/// A form of `text` that is kept, as `write` writes it where there is room enough.
fn kept<T>(text: &[u8], write: impl Fn(&mut Room<'_>) -> Option<T>) -> Vec<u8> {
    Scratch::new().written(text, write).0.to_vec()
}

/// Octets for which there is room on the stack.
const NEAR: usize = 256;

/// Room for a form of a path that is compared and forgotten: on the stack, for paths that are not very long.
#[derive(Debug)]
pub(crate) struct Scratch {
    near: [u8; NEAR],
    /// The octets, where they are more than there is room for.
    far: Vec<u8>,
}

impl Scratch {
    pub(crate) const fn new() -> Self {
        Self {
            near: [0; NEAR],
            far: Vec::new(),
        }
    }

    /// Form C1 of a target's path of the octets `set`, and what it is made of, or more.
    pub(crate) fn target_c1(&mut self, path: &[u8], set: OctetSet) -> (&[u8], OctetSet) {
        let write = |out: &mut Room<'_>| write_first(path, set, Specials::Data, out);
        let (c1, set) = self.written(path, write);
        (c1, set.unwrap_or_else(|| OctetSet::of(c1)))
    }

    /// Form C2 of a text in form C1.
    pub(crate) fn c2(&mut self, c1: &[u8]) -> &[u8] {
        self.written(c1, |out| write_second(c1, out)).0
    }

    /// A form of `text`, as `write` writes it where there is room enough, and what that tells of it.
    #[inline]
    fn written<T>(
        &mut self,
        text: &[u8],
        write: impl Fn(&mut Room<'_>) -> Option<T>,
    ) -> (&[u8], Option<T>) {
        let mut near = Room::new(&mut self.near);
        if let Some(told) = write(&mut near) {
            let len = near.len;
            return (self.near.part(..len), Some(told));
        }
        // Each octet can become three, and eight are written at once.
        self.far = vec![0; text.len().saturating_mul(3).saturating_add(8)];
        let mut far = Room::new(&mut self.far);
        let told = write(&mut far);
        let len = far.len;
        (self.far.part(..len), told)
    }
}

/// The form in which google/robotstxt compares patterns: octets outside ASCII encoded, escapes in
/// upper case, all else as written (`MaybeEscapePattern` in its source).
pub(crate) fn google(pattern: &[u8]) -> Cow<'_, [u8]> {
    let lower_escape = |window: &[u8]| {
        matches!(window, [b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit()
            && (high.is_ascii_lowercase() || low.is_ascii_lowercase()))
    };
    if pattern.is_ascii() && !pattern.windows(3).any(lower_escape) {
        return Cow::Borrowed(pattern);
    }
    let mut out = Vec::with_capacity(pattern.len().saturating_add(32));
    let mut rest = pattern;
    while let [octet, tail @ ..] = rest {
        rest = tail;
        match tail {
            [high, low, after @ ..]
                if *octet == b'%' && high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                out.extend_from_slice(&[b'%', high.to_ascii_uppercase(), low.to_ascii_uppercase()]);
                rest = after;
            }
            _ if octet.is_ascii() => out.push(*octet),
            _ => out.extend_from_slice(&escape(*octet)),
        }
    }
    Cow::Owned(out)
}
