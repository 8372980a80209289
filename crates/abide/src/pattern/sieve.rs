//! A quick test that a rule cannot match a path, for decisions that read every rule of a file once.

use super::byte_set::ByteSet;
use super::normal::Forms;
use crate::profile::Profile;

/// A path, and what rules must contain to match it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sieve<'p> {
    path: &'p Forms<'p>,
    /// The bytes that a rule may require. Known only if both forms of the path are the same and it
    /// has no escapes.
    set: Option<ByteSet>,
}

impl<'p> Sieve<'p> {
    /// Creates the test for rules that are read with `reading`.
    pub(crate) fn new(path: &'p Forms<'p>, reading: Profile) -> Self {
        let set = ByteSet::of(&path.c1);
        // A rule of the google profile may stand for another pattern than its own.
        let is_plain = reading == Profile::Careful && path.c2.is_none() && !set.has_percent();
        let set = is_plain.then_some(set);
        Self { path, set }
    }

    /// The path.
    pub(crate) fn path(&self) -> &'p Forms<'p> {
        self.path
    }

    /// Whether a rule whose value begins like `value` cannot match. Most rules differ from the path
    /// in the first byte after the slash.
    #[inline]
    pub(crate) fn stops_beginning(&self, value: &[u8]) -> bool {
        matches!((value, &*self.path.c1), ([b'/', own, ..], [_, other, ..])
            // Another byte, such as `*` or `%`, may match a first byte that is not equal.
            if own != other && ByteSet::of(&[*own]).is_verbatim())
    }

    /// Whether a rule of this value cannot match because it requires bytes that the path does not
    /// contain. This holds for form C2 too: a rule that differs in form C2 requires a `%` there,
    /// and the path has none.
    #[inline]
    pub(crate) fn stops(&self, value: &[u8]) -> bool {
        // A final `$` is an anchor (REP-58), so the path need not contain it.
        let body = value.strip_suffix(b"$").unwrap_or(value);
        self.set.is_some_and(|path| {
            let own = ByteSet::of(body);
            // A value that normalising changes may require other bytes than it has.
            !own.may_change() && !path.may_hold(own.presence())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::normal;
    use abide_testkit::model;
    use proptest::prelude::*;

    /// Whether a rule matches, by the slow model, which knows no sieve: in form C1 or in form C2.
    fn naive(value: &[u8], path: &[u8]) -> bool {
        let body = value.strip_suffix(b"$");
        let (body, anchored) = (body.unwrap_or(value), body.is_some());
        model::matches_in_a_form(body, anchored, &model::c1(path, false))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// A rule that the sieve stops never matches.
        #[test]
        fn rep_40_what_the_sieve_stops_does_not_match(
            value in "[/*]([abc*?=&.~%$ü]|%7E|%61|%2a|%3F|%c3%bc){0,5}[$]?",
            path in "/([abc*?=&.~%ü]|%7e|%61|%2A|%3f|%C3%BC){0,8}",
        ) {
            let (value, path) = (value.as_bytes(), path.as_bytes());
            let forms = normal::target(path);
            let sieve = Sieve::new(&forms, Profile::Careful);
            if sieve.stops_beginning(value) || sieve.stops(value) {
                prop_assert!(!naive(value, path), "{} and {}", value.escape_ascii(), path.escape_ascii());
            }
        }
    }

    #[test]
    fn the_sieve_stops_what_it_is_for() {
        let forms = normal::target(b"/news/today");
        let sieve = Sieve::new(&forms, Profile::Careful);
        assert!(sieve.stops_beginning(b"/shop/") && !sieve.stops_beginning(b"/note"));
        assert!(sieve.stops(b"/n*b") && !sieve.stops(b"/n*y$"));
        // What may be the same byte in another spelling is compared.
        assert!(!sieve.stops_beginning(b"/%6Eews") && !sieve.stops(b"/%6Eews"));
        assert!(!sieve.stops_beginning(b"/*b"));
    }
}
