//! One pattern against one path (REP-40, REP-58, REP-59, REP-84).
//!
//! The literals between the `*` are searched from left to right, each as early as it can be. That
//! is never wrong, for what comes later only gains room, so there is nothing to go back to: time is
//! linear in the path for every literal.

use memchr::{memchr, memmem};

/// Whether `pattern`, without its final `$`, matches `path` from its first octet; to its last one
/// where `anchored`.
pub(crate) fn matches(pattern: &[u8], anchored: bool, path: &[u8]) -> bool {
    match memchr(b'*', pattern) {
        None if anchored => path == pattern,
        None => path.starts_with(pattern),
        Some(star) => {
            let (Some(prefix), Some(rest)) = (pattern.get(..star), pattern.get(star..)) else {
                return false;
            };
            path.strip_prefix(prefix)
                .is_some_and(|path| matches_after_star(rest, anchored, path))
        }
    }
}

/// As [`matches()`], for a pattern that begins with `*`.
pub(crate) fn matches_after_star(pattern: &[u8], anchored: bool, path: &[u8]) -> bool {
    let mut literals = pattern
        .split(|&octet| octet == b'*')
        .filter(|literal| !literal.is_empty());
    let ends_with_star = pattern.last() == Some(&b'*');
    let Some(mut literal) = literals.next() else {
        return true;
    };
    let mut rest = path;
    for next in literals {
        let Some(after) = find_after(rest, literal) else {
            return false;
        };
        rest = after;
        literal = next;
    }
    if anchored && !ends_with_star {
        rest.ends_with(literal)
    } else {
        find_after(rest, literal).is_some()
    }
}

/// What follows the first occurrence of `literal`.
fn find_after<'a>(path: &'a [u8], literal: &[u8]) -> Option<&'a [u8]> {
    let at = match literal {
        [octet] => memchr(*octet, path),
        _ => memmem::find(path, literal),
    }?;
    path.get(at.checked_add(literal.len())?..)
}
