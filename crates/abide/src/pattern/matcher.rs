//! One pattern against one path (REP-40, REP-58, REP-59, REP-84).
//!
//! The literals between the `*` are searched from left to right, each at its first place. Taking
//! the first place is never wrong, because it leaves the most room for the literals that follow. So
//! the matcher never goes back, and its time is linear in the path for every literal.

use super::eight::places_of_pair;
use memchr::{memchr, memmem, memrchr};

/// Whether `pattern`, without its final `$`, matches the beginning of `path`, or all of it if
/// `anchored`.
pub(crate) fn matches(pattern: &[u8], anchored: bool, path: &[u8]) -> bool {
    match memchr(b'*', pattern) {
        None if anchored => path == pattern,
        None => path.starts_with(pattern),
        Some(star) => matches_behind(pattern, star, anchored, path),
    }
}

/// Like [`matches()`], for a pattern whose first `*` follows `prefix` bytes.
#[inline]
pub(crate) fn matches_behind(pattern: &[u8], prefix: usize, anchored: bool, path: &[u8]) -> bool {
    matches_by(pattern, prefix, anchored, path, |literal, rest| {
        find_after(rest, literal)
    })
}

/// Like [`matches_behind`], searching with `find`: given a literal, which is not empty,
/// and the rest of the path, it returns what follows the first occurrence.
#[inline]
pub(super) fn matches_by<'p>(
    pattern: &[u8],
    prefix: usize,
    anchored: bool,
    path: &'p [u8],
    find: impl FnMut(&[u8], &'p [u8]) -> Option<&'p [u8]>,
) -> bool {
    // A path that is shorter than the prefix cannot match.
    let (Some((literal, pattern)), Some((head, path))) = (
        pattern.split_at_checked(prefix),
        path.split_at_checked(prefix),
    ) else {
        return false;
    };
    literal == head && matches_after_star(pattern, anchored, path, find)
}

/// Whether a pattern that begins with `*` matches `path`.
fn matches_after_star<'p>(
    mut pattern: &[u8],
    anchored: bool,
    mut path: &'p [u8],
    mut find: impl FnMut(&[u8], &'p [u8]) -> Option<&'p [u8]>,
) -> bool {
    // The end is cheap to compare, and most paths fail there.
    if anchored && let Some(last) = memrchr(b'*', pattern) {
        let tail = pattern.get(last..).and_then(|tail| tail.get(1..));
        if !path.ends_with(tail.unwrap_or_default()) {
            return false;
        }
    }
    loop {
        // Several stars in a row match what one star matches.
        while let [b'*', rest @ ..] = pattern {
            pattern = rest;
        }
        if pattern.is_empty() {
            return true;
        }
        let Some((literal, rest)) =
            memchr(b'*', pattern).and_then(|star| pattern.split_at_checked(star))
        else {
            // The test above looked at all that follows the prefix. This is what the literals
            // before left, so the end cannot overlap them: `/*ab*b$` does not match `/ab`.
            return if anchored {
                path.ends_with(pattern)
            } else {
                find(pattern, path).is_some()
            };
        };
        let Some(after) = find(literal, path) else {
            return false;
        };
        (pattern, path) = (rest, after);
    }
}

/// Returns what follows the first occurrence of `literal`, which is not empty.
///
/// Preparing a `memmem` search costs more than most paths take to read. So this compares the first
/// few places near the beginning where the first two bytes of the literal occur, and only then
/// prepares a search. The number of comparisons is bounded, so the time stays linear in the path.
#[inline]
pub(super) fn find_after<'a>(path: &'a [u8], literal: &[u8]) -> Option<&'a [u8]> {
    let (first, others) = literal.split_first()?;
    let Some(second) = others.first() else {
        return path.get(memchr(*first, path)?.wrapping_add(1)..);
    };
    let (mut rest, mut tries) = (path, MAX_COMPARED);
    while let Some(nine) = rest.first_chunk() {
        let mut places = places_of_pair(nine, *first, *second);
        while places != 0 {
            // Places after the first may be false (see `zeros`). They cost a comparison, and no
            // match is missed.
            let found = rest.get(places.trailing_zeros() as usize / 8..)?;
            if let Some(behind) = found.strip_prefix(literal) {
                return Some(behind);
            }
            if tries == 0 {
                return search(found, literal);
            }
            tries = tries.saturating_sub(1);
            places &= places.wrapping_sub(1);
        }
        // Eight pairs were compared. The ninth byte begins the next pair.
        rest = rest.get(8..)?;
        if path.len().wrapping_sub(rest.len()) > NEAR {
            break;
        }
    }
    search(rest, literal)
}

/// Like [`find_after`] with a prepared search, or byte by byte in a very short path.
#[inline(never)]
fn search<'a>(path: &'a [u8], literal: &[u8]) -> Option<&'a [u8]> {
    let at = if path.len() > MAX_UNPREPARED_BYTES {
        memmem::find(path, literal)
    } else {
        let mut windows = path.windows(literal.len());
        windows.position(|window| window == literal)
    };
    path.get(at?.checked_add(literal.len())?..)
}

/// How many places are compared before a search is prepared, and how far into the path.
const MAX_COMPARED: usize = 4;
const NEAR: usize = 128;

/// Paths of up to this many bytes are searched without preparation.
const MAX_UNPREPARED_BYTES: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Tries every length for each `*`.
    fn naive(pattern: &[u8], anchored: bool, path: &[u8]) -> bool {
        match pattern.split_first() {
            None => !anchored || path.is_empty(),
            Some((b'*', rest)) => (0..=path.len()).any(|at| naive(rest, anchored, &path[at..])),
            Some((byte, rest)) => path.first() == Some(byte) && naive(rest, anchored, &path[1..]),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn rep_40_a_match_is_what_trying_every_length_finds(pattern in "/?[ab*]{0,8}", path in "/[ab]{0,20}", anchored in any::<bool>()) {
            let (pattern, path) = (pattern.as_bytes(), path.as_bytes());
            prop_assert_eq!(matches(pattern, anchored, path), naive(pattern, anchored, path));
        }

        /// Long texts with many beginnings of the literal take the prepared search.
        #[test]
        fn a_literal_is_found_where_a_window_equals_it(path in "[ab]{0,20}(a{0,150}|[ab]{0,150})[abc]{0,20}", literal in "[abc]{1,9}") {
            let (path, literal) = (path.as_bytes(), literal.as_bytes());
            let at = path.windows(literal.len()).position(|window| window == literal);
            prop_assert_eq!(find_after(path, literal), at.map(|at| &path[at + literal.len()..]));
        }
    }
}
