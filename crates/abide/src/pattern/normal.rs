//! The two canonical forms of paths and patterns (REP-48 to REP-56, REP-61, AMB-REP-1).
//!
//! RFC 9309 contradicts itself on which bytes are percent-encoded before comparison. So there are
//! two forms, and a rule matches if it matches in either:
//!
//! - **C1** encodes what may not stand in a URI (controls, SP, bytes outside ASCII, quotes, angle
//!   brackets, braces and the like), decodes escapes of unreserved bytes, writes escapes in upper
//!   case, and encodes `*` and `$` that are data. Other reserved bytes stay as written.
//! - **C2** is C1 with every reserved byte encoded, except `/` in the path, the first `?`, and
//!   `=` and `&` in the query.
//!
//! Escapes of reserved bytes are never decoded: `%2F` is not `/`. A stray `%`, which begins no
//! escape, stays as it is. A pattern that has one is compared in form C1 only, because form C2 has
//! percent signs that nobody sent (CLA-21).

use super::byte_set::ByteSet;
use crate::text::Part as _;
use std::borrow::Cow;

/// Both canonical forms of a path or pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Forms<'a> {
    /// Form C1.
    pub c1: Cow<'a, [u8]>,
    /// Form C2, if it differs from C1.
    pub c2: Option<Vec<u8>>,
}

impl Forms<'_> {
    /// Form C2.
    #[must_use]
    pub fn c2(&self) -> &[u8] {
        self.c2.as_deref().unwrap_or(&self.c1)
    }

    /// These forms, owned.
    pub(crate) fn into_owned(self) -> Forms<'static> {
        Forms {
            c1: self.c1.into_owned().into(),
            c2: self.c2,
        }
    }
}

/// Returns the forms of a URL's path and query. Borrows from `path` if that is in form C1 already.
///
/// ```
/// let forms = abide::syntax::normal::target("/foo/bar?baz=https://foo.bar".as_bytes());
/// assert_eq!(*forms.c1, *b"/foo/bar?baz=https://foo.bar");
/// assert_eq!(*forms.c2(), *b"/foo/bar?baz=https%3A%2F%2Ffoo.bar");
/// ```
#[must_use]
pub fn target(path: &[u8]) -> Forms<'_> {
    target_of(path, ByteSet::of(path))
}

/// Like [`target`], for a path with the bytes `set`.
pub(crate) fn target_of(path: &[u8], set: ByteSet) -> Forms<'_> {
    let (c1, set) = if set.may_change_in_target() {
        let c1 = first(path, set, Specials::Data);
        let set = ByteSet::of(&c1);
        (c1, set)
    } else {
        (Cow::Borrowed(path), set)
    };
    let c2 = second(&c1, set);
    Forms { c1, c2 }
}

/// Returns the forms of a pattern without its final `$`. A `*` stays, because it is a wildcard.
///
/// ```
/// let forms = abide::syntax::normal::pattern(b"/a$b/*:c");
/// assert_eq!(*forms.c1, *b"/a%24b/*:c");
/// assert_eq!(*forms.c2(), *b"/a%24b/*%3Ac");
/// ```
#[must_use]
pub fn pattern(pattern: &[u8]) -> Forms<'_> {
    pattern_of(pattern, ByteSet::of(pattern)).0
}

/// Like [`pattern`], for a pattern with the bytes `set`. Also returns the bytes of form
/// C1.
#[inline]
pub(crate) fn pattern_of(pattern: &[u8], set: ByteSet) -> (Forms<'_>, ByteSet) {
    if set.may_change() {
        let c1 = first(pattern, set, Specials::Wildcard);
        let set = ByteSet::of(&c1);
        let c2 = second(&c1, set);
        return (Forms { c1, c2 }, set);
    }
    let c2 = second(pattern, set);
    let c1 = Cow::Borrowed(pattern);
    (Forms { c1, c2 }, set)
}

/// What a `*` is: data in paths, a wildcard in patterns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Specials {
    Data,
    Wildcard,
}

