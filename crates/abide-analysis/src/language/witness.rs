//! A path that some patterns match and others do not, and that rules allow.

use super::alphabet::Alphabet;
use super::patterns::Patterns;
use super::rank::{Rank, permits, strength};
use super::search::{Contest, Search};
use crate::bound::{Bound, Work};
use abide::Profile;
use abide::syntax::{PathPattern, Rule};
use std::ops::ControlFlow;

/// What a path has to fulfil.
#[derive(Clone, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Wanted<'p> {
    /// Patterns that all match it.
    pub required: Vec<&'p PathPattern<'p>>,
    /// Patterns of which none matches it.
    pub excluded: Vec<&'p PathPattern<'p>>,
    /// Rules that allow it.
    pub rules: &'p [Rule<'p>],
}

/// What a search for a path finds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "there is a path, there is none, or nobody knows"
)]
pub enum Witness {
    /// A shortest such path, in form C1.
    Path(String),
    /// There is no such path.
    Impossible,
    /// The allowed work was spent before the end.
    Unknown,
}

/// Searches for paths of one file in the careful profile, all within one bound.
#[derive(Debug)]
pub struct PathSearch {
    work: Work,
}

impl PathSearch {
    /// A search that takes at most this much work for all that it looks for.
    #[must_use]
    pub fn new(bound: Bound) -> Self {
        let work = Work::new(bound);
        Self { work }
    }

    /// Whether nothing is left of the allowed work.
    pub fn is_spent(&mut self) -> bool {
        !self.work.spend(1)
    }

    /// Whether a pattern matches no path that `outer` does not match. No if that takes too much
    /// work to find out.
    pub fn is_within(&mut self, inner: &PathPattern<'_>, outer: &PathPattern<'_>) -> bool {
        let wanted = Wanted {
            required: vec![inner],
            excluded: vec![outer],
            rules: &[],
        };
        may_overlap(inner, outer) && self.find(&wanted) == Witness::Impossible
    }

    /// Whether rules disallow every path that a pattern matches. `None` if that takes too much work
    /// to find out.
    pub fn is_closed(&mut self, pattern: &PathPattern<'_>, rules: &[Rule<'_>]) -> Option<bool> {
        let wanted = Wanted {
            required: vec![pattern],
            excluded: Vec::new(),
            rules,
        };
        match self.find(&wanted) {
            Witness::Path(_) => Some(false),
            Witness::Impossible => Some(true),
            Witness::Unknown => None,
        }
    }

    /// Looks for a path that is `wanted`.
    pub fn find(&mut self, wanted: &Wanted<'_>) -> Witness {
        let mut patterns = Patterns::new(Profile::Careful);
        let aim = Aim::read(wanted, &mut patterns);
        // Making the automata was work too.
        if !self.work.spend(patterns.globs.len() as u64 * 4) {
            return Witness::Unknown;
        }
        let mut search = Search::new(&patterns.globs, Alphabet::of(Profile::Careful), &aim);
        let mut found = None;
        let is_complete = search.run(&mut self.work, |_, _, path| {
            // The search is breadth first, so the first path is a shortest one.
            found = Some(path.to_owned());
            ControlFlow::Break(())
        });
        match found {
            Some(path) => Witness::Path(path),
            None if is_complete => Witness::Impossible,
            None => Witness::Unknown,
        }
    }
}

/// What each pattern means, by its number.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    is_required: bool,
    is_excluded: bool,
    /// Its strength as a rule; 0 if it is none.
    rank: Rank,
}

/// Whether a set of matching patterns is the wanted one.
#[derive(Debug, Default)]
struct Aim {
    parts: Vec<Part>,
    required: usize,
}

impl Aim {
    fn read(wanted: &Wanted<'_>, patterns: &mut Patterns) -> Self {
        let mut aim = Self::default();
        for pattern in &wanted.required {
            let number = patterns.number(pattern, false);
            aim.change(number, |part| part.is_required = true);
        }
        for pattern in &wanted.excluded {
            let number = patterns.number(pattern, false);
            aim.change(number, |part| part.is_excluded = true);
        }
        for rule in wanted.rules {
            let Ok(pattern) = &rule.pattern else { continue };
            let rank = strength(pattern, rule.sense, rule.line.number);
            let number = patterns.number(pattern, false);
            aim.change(number, |part| part.rank = part.rank.max(rank));
        }
        aim.required = aim.parts.iter().filter(|part| part.is_required).count();
        aim
    }

    fn change(&mut self, pattern: u32, change: impl FnOnce(&mut Part)) {
        let at = pattern as usize;
        let len = self.parts.len().max(at + 1);
        self.parts.resize(len, Part::default());
        self.parts.get_mut(at).map(change);
    }

    fn of(&self, pattern: u32) -> Part {
        let part = self.parts.get(pattern as usize);
        part.copied().unwrap_or_default()
    }

    fn best(&self, matched: &[u32]) -> Rank {
        let ranks = matched.iter().map(|pattern| self.of(*pattern).rank);
        ranks.max().unwrap_or_default()
    }

    fn is_excluded(&self, matched: &[u32]) -> bool {
        matched.iter().any(|pattern| self.of(*pattern).is_excluded)
    }

