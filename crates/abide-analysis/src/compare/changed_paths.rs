//! Which paths become closed or open by which lines, in words.

use super::CompiledFile;
use crate::bound::Work;
use crate::language::beginnings_agree;
use crate::words::Phrase;
use abide::syntax::Inspect;
use abide::verdict::Sense;
use std::collections::{BTreeMap, BTreeSet};

/// The largest number of paths in a sentence.
const MAX_PATHS: usize = 3;

/// What rules do to paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Rules of the new file disallow them.
    Closes,
    /// The old file's rules no longer disallow them.
    Opens,
}

impl Turn {
    /// Where the rules are.
    pub(super) const fn file(self) -> &'static str {
        match self {
            Self::Closes => "new ",
            Self::Opens => "old ",
        }
    }
}

/// The paths of some `Disallow` rules.
pub(super) struct ChangedPaths {
    /// The paths as the file writes them, in the order of lines.
    paths: Vec<Vec<u8>>,
    /// Whether every URL below these paths is now disallowed, or no longer disallowed.
    is_whole: bool,
    has_wildcard: bool,
}

/// A rule as this module needs it.
struct PathRule {
    value: Vec<u8>,
    c1: Vec<u8>,
    length: usize,
    line: u32,
    sense: Sense,
}

impl ChangedPaths {
    /// The paths of the rules on `lines`, for clients that have these policies in both files.
    /// `None` if something else than a `Disallow` rule decides, or if one is about the whole site.
    pub(super) fn of(
        lines: &BTreeSet<u32>,
        turn: Turn,
        clients: &[[CompiledFile<'_>; 2]],
        work: &mut Work,
    ) -> Option<Self> {
        let mut paths = BTreeMap::new();
        let mut opposing = Vec::new();
        for [old, new] in clients {
            if [old, new]
                .iter()
                // ACAP fields can override rules, so the rules alone do not say what changes.
                .any(|one| Inspect::of(&one.policy).acap_patterns().is_some())
            {
                return None;
            }
            let deciding = match turn {
                Turn::Closes => new,
                Turn::Opens => old,
            };
            let own = rules(deciding, work)?.into_iter();
            let own = own.filter(|rule| rule.sense == Sense::Disallow);
            let own = own.filter(|rule| lines.contains(&rule.line));
            // By line, because several clients can have the same rules.
            paths.extend(own.map(|rule| (rule.line, rule)));
            let against = match turn {
                Turn::Closes => Sense::Allow,
                // What was opened stays closed where another rule of the new file disallows it.
                Turn::Opens => Sense::Disallow,
            };
            let others = rules(new, work)?.into_iter();
            opposing.extend(others.filter(|rule| rule.sense == against));
        }
        let is_about_site = paths
            .values()
            // "Part of `/`" says nothing. The caller then says "Part of the site".
            .any(|rule| matches!(&*rule.c1, b"/" | b"/*" | b"*"));
        if paths.len() != lines.len() || paths.is_empty() || is_about_site {
            return None;
        }
        let is_whole = paths.values().all(|rule| {
            let spent = work.spend(opposing.len() as u64);
            let mut opposing = opposing.iter();
            // Without work for a proof, "Part of" is still true.
            spent && !opposing.any(|other| other.may_hold_against(rule, turn))
        });
        let has_wildcard = paths.values().any(PathRule::has_wildcard);
        let mut seen = BTreeSet::new();
        let values = paths.into_values().map(|rule| rule.value);
        Some(Self {
            paths: values.filter(|value| seen.insert(value.clone())).collect(),
            is_whole,
            has_wildcard,
        })
    }

    /// The paths with their verb: `/a/` and `/b/` are.
    pub(super) fn subject(&self) -> Phrase {
        let begin = match (self.has_wildcard, self.is_whole, self.paths.len()) {
            (true, true, _) => "URLs that match ",
            (true, false, _) => "Some URLs that match ",
            (false, true, _) => "",
            (false, false, 1) => "Part of ",
            (false, false, _) => "Parts of ",
        };
        let last = if self.has_wildcard { " or " } else { " and " };
        let what = if self.has_wildcard {
            " rules"
        } else {
            " paths"
        };
        let paths = self.paths.iter().map(|path| Phrase::default().quoted(path));
        let begin = Phrase::default().words(begin);
        let phrase = begin.list(paths.collect(), MAX_PATHS, last, what);
        let is_plural = self.has_wildcard || self.paths.len() > 1;
        phrase.words(if is_plural { " are" } else { " is" })
    }
}

/// The rules of one client that can match. `None` if reading them would be too much work.
fn rules(compared: &CompiledFile<'_>, work: &mut Work) -> Option<Vec<PathRule>> {
    let rules = compared.robots.rules(&compared.policy);
    if !work.spend(20 * rules.len() as u64) {
        return None;
    }
    let rules = rules.into_iter().filter_map(|rule| {
        let pattern = rule.pattern.as_ref().ok()?;
        Some(PathRule {
            value: rule.value.to_vec(),
            c1: pattern.forms().c1.to_vec(),
            length: pattern.length(),
            line: rule.line.number,
            sense: rule.sense,
        })
    });
    Some(rules.collect())
}

impl PathRule {
    fn has_wildcard(&self) -> bool {
        self.c1.contains(&b'*') || self.value.ends_with(b"$")
    }

    /// Whether this rule might decide otherwise about some URL that `rule` matches. Too often
    /// rather than too rarely: patterns with wildcards meet unless their beginnings differ.
    fn may_hold_against(&self, rule: &Self, turn: Turn) -> bool {
        // Against an opened path any rule counts: the one that disallowed it is gone.
        let is_longer = turn == Turn::Opens || self.length >= rule.length;
        is_longer && beginnings_agree(&self.c1, &rule.c1)
    }
}