/// The class of each byte (RFC 3986 §2.2 and §2.3).
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
    /// Reserved bytes except `*` and `$`.
    Reserved,
    /// `*` and `$`: reserved, and special in patterns.
    Special,
    /// `%`
    Percent,
    /// Bytes that a URI may not contain.
    Foreign,
}

/// The class of a byte.
pub(super) const fn class(byte: u8) -> Class {
    match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => Class::Unreserved,
        b':' | b'/' | b'?' | b'#' | b'[' | b']' | b'@' | b'!' | b'&' | b'\'' | b'(' | b')'
        | b'+' | b',' | b';' | b'=' => Class::Reserved,
        b'*' | b'$' => Class::Special,
        b'%' => Class::Percent,
        _ => Class::Foreign,
    }
}

/// Whether a URI can contain a byte only as an escape.
pub(crate) fn is_foreign(byte: u8) -> bool {
    class_of(byte) == Class::Foreign
}

fn class_of(byte: u8) -> Class {
    CLASS
        .get(usize::from(byte))
        .copied()
        .unwrap_or(Class::Foreign)
}

/// What form C1 does with the bytes at the beginning of a text.
enum Step {
    /// Keeps the byte.
    Keep,
    /// Writes the byte as an escape.
    Encode,
    /// Keeps an escape of three bytes, in upper case.
    Escape(u8),
    /// Decodes an escape of an unreserved byte: three bytes become one.
    Decode(u8),
}

fn step(byte: u8, tail: &[u8], specials: Specials) -> Step {
    match class_of(byte) {
        Class::Unreserved | Class::Reserved => Step::Keep,
        Class::Special if byte == b'*' && specials == Specials::Wildcard => Step::Keep,
        // In a pattern a `$` is data here, because the final one was split off (REP-62).
        Class::Special | Class::Foreign => Step::Encode,
        Class::Percent => match escaped(tail) {
            None => Step::Keep,
            Some(byte) if class_of(byte) == Class::Unreserved => Step::Decode(byte),
            Some(byte) => Step::Escape(byte),
        },
    }
}

/// The byte that `%` followed by `tail` encodes.
#[inline]
fn escaped(tail: &[u8]) -> Option<u8> {
    let [high, low, ..] = tail else { return None };
    let [high, low] = [high, low].map(|digit| HEX.get(usize::from(*digit)).copied());
    let (high, low) = (high?, low?);
    // A byte that is no digit has the value 255, so the `|` tests both at once.
    ((high | low) < 16).then_some(high << 4 | low)
}

/// What a finding says about a `%` that begins no escape (CLA-21).
pub(crate) const STRAY_PERCENT: &str =
    "\"%\" without two hexadecimal digits matches any percent sign of a URL; write %25";

/// Where the first `%` is that begins no escape.
pub(crate) fn stray_percent(text: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'%', text).find(|at| escaped(text.part(at.wrapping_add(1)..)).is_none())
}

/// The value of each hexadecimal digit, and more than 15 for all other bytes.
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

/// Form C1 of a text with the bytes `set`.
fn first(text: &[u8], set: ByteSet, specials: Specials) -> Cow<'_, [u8]> {
    if canonical_length(text, set, specials) == text.len() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(kept(text, |out| write_first(text, set, specials, out)))
}

/// Writes form C1 of a text with the bytes `set`. Returns a set that contains the bytes of the
/// form; `None` if there is too little room.
///
/// Invariants of the loop: `out` is form C1 of the text before `at`, and `set` contains every byte
/// of `out` and of the text from `at` on, except a `%` that was not written.
#[inline]
fn write_first(
    text: &[u8],
    set: ByteSet,
    specials: Specials,
    out: &mut Room<'_>,
) -> Option<ByteSet> {
    // Most texts lose all their `%`, because every escape is decoded.
    let mut set = set.without_percent();
    let mut at = 0_usize;
    loop {
        if !set.gains_escapes() {
            // In such a text only a `%` can change, so all bytes before the next one are copied at
            // once.
            at = out.push_up_to_percent(text, at)?;
        }
        let Some([byte, tail @ ..]) = text.get(at..) else {
            return Some(set);
        };
        let step = step(*byte, tail, specials);
        at = at.wrapping_add(match step {
            Step::Escape(_) | Step::Decode(_) => 3,
            Step::Keep | Step::Encode => 1,
        });
        match step {
            Step::Keep => {
                out.push(*byte)?;
                set = set.and(ByteSet::of(&[*byte]));
            }
            Step::Decode(value) if !completes_stray_percent(out.written(), value) => {
                out.push(value)?;
                set = set.and(ByteSet::of(&[value]));
            }
            Step::Encode => set = set.and(out.push_escape(*byte)?),
            Step::Escape(value) | Step::Decode(value) => set = set.and(out.push_escape(value)?),
        }
    }
}

