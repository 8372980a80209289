//! Which of two path patterns is narrower (ACAP-67 to ACAP-74, ACAP-136 to ACAP-140, AMB-ACAP-4,
//! AMB-ACAP-10, AMB-ACAP-27, AMB-ACAP-33).
//!
//! ACAP compares patterns character by character, and the first difference decides: the end of a
//! pattern is wider than `$`, which is wider than `*`, which is wider than any other character; two
//! other characters cannot be compared. This is a transitive partial order, so one pass over many
//! patterns finds the narrowest, and up to which byte the others can be compared with it
//! ([`Summit`]).

use crate::pattern::normal::Forms;
use crate::pattern::{PathPattern, PatternError};
use std::cmp::Ordering;

/// A path pattern of ACAP: relative to the root of the site, in any case.
///
/// ```
/// use abide::acap::{AcapPattern, Narrower};
/// let images = AcapPattern::read(b"*.gif$")?;
/// assert!(images.matches(b"/a/b.GIF"));
/// let folder = AcapPattern::read(b"img/")?;
/// assert!(folder.matches(b"/img/a.gif"));
/// assert_eq!(folder.compare(&AcapPattern::read(b"/IMG/new/")?), Narrower::Second);
/// # Ok::<(), abide::syntax::PatternError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcapPattern {
    pattern: PathPattern<'static>,
    symbols: Box<[u8]>,
}

/// Which of two patterns has the narrower scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Narrower {
    /// The first one.
    First,
    /// The second one.
    Second,
    /// Neither: they are the same.
    Same,
    /// They cannot be compared, so the usage is prohibited (ACAP-74).
    Undecidable,
}

impl AcapPattern {
    /// Reads a resource path pattern. Without `/` or `*` at its beginning, a `/` is added
    /// (ACAP-65).
    ///
    /// # Errors
    /// [`PatternError`] for an empty pattern, and for control bytes.
    pub fn read(text: &[u8]) -> Result<Self, PatternError> {
        let pattern = PathPattern::read_folded(text)?;
        let mut symbols = pattern.forms().c1.to_vec();
        // The `$` is a symbol as well: it is narrower than the end of a pattern.
        if pattern.is_anchored() {
            symbols.push(b'$');
        }
        let symbols = symbols.into_boxed_slice();
        Ok(Self { pattern, symbols })
    }

    /// Whether the pattern matches a path with query, as written in a URL.
    #[must_use]
    pub fn matches(&self, path: &[u8]) -> bool {
        self.pattern
            .matches_forms(&folded(&crate::pattern::normal::target(path)))
    }

    /// Which one is narrower, this pattern or `other`.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Narrower {
        compare(&self.symbols, &other.symbols)
    }

    /// The pattern in canonical form and lower case, `*` and the final `$` as written. A literal
    /// `$` is an escape there, so equal symbols are equal patterns.
    pub(crate) fn symbols(&self) -> &[u8] {
        &self.symbols
    }

    /// The pattern as one of paths: rooted, and its forms in lower case, which paths have to be in
    /// too before they are compared with it.
    #[must_use]
    pub fn path_pattern(&self) -> &PathPattern<'static> {
        &self.pattern
    }
}

/// The forms of a path, in lower case.
pub(crate) fn folded(path: &Forms<'_>) -> Forms<'static> {
    Forms {
        c1: path.c1.to_ascii_lowercase().into(),
        c2: path.c2.as_ref().map(|c2| c2.to_ascii_lowercase()),
    }
}

/// A symbol of a pattern, the wider first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Symbol {
    End,
    Dollar,
    Star,
    Other(u8),
}

fn symbol(pattern: &[u8], at: usize) -> Symbol {
    match pattern.get(at) {
        None => Symbol::End,
        // The final one: any other `$` is an escape in form C1.
        Some(b'$') => Symbol::Dollar,
        Some(b'*') => Symbol::Star,
        Some(&byte) => Symbol::Other(byte),
    }
}

/// The first difference of two patterns; `None` if they are the same.
fn difference(a: &[u8], b: &[u8]) -> Option<(usize, Symbol, Symbol)> {
    let at = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (symbol(a, at), symbol(b, at));
    (a != b).then_some((at, a, b))
}

/// Which of two patterns, given by their symbols, is narrower.
pub(crate) fn compare(a: &[u8], b: &[u8]) -> Narrower {
    match difference(a, b) {
        None => Narrower::Same,
        Some((_, Symbol::Other(_), Symbol::Other(_))) => Narrower::Undecidable,
        Some((_, a, b)) if a > b => Narrower::First,
        Some(_) => Narrower::Second,
    }
}

/// An order of all patterns that agrees with [`compare()`] wherever that decides: wider ones first.
pub(crate) fn total(a: &[u8], b: &[u8]) -> Ordering {
    difference(a, b).map_or(Ordering::Equal, |(_, a, b)| a.cmp(&b))
}

/// The narrowest of several patterns, as far as they can be compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summit<'a> {
    narrowest: &'a [u8],
    /// The first place at which some pattern cannot be compared with the narrowest one.
    fork: Option<usize>,
}

