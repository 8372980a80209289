//! How much of the site a client may crawl, by the rules that count for it.

use super::FileView;
use crate::compare::{self, Openness};
use crate::sample;
use abide::syntax::{Inspect, PathPattern, Rule};
use abide::verdict::Sense;
use abide::{Client, Limits, Policy};
use std::collections::BTreeSet;

/// How much of the site a client may crawl, in patterns that a reader finds in the file. It is
/// about the paths of URLs. No URL has a blank, so in the google profile, which compares bytes, a
/// pattern with a blank matches nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Extent {
    /// Every path.
    Everything,
    /// No path but `/robots.txt`.
    Nothing,
    /// Every path that no `Disallow` matches.
    AllExcept {
        /// The number of patterns that disallow something.
        patterns: usize,
        /// The number of patterns that allow parts of it.
        exceptions: usize,
    },
    /// No path but those that an `Allow` matches.
    NothingExcept {
        /// The number of patterns that allow something.
        patterns: usize,
        /// The number of further patterns that disallow parts of it.
        exceptions: usize,
    },
    /// Some paths; the rules alone do not show which, for example because ACAP records decide too.
    Parts,
    /// The file refers to permissions that were not read, or could not be.
    Unknown,
}

impl FileView<'_> {
    /// How much of the site the client may crawl, if there is a file. *Everything* and *nothing*
    /// are proven for every path ([`compare::openness`]), or follow from the kinds of rules alone.
    ///
    /// ```
    /// use abide::{Client, Policy};
    /// use abide_analysis::view::{Extent, FileView};
    /// let policy = Policy::compile(b"User-agent: *\nDisallow: /*\n", &Client::unnamed());
    /// assert_eq!(FileView::of(&policy).extent(), Extent::Nothing);
    /// ```
    #[must_use]
    pub fn extent(&self) -> Extent {
        // Several sentences ask for it, and the comparison takes time.
        *self.extent.get_or_init(|| self.found_extent())
    }

    fn found_extent(&self) -> Extent {
        if !self.policy.references().is_empty() {
            return Extent::Unknown;
        }
        let access = compare::openness(&self.robots, self.policy.client());
        let has_acap = !Inspect::of(self.policy).acap_fields().is_empty();
        let rules = self.robots.rules(self.policy);
        let of = |sense| patterns(&rules, sense);
        let (mut allows, mut disallows) = (of(Sense::Allow), of(Sense::Disallow));
        match access.class {
            Openness::Open if access.is_exact => return Extent::Everything,
            // Files that nobody visits count here: the reader sees the rules that allow them.
            Openness::Closed if access.is_exact && access.exception.is_none() => {
                return Extent::Nothing;
            }
            _ if has_acap => return Extent::Parts,
            _ => {}
        }
        if !Inspect::of(self.policy).ignores_conventional() && disallows.is_empty() {
            return Extent::Everything;
        }
        let count = disallows.len();
        disallows.retain(|(pattern, _)| !is_everything(pattern));
        let closes = disallows.len() < count;
        if access.is_exact {
            // Patterns that a longer rule of the other kind overrides open or close nothing.
            allows.retain(|(pattern, _)| self.decides(pattern, true));
            disallows.retain(|(pattern, _)| self.decides(pattern, false));
        }
        match (closes, allows.len(), disallows.len()) {
            // The comparison has shown that some paths are allowed, and others are not.
            (true, 0, _) | (false, _, 0) if access.is_exact => Extent::Parts,
            (true, 0, _) => Extent::Nothing,
            (true, patterns, _) => Extent::NothingExcept {
                patterns,
                exceptions: self.exceptions(&disallows, &allows),
            },
            (false, _, 0) => Extent::Everything,
            (false, _, patterns) => Extent::AllExcept {
                patterns,
                exceptions: self.exceptions(&allows, &disallows),
            },
        }
    }

    /// How many patterns have a path that one of the `others` matches too.
    fn exceptions(
        &self,
        patterns: &[(PathPattern<'_>, &[u8])],
        others: &[(PathPattern<'_>, &[u8])],
    ) -> usize {
        // The engine finds out much faster than one pattern after the other.
        let mut file = b"User-agent: *".to_vec();
        for (_, value) in others {
            file.extend_from_slice(b"\nDisallow:");
            file.extend_from_slice(value);
        }
        let limits = Limits::new(file.len().max(Limits::FLOOR)).unwrap_or_default();
        let profile = self.policy.client().profile();
        let client = Client::unnamed().with_profile(profile).with_limits(limits);
        let together = Policy::compile(&file, &client);
        let cuts = |(pattern, _): &&(PathPattern<'_>, &[u8])| {
            let Some(path) = sample::matching(pattern) else {
                return true;
            };
            if path == "/robots.txt" {
                let mut others = others.iter();
                return others.any(|(other, _)| other.matches(path.as_bytes()));
            }
            !together.allows(&path)
        };
        patterns.iter().filter(cuts).count()
    }

    /// Whether a path that the pattern matches gets its answer.
    fn decides(&self, pattern: &PathPattern<'_>, allowed: bool) -> bool {
        sample::matching(pattern).is_none_or(|path| self.policy.allows(&path) == allowed)
    }
}

/// The patterns of the rules of one kind with their values, each once, without those that never
/// match.
fn patterns<'r>(rules: &[Rule<'r>], sense: Sense) -> Vec<(PathPattern<'r>, &'r [u8])> {
    let mut seen = BTreeSet::new();
    let own = rules.iter().filter(|rule| rule.sense == sense);
    own.filter_map(|rule| Some((rule.pattern.clone().ok()?, rule.value)))
        .filter(|(pattern, _)| seen.insert((pattern.forms().c1.to_vec(), pattern.is_anchored())))
        .collect()
}

/// Whether a pattern matches every path, as its spelling shows.
fn is_everything(pattern: &PathPattern<'_>) -> bool {
    let bytes = &pattern.forms().c1;
    let is_open = !pattern.is_anchored() || bytes.ends_with(b"*");
    let others: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != b'*').collect();
    is_open && matches!(others.as_slice(), b"" | b"/")
}
