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

use super::octet_set::OctetSet;
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
    target_of(path, OctetSet::of(path), true).0
}

/// The same for a path of the octets `set`, with the octets of form C1; without form C2 where nobody `wants_c2`.
#[inline]
pub(crate) fn target_of(path: &[u8], set: OctetSet, wants_c2: bool) -> (Forms<'_>, OctetSet) {
    if set.may_change() || set.has_star() {
        let c1 = first(path, Specials::Data);
        let set = OctetSet::of(&c1);
        let c2 = wants_c2.then(|| second(&c1)).flatten();
        return (Forms { c1, c2 }, set);
    }
    let c2 = (wants_c2 && set.may_differ_in_c2())
        .then(|| second(path))
        .flatten();
    let c1 = Cow::Borrowed(path);
    (Forms { c1, c2 }, set)
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
        let c1 = first(pattern, Specials::Wildcard);
        let c2 = second(&c1);
        let set = OctetSet::of(&c1);
        return (Forms { c1, c2 }, set);
    }
    let c2 = set.may_differ_in_c2().then(|| second(pattern)).flatten();
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
enum Class {
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

const fn class(octet: u8) -> Class {
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
fn escaped(tail: &[u8]) -> Option<u8> {
    let [high, low, ..] = tail else { return None };
    Some(hex(*high)? << 4 | hex(*low)?)
}

const fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit.saturating_sub(b'0')),
        b'a'..=b'f' => Some(digit.saturating_sub(b'a').saturating_add(10)),
        b'A'..=b'F' => Some(digit.saturating_sub(b'A').saturating_add(10)),
        _ => None,
    }
}

fn first(text: &[u8], specials: Specials) -> Cow<'_, [u8]> {
    let canonical = canonical_length(text, specials);
    let (Some(head), Some(mut rest)) = (text.get(..canonical), text.get(canonical..)) else {
        return Cow::Borrowed(text);
    };
    if rest.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len().saturating_add(32));
    out.extend_from_slice(head);
    while let [octet, tail @ ..] = rest {
        rest = tail;
        let step = step(*octet, tail, specials);
        if matches!(step, Step::Escape(_) | Step::Decode(_)) {
            rest = tail.get(2..).unwrap_or_default();
        }
        match step {
            Step::Keep => out.push(*octet),
            Step::Decode(value) if !completes_stray_percent(&out, value) => out.push(value),
            Step::Encode => encode(*octet, &mut out),
            Step::Escape(value) | Step::Decode(value) => encode(value, &mut out),
        }
    }
    Cow::Owned(out)
}

/// How many octets at the beginning of `text` are in form C1 already.
fn canonical_length(text: &[u8], specials: Specials) -> usize {
    let mut rest = text;
    while let [octet, tail @ ..] = rest {
        rest = match step(*octet, tail, specials) {
            Step::Keep => tail,
            Step::Escape(_) if !tail.iter().take(2).any(u8::is_ascii_lowercase) => {
                tail.get(2..).unwrap_or_default()
            }
            _ => break,
        };
    }
    text.len().saturating_sub(rest.len())
}

/// Whether the decoded `value` would turn the stray `%` that `out` ends with into an escape. It is
/// left encoded then, or a second normalisation would give something else than the first.
fn completes_stray_percent(out: &[u8], value: u8) -> bool {
    value.is_ascii_hexdigit()
        && match out {
            [.., b'%'] => true,
            [.., b'%', digit] => digit.is_ascii_hexdigit(),
            _ => false,
        }
}

fn second(c1: &[u8]) -> Option<Vec<u8>> {
    let mut in_query = false;
    let mut encoded = |octet: u8| match (class_of(octet), octet) {
        (Class::Reserved, b'/') => in_query,
        (Class::Reserved, b'?') => std::mem::replace(&mut in_query, true),
        (Class::Reserved, b'=' | b'&') => !in_query,
        (class, _) => class == Class::Reserved,
    };
    let start = c1.iter().position(|&octet| encoded(octet))?;
    let mut out = Vec::with_capacity(c1.len().saturating_add(32));
    out.extend_from_slice(c1.get(..start).unwrap_or_default());
    for (at, &octet) in c1.iter().enumerate().skip(start) {
        if at == start || encoded(octet) {
            encode(octet, &mut out);
        } else {
            out.push(octet);
        }
    }
    Some(out)
}

fn encode(octet: u8, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |nibble: u8| HEX.get(usize::from(nibble & 0xF)).copied().unwrap_or(b'0');
    out.extend_from_slice(&[b'%', digit(octet >> 4), digit(octet)]);
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
            _ => encode(*octet, &mut out),
        }
    }
    Cow::Owned(out)
}