impl<'a> Summit<'a> {
    /// A summit from its narrowest pattern and first fork.
    pub(crate) const fn new(narrowest: &'a [u8], fork: Option<usize>) -> Self {
        Self { narrowest, fork }
    }

    pub(crate) const fn fork(self) -> Option<usize> {
        self.fork
    }

    /// `None` without patterns.
    pub(crate) fn of(patterns: impl Iterator<Item = &'a [u8]> + Clone) -> Option<Self> {
        let narrowest = patterns.clone().max_by(|a, b| total(a, b))?;
        let fork = patterns
            .filter_map(|pattern| match difference(pattern, narrowest) {
                Some((at, Symbol::Other(_), Symbol::Other(_))) => Some(at),
                _ => None,
            })
            .min();
        Some(Self { narrowest, fork })
    }

    /// Whether `pattern` is at least as narrow as every pattern of the summit, and then whether it
    /// is narrower than every one.
    ///
    /// A pattern that is narrower than the narrowest one leaves it at some place. The patterns that
    /// fork off behind that place are left there too, in the same way; those that fork off before
    /// it cannot be compared.
    pub(crate) fn reached_by(self, pattern: &[u8]) -> Option<Reach> {
        match difference(pattern, self.narrowest) {
            None => self.fork.is_none().then_some(Reach::Equal),
            Some((_, Symbol::Other(_), Symbol::Other(_))) => None,
            Some((at, own, other)) => {
                let before = self.fork.is_none_or(|fork| at < fork);
                (own > other && before).then_some(Reach::Narrower)
            }
        }
    }
}

/// How far a pattern gets against others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// It is the same as the narrowest of them.
    Equal,
    /// It is narrower than all.
    Narrower,
}

/// The patterns that no other one is narrower than. All must be different. Only neighbours in the
/// total order have to be compared: whatever is narrower than a pattern begins as it does, up to a
/// wildcard or its end, and so its next narrower neighbour does.
pub(crate) fn narrowest<'s, T>(mut patterns: Vec<T>, symbols: impl Fn(&T) -> &'s [u8]) -> Vec<T> {
    patterns.sort_by(|a, b| total(symbols(b), symbols(a)));
    let mut kept = Vec::with_capacity(patterns.len());
    let mut beaten_at: Option<usize> = None;
    for (at, pattern) in patterns.iter().enumerate() {
        let neighbour = at.checked_sub(1).and_then(|before| patterns.get(before));
        let fork = neighbour.and_then(|other| difference(symbols(pattern), symbols(other)));
        // A pattern begins like its neighbour, up to their fork. So what beats the neighbour before
        // the fork beats this pattern too, at the same place. At the fork the neighbour itself
        // does, unless both go on with ordinary characters.
        beaten_at = fork.and_then(|(fork, own, _)| {
            let here = (!matches!(own, Symbol::Other(_))).then_some(fork);
            beaten_at.filter(|before| *before < fork).or(here)
        });
        kept.push(beaten_at.is_none());
    }
    let mut kept = kept.into_iter();
    patterns.retain(|_| kept.next().unwrap_or(true));
    patterns
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn symbols() -> impl Strategy<Value = Vec<u8>> {
        "/[ab*]{0,5}\\$?".prop_map(String::into_bytes)
    }

    proptest! {
        #[test]
        fn a_summit_is_reached_by_what_beats_every_pattern(
            patterns in proptest::collection::vec(symbols(), 1..6),
            pattern in symbols(),
        ) {
            let against: Vec<_> = patterns.iter().map(|other| compare(&pattern, other)).collect();
            // The slow way: one comparison for each pattern.
            let narrower = against.iter().all(|order| *order == Narrower::First);
            let at_least = against
                .iter()
                .all(|order| matches!(order, Narrower::First | Narrower::Same));
            let summit = Summit::of(patterns.iter().map(Vec::as_slice));
            let expected = match (narrower, at_least) {
                (true, _) => Some(Reach::Narrower),
                (false, true) => Some(Reach::Equal),
                _ => None,
            };
            prop_assert_eq!(summit.map(|summit| summit.reached_by(&pattern)), Some(expected));
        }

        #[test]
        fn the_narrowest_are_those_that_nothing_beats(
            patterns in proptest::collection::hash_set(symbols(), 0..8),
        ) {
            let patterns: Vec<_> = patterns.into_iter().collect();
            let beaten = |one: &Vec<u8>| {
                patterns.iter().any(|other| compare(other, one) == Narrower::First)
            };
            let mut expected: Vec<_> = patterns.iter().filter(|one| !beaten(one)).collect();
            let mut found = narrowest(patterns.iter().collect(), |pattern| pattern.as_slice());
            expected.sort();
            found.sort();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn the_order_agrees_with_the_comparison(a in symbols(), b in symbols()) {
            match compare(&a, &b) {
                Narrower::First => prop_assert_eq!(total(&a, &b), Ordering::Greater),
                Narrower::Second => prop_assert_eq!(total(&a, &b), Ordering::Less),
                Narrower::Same => prop_assert_eq!(&a, &b),
                Narrower::Undecidable => {}
            }
        }
    }
}