    fn count_required(&self, patterns: impl Iterator<Item = u32>) -> usize {
        patterns
            .filter(|pattern| self.of(*pattern).is_required)
            .count()
    }
}

impl Contest for Aim {
    fn reduce(&self, matched: &mut Vec<u32>) {
        let best = self.best(matched);
        matched.retain(|pattern| {
            let part = self.of(*pattern);
            // A weaker rule cannot decide any more. What is required or excluded counts to the end.
            part.is_required || part.is_excluded || (part.rank > 0 && part.rank >= best)
        });
    }

    fn matters(&self, matched: &[u32], pattern: u32) -> bool {
        let part = self.of(pattern);
        let is_missing = part.is_required && !matched.contains(&pattern);
        is_missing || part.is_excluded || part.rank > self.best(matched)
    }

    fn may_differ(&self, matched: &[u32], open: &mut dyn Iterator<Item = u32>) -> bool {
        if self.is_excluded(matched) {
            return false;
        }
        let mut open: Vec<u32> = open.collect();
        // A pattern has an automaton for each form, and a required one must be counted once.
        open.sort_unstable();
        open.dedup();
        let best = self.best(matched);
        // Whether the rules together allow the path is known only at its end (`differs`).
        let may_allow = permits(best)
            || open.iter().any(|pattern| {
                let rank = self.of(*pattern).rank;
                rank > best && permits(rank)
            });
        let missing = open.into_iter().filter(|one| !matched.contains(one));
        let reachable = self.count_required(matched.iter().copied()) + self.count_required(missing);
        may_allow && reachable == self.required
    }

    fn differs(&self, matched: &[u32]) -> bool {
        !self.is_excluded(matched)
            && permits(self.best(matched))
            && self.count_required(matched.iter().copied()) == self.required
    }
}

/// Whether two patterns may match one path: neither literal beginning rules the other out. Quicker
/// than a search.
pub fn may_overlap(one: &PathPattern<'_>, other: &PathPattern<'_>) -> bool {
    beginnings_agree(&one.forms().c1, &other.forms().c1)
}

/// The look at two patterns in form C1 that [`may_overlap`] takes.
pub(crate) fn beginnings_agree(one: &[u8], other: &[u8]) -> bool {
    let (own, others) = (beginning(one), beginning(other));
    // Every path begins with "/", so a beginning without a byte fits every other.
    own.starts_with(others) || others.starts_with(own)
}

/// The bytes before the first `*`.
fn beginning(pattern: &[u8]) -> &[u8] {
    let mut parts = pattern.split(|byte| *byte == b'*');
    parts.next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use abide::{Client, Robots};

    fn find(required: &[&str], excluded: &[&str], robots: &str) -> Witness {
        let read = |written: &[&'static str]| -> Vec<PathPattern<'static>> {
            let patterns = written
                .iter()
                .map(|text| PathPattern::read(text.as_bytes()));
            patterns.collect::<Result<_, _>>().unwrap()
        };
        let leak = |written: &[&str]| -> Vec<&'static str> {
            written
                .iter()
                .map(|text| &*text.to_string().leak())
                .collect()
        };
        let (required, excluded) = (read(&leak(required)), read(&leak(excluded)));
        let robots = Robots::parse(robots);
        let policy = robots.policy(&Client::unnamed());
        let rules = robots.rules(&policy);
        let wanted = Wanted {
            required: required.iter().collect(),
            excluded: excluded.iter().collect(),
            rules: &rules,
        };
        PathSearch::new(Bound::default()).find(&wanted)
    }

    #[test]
    fn a_shortest_path_is_found_or_proved_impossible() {
        let path = |text: &str| Witness::Path(text.to_owned());
        let none = Witness::Impossible;
        for (required, excluded, robots, expected) in [
            (&["/docs/", "/*.pdf"][..], &[][..], "", path("/docs/.pdf")),
            (&["/docs/", "/*.pdf$"], &["/*.pdf"], "", none.clone()),
            (&["/a", "/b"], &[], "", none.clone()),
            (&["/a*b", "/*ba$"], &[], "", path("/aba")),
            (&["*"], &["/a"], "", path("/")),
            (&["/a%7Eb"], &["/a~b/"], "", path("/a~b")),
            (
                &["/docs/*.pdf"],
                &[],
                "User-agent: *\nDisallow: /*.pdf\n",
                none.clone(),
            ),
            (
                &["/docs/*.pdf"],
                &[],
                "User-agent: *\nDisallow: /*.pdf\nAllow: /docs/a/\n",
                path("/docs/a/.pdf"),
            ),
            (
                &["/x"],
                &[],
                "User-agent: *\nDisallow: /x$\nDisallow: /x/\n",
                path("/x-"),
            ),
            (
                &["/x*y"],
                &[],
                "User-agent: *\nDisallow: /x*y$\nDisallow: /x*y*\n",
                none,
            ),
        ] {
            let found = find(required, excluded, robots);
            let is_alike = match (&found, &expected) {
                (Witness::Path(found), Witness::Path(expected)) => found.len() == expected.len(),
                (found, expected) => found == expected,
            };
            assert!(is_alike, "{required:?}: {found:?}, expected {expected:?}");
        }
    }
}
