//! One pattern against one path (REP-40, REP-58, REP-59, REP-84).
//!
//! The literals between the `*` are searched from left to right, each as early as it can be. That
//! is never wrong, for what comes later only gains room, so there is nothing to go back to: time is
//! linear in the path for every literal.

use super::eight::{first_in, places_of_pair};
use memchr::{memchr, memmem, memrchr};

/// Whether `pattern`, without its final `$`, matches `path` from its first octet; to its last one
/// where `anchored`.
pub(crate) fn matches(pattern: &[u8], anchored: bool, path: &[u8]) -> bool {
    match memchr(b'*', pattern) {
        None if anchored => path == pattern,
        None => path.starts_with(pattern),
        Some(star) => matches_behind(pattern, star, anchored, path),
    }
}

/// As [`matches()`], for a pattern whose first `*` is known to stand behind `prefix` octets.
#[inline]
pub(crate) fn matches_behind(pattern: &[u8], prefix: usize, anchored: bool, path: &[u8]) -> bool {
    matches_by(pattern, prefix, anchored, path, |literal, rest| {
        find_after(rest, literal)
    })
}

/// The same for a path whose literals are found by `find`: it gives what follows the first occurrence of a literal, which
/// is not empty, in a rest of the path.
#[inline]
pub(super) fn matches_by<'p>(
    pattern: &[u8],
    prefix: usize,
    anchored: bool,
    path: &'p [u8],
    find: impl FnMut(&[u8], &'p [u8]) -> Option<&'p [u8]>,
) -> bool {
    let (Some((literal, pattern)), Some((head, path))) = (
        pattern.split_at_checked(prefix),
        path.split_at_checked(prefix),
    ) else {
        return false;
    };
    literal == head && matches_after_star(pattern, anchored, path, find)
}

/// The same for a pattern that begins with `*`.
fn matches_after_star<'p>(
    mut pattern: &[u8],
    anchored: bool,
    mut path: &'p [u8],
    mut find: impl FnMut(&[u8], &'p [u8]) -> Option<&'p [u8]>,
) -> bool {
    // What costs least is asked first.
    if anchored && let Some(last) = memrchr(b'*', pattern) {
        let tail = pattern.get(last..).and_then(|tail| tail.get(1..));
        if !path.ends_with(tail.unwrap_or_default()) {
            return false;
        }
    }
    loop {
        while let [b'*', rest @ ..] = pattern {
            pattern = rest;
        }
        if pattern.is_empty() {
            return true;
        }
        let Some((literal, rest)) =
            position(b'*', pattern).and_then(|star| pattern.split_at_checked(star))
        else {
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

/// What follows the first occurrence of `literal`, which is not empty.
///
/// A few places near the beginning where its first two octets stand are looked at by hand, for most paths are too short to
/// prepare a search; more of them than that cost time in proportion to the path alone.
#[inline]
pub(super) fn find_after<'a>(path: &'a [u8], literal: &[u8]) -> Option<&'a [u8]> {
    let (first, others) = literal.split_first()?;
    let Some(second) = others.first() else {
        return path.get(position(*first, path)?.wrapping_add(1)..);
    };
    let (mut rest, mut tries) = (path, FEW);
    while let Some(nine) = rest.first_chunk() {
        let mut places = places_of_pair(nine, *first, *second);
        while places != 0 {
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
        rest = rest.get(8..)?;
        if path.len().wrapping_sub(rest.len()) > NEAR {
            break;
        }
    }
    search(rest, literal)
}

/// The same by a search that is prepared, but in a few octets.
#[inline(never)]
fn search<'a>(path: &'a [u8], literal: &[u8]) -> Option<&'a [u8]> {
    let at = if path.len() > FEW_OCTETS {
        memmem::find(path, literal)
    } else {
        let mut windows = path.windows(literal.len());
        windows.position(|window| window == literal)
    };
    path.get(at?.checked_add(literal.len())?..)
}

/// Where `octet` stands first. Most often it is near, and a look at sixteen octets is quicker than to prepare a search.
#[inline]
pub(super) fn position(octet: u8, text: &[u8]) -> Option<usize> {
    let (eights, _) = text.as_chunks::<8>();
    let mut at = 0_usize;
    for eight in eights.iter().take(2) {
        if let Some(found) = first_in(*eight, octet) {
            return Some(at.wrapping_add(found));
        }
        at = at.wrapping_add(8);
    }
    memchr(octet, text.get(at..)?).map(|far| at.wrapping_add(far))
}

/// Places that are looked at by hand, and how many octets of a path they are among.
const FEW: usize = 4;
const NEAR: usize = 128;

/// Octets in which no search is prepared.
const FEW_OCTETS: usize = 16;