/// How many bytes at the beginning of `text` stay as they are, up to the first that may change.
fn kept_length(text: &[u8], set: ByteSet, specials: Specials) -> usize {
    let looked_at = |&byte: &u8| {
        let set = ByteSet::of(&[byte]);
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

/// How many bytes at the beginning of `text` are in form C1 already.
fn canonical_length(text: &[u8], set: ByteSet, specials: Specials) -> usize {
    let mut rest = text;
    loop {
        rest = rest.part(kept_length(rest, set, specials)..);
        let [byte, tail @ ..] = rest else { break };
        rest = match step(*byte, tail, specials) {
            Step::Keep => tail,
            // An escape that stays is in form C1 if its letters are in upper case.
            Step::Escape(_) if !tail.iter().take(2).any(u8::is_ascii_lowercase) => tail.part(2..),
            _ => break,
        };
    }
    text.len().saturating_sub(rest.len())
}

/// Whether decoding `value` would complete the stray `%` at the end of `out` to an escape. Then the
/// value stays encoded, so that normalising twice gives the same as normalising once.
fn completes_stray_percent(out: &[u8], value: u8) -> bool {
    // Asked in this order because few paths have a stray `%`.
    let is_open = match out {
        [.., b'%'] => true,
        [.., b'%', digit] => digit.is_ascii_hexdigit(),
        _ => false,
    };
    is_open && value.is_ascii_hexdigit()
}

/// Form C2 of a text in form C1 with the bytes `set`, if it differs.
#[inline]
fn second(c1: &[u8], set: ByteSet) -> Option<Vec<u8>> {
    differs_in_c2(c1, set).then(|| kept(c1, |out| write_second(c1, out)))
}

/// Writes form C2 of a text in form C1. Returns `None` if there is too little room.
#[inline]
fn write_second(c1: &[u8], out: &mut Room<'_>) -> Option<()> {
    // Before the first `?` these two stay, and after it `=` and `&`.
    let mut kept = *b"/?";
    for &byte in c1 {
        if class_of(byte) == Class::Reserved && !kept.contains(&byte) {
            out.push_escape(byte)?;
        } else {
            out.push(byte)?;
        }
        if byte == b'?' {
            kept = *b"=&";
        }
    }
    Some(())
}

/// Whether form C2 of a text in form C1 differs from it. In the path `=` and `&` differ, in the
/// query `/` and a second `?`, and everywhere the other reserved bytes.
#[inline]
pub(crate) fn differs_in_c2(c1: &[u8], set: ByteSet) -> bool {
    if set.is_encoded_in_c2() {
        return true;
    }
    if !set.may_differ_in_c2() {
        return false;
    }
    let query = memchr::memchr(b'?', c1).unwrap_or(c1.len());
    let (path, query) = c1.split_at_checked(query).unwrap_or((c1, b""));
    memchr::memchr2(b'=', b'&', path).is_some()
        // The first `?` stays in form C2.
        || memchr::memchr2(b'/', b'?', query.part(1..)).is_some()
}

/// `byte` as an escape.
const fn escape(byte: u8) -> [u8; 3] {
    const fn digit(nibble: u8) -> u8 {
        let letter = b'A'.wrapping_sub(10);
        nibble.wrapping_add(if nibble < 10 { b'0' } else { letter })
    }
    [b'%', digit(byte >> 4), digit(byte & 0xF)]
}

/// A buffer of fixed size that a form is written into.
struct Room<'r> {
    bytes: &'r mut [u8],
    len: usize,
}

impl<'r> Room<'r> {
    fn new(bytes: &'r mut [u8]) -> Self {
        Self { bytes, len: 0 }
    }

    fn written(&self) -> &[u8] {
        self.bytes.part(..self.len)
    }

    /// Writes one byte; returns `None` if there is no room for it.
    #[inline]
    fn push(&mut self, byte: u8) -> Option<()> {
        *self.bytes.get_mut(self.len)? = byte;
        self.len = self.len.wrapping_add(1);
        Some(())
    }

    /// Copies `text` from `at` up to the next `%` or the end, and returns that place; returns
    /// `None` if there is no room.
    #[inline]
    fn push_up_to_percent(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let rest = text.part(at..);
        let len = memchr::memchr(b'%', rest).unwrap_or(rest.len());
        let end = self.len.checked_add(len)?;
        self.bytes
            .get_mut(self.len..end)?
            .copy_from_slice(rest.part(..len));
        self.len = end;
        Some(at.wrapping_add(len))
    }

    /// Writes `byte` as an escape. Returns the bytes of the escape.
    #[inline]
    fn push_escape(&mut self, byte: u8) -> Option<ByteSet> {
        let escape = escape(byte);
        for byte in escape {
            self.push(byte)?;
        }
        Some(ByteSet::of(&escape))
    }
}

/// A form of `text` on the heap, as `write` writes it.
fn kept<T>(text: &[u8], write: impl Fn(&mut Room<'_>) -> Option<T>) -> Vec<u8> {
    Scratch::new().written(text, write).0.to_vec()
}

/// The size of the buffer on the stack, in bytes.
const NEAR: usize = 256;

/// A buffer for a form of a path that is compared and dropped: on the stack, unless the path is
/// long.
#[derive(Debug)]
pub(crate) struct Scratch {
    near: [u8; NEAR],
    /// The buffer for forms that do not fit on the stack.
    far: Vec<u8>,
}

impl Scratch {
    pub(crate) const fn new() -> Self {
        Self {
            near: [0; NEAR],
            far: Vec::new(),
        }
    }

    /// Form C1 of a path with the bytes `set`, and a set that contains its bytes.
    pub(crate) fn target_c1(&mut self, path: &[u8], set: ByteSet) -> (&[u8], ByteSet) {
        let write = |out: &mut Room<'_>| write_first(path, set, Specials::Data, out);
        let (c1, set) = self.written(path, write);
        (c1, set.unwrap_or_else(|| ByteSet::of(c1)))
    }

    /// Form C2 of a text in form C1.
    pub(crate) fn c2(&mut self, c1: &[u8]) -> &[u8] {
        self.written(c1, |out| write_second(c1, out)).0
    }

    /// A form of `text`, as `write` writes it, and what `write` returned.
    #[inline]
    fn written<T>(
        &mut self,
        text: &[u8],
        write: impl Fn(&mut Room<'_>) -> Option<T>,
    ) -> (&[u8], Option<T>) {
        let mut near = Room::new(&mut self.near);
        // A form that does not fit was written in part, so `write` starts again below.
        if let Some(result) = write(&mut near) {
            let len = near.len;
            return (self.near.part(..len), Some(result));
        }
        // Each byte can become three.
        self.far = vec![0; text.len().saturating_mul(3)];
        let mut far = Room::new(&mut self.far);
        let result = write(&mut far);
        let len = far.len;
        (self.far.part(..len), result)
    }
}

/// The form in which google/robotstxt compares patterns: bytes outside ASCII encoded, escapes in
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
    while let [byte, tail @ ..] = rest {
        rest = tail;
        match tail {
            [high, low, after @ ..]
                if *byte == b'%' && high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                out.extend_from_slice(&[b'%', high.to_ascii_uppercase(), low.to_ascii_uppercase()]);
                rest = after;
            }
            // This also keeps a `%` that begins no escape.
            _ if byte.is_ascii() => out.push(*byte),
            _ => out.extend_from_slice(&escape(*byte)),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_unreserved(byte: u8) -> bool {
        byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
    }

    fn is_reserved(byte: u8) -> bool {
        b":/?#[]@!&'()+,;=".contains(&byte)
    }

    /// Form C1, byte by byte (REP-48 to REP-54).
    fn naive_c1(text: &[u8], star_is_data: bool) -> Vec<u8> {
        let mut out: Vec<u8> = Vec::new();
        let mut rest = text;
        while let [byte, tail @ ..] = rest {
            let digits = tail.get(..2).and_then(|two| std::str::from_utf8(two).ok());
            let digits = digits.filter(|two| two.bytes().all(|digit| digit.is_ascii_hexdigit()));
            let escaped = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
            rest = tail;
            match (byte, escaped) {
                (b'%', Some(value)) => {
                    rest = &tail[2..];
                    let open = out.ends_with(b"%")
                        || matches!(out[..], [.., b'%', digit] if digit.is_ascii_hexdigit());
                    if is_unreserved(value) && !(open && value.is_ascii_hexdigit()) {
                        out.push(value);
                    } else {
                        out.extend(format!("%{value:02X}").bytes());
                    }
                }
                (b'%', None) => out.push(b'%'),
                (b'*', _) if !star_is_data => out.push(b'*'),
                (&byte, _) if is_unreserved(byte) || is_reserved(byte) => out.push(byte),
                (byte, _) => out.extend(format!("%{byte:02X}").bytes()),
            }
        }
        out
    }

    /// Form C2 of a text in form C1.
    fn naive_c2(c1: &[u8]) -> Vec<u8> {
        let query = c1.iter().position(|byte| *byte == b'?').unwrap_or(c1.len());
        let is_kept = |at: usize, byte: u8| match at.cmp(&query) {
            std::cmp::Ordering::Less => byte == b'/',
            std::cmp::Ordering::Equal => true,
            std::cmp::Ordering::Greater => byte == b'=' || byte == b'&',
        };
        let mut out = Vec::new();
        for (at, &byte) in c1.iter().enumerate() {
            if is_reserved(byte) && !is_kept(at, byte) {
                out.extend(format!("%{byte:02X}").bytes());
            } else {
                out.push(byte);
            }
        }
        out
    }

    fn text() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            prop::collection::vec(any::<u8>(), 0..40),
            "/([a-c/?=&*$:;%]|%[0-9A-Fa-f]|%2[0-9A-Fa-f]|%[46]1|%7e|é){0,40}"
                .prop_map(String::into_bytes),
            "/([a-z]{8}|%41|%2f|/){0,60}".prop_map(String::into_bytes),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn forms_of_targets_and_patterns(text in text()) {
            for (forms, c1) in [
                (target(&text), naive_c1(&text, true)),
                (pattern(&text), naive_c1(&text, false)),
            ] {
                prop_assert_eq!(&*forms.c1, &c1[..], "{}", text.escape_ascii());
                let c2 = naive_c2(&c1);
                prop_assert_eq!(forms.c2(), &c2[..], "{}", text.escape_ascii());
                prop_assert_eq!(forms.c2.is_some(), c2 != c1);
            }
        }

        /// On the stack and on the heap.
        #[test]
        fn forms_that_are_compared_and_forgotten(text in text(), times in 1_usize..20) {
            let text = text.repeat(times);
            let mut scratch = Scratch::new();
            let (c1, set) = scratch.target_c1(&text, ByteSet::of(&text));
            let expected = naive_c1(&text, true);
            prop_assert_eq!(c1, &expected[..]);
            prop_assert_eq!(set.and(ByteSet::of(c1)), set, "the set holds every byte of the form");
            let c1 = c1.to_vec();
            prop_assert_eq!(differs_in_c2(&c1, set), naive_c2(&c1) != c1);
            prop_assert_eq!(scratch.c2(&c1), &naive_c2(&c1)[..]);
        }
    }
}
