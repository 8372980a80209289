//! What a change means: what it closes and opens, and what it does to preferences, in words.

use super::CompiledFile;
use super::files::ClientDifferences;
use super::openness::{AccessSurvey, Openness};
use super::report::Region;
use crate::short_answer::{DecidedBy, ShortAnswer};
use crate::words::{Phrase, enumerated_all, preference_outcome, usage};
use abide::verdict::{Reason, Source};
use abide::{Outcome, Usage};
use std::collections::BTreeSet;

/// What changes about a usage, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PreferenceEffect {
    /// The site no longer asks robots not to do it.
    Released,
    /// The site asks robots not to do it.
    Reserved,
    /// Something else, such as a new condition.
    Change,
}

impl PreferenceEffect {
    pub(super) fn of(region: &Region) -> Self {
        let is_prohibited = |outcome| outcome == Outcome::Prohibited;
        if is_prohibited(region.old.outcome) {
            Self::Released
        } else if is_prohibited(region.new.outcome) {
            Self::Reserved
        } else {
            Self::Change
        }
    }

    /// The sentence, without its full stop. `by` says where and because of which line.
    pub(super) fn sentence(
        self,
        usages: &[Usage],
        whom: Phrase,
        by: Phrase,
        regions: &[&Region],
    ) -> Phrase {
        let names = names(usages);
        let (is, was) = match usages.len() {
            1 => ("is", "was"),
            _ => ("are", "were"),
        };
        let mut outcomes = regions.iter().map(|region| region.new.outcome);
        let is_allowed = outcomes.all(|outcome| outcome == Outcome::Permitted);
        let words = match self {
            // Before "no longer disallowed", which would leave open whether it is allowed.
            _ if is_allowed => format!("{names} {is} now allowed for "),
            Self::Released => format!("{names} {was} disallowed, and no longer {is}, for "),
            Self::Reserved => format!("{names} {is} now disallowed for "),
            Self::Change => format!("What the site asks about {names} changes for "),
        };
        let phrase = Phrase::default().words(&words).then(whom);
        let transition = self.transition(regions);
        phrase.words(&transition).then(by).capital()
    }

    /// The outcomes before and after, if all regions have the same.
    fn transition(self, regions: &[&Region]) -> String {
        let outcomes = regions.iter();
        let outcomes = outcomes.map(|region| (region.old.outcome, region.new.outcome));
        let outcomes: BTreeSet<_> = outcomes.collect();
        match (self, outcomes.first(), outcomes.len()) {
            (Self::Change, Some((old, new)), 1) if old != new && *new != Outcome::Permitted => {
                format!(
                    ": {} → {}",
                    preference_outcome(*old),
                    preference_outcome(*new)
                )
            }
            _ => String::new(),
        }
    }
}

/// What people call the usages.
pub(super) fn names(usages: &[Usage]) -> String {
    let names: Vec<&str> = usages.iter().map(|one| usage(*one)).collect();
    enumerated_all(&names)
}

/// The shortest path, unless it is `/`, and the line that makes the difference there.
pub(super) fn by(regions: &[&Region]) -> Phrase {
    let phrase = Phrase::default();
    let Some(region) = regions.iter().min_by_key(|region| region.witness.len()) else {
        return phrase;
    };
    let phrase = match region.witness.as_str() {
        "/" => phrase,
        path => phrase.words(", for example on ").quoted(path.as_bytes()),
    };
    match deciding(region) {
        Some(by) => phrase
            .words(format!(" ({} line {}: ", by.file, by.line))
            .quoted(by.statement)
            .words(")"),
        None => phrase,
    }
}

/// The line that makes a difference.
pub(super) struct EffectLine<'r> {
    /// `new` or `old`.
    pub(super) file: &'static str,
    pub(super) line: u32,
    pub(super) statement: &'r [u8],
}

/// The line that makes the difference in a region, if a line does.
pub(super) fn deciding(region: &Region) -> Option<EffectLine<'_>> {
    // Crawling is disallowed there, so the line that decides has no effect.
    if is_void(&region.new) {
        return None;
    }
    let of = |answer, file| {
        let (line, statement) = with_line(answer)?;
        Some(EffectLine {
            file,
            line,
            statement,
        })
    };
    of(&region.new, "new").or_else(|| of(&region.old, "old"))
}

/// Whether a control token makes the difference in a region.
pub(super) fn is_by_control_token(region: &Region) -> bool {
    let by = |answer: &ShortAnswer| answer.decided_by.as_ref().map(|by| by.source);
    let sources = [by(&region.old), by(&region.new)];
    sources.contains(&Some(Source::ControlToken))
        && sources
            .iter()
            .flatten()
            .all(|source| *source == Source::ControlToken)
}

/// The line that decides, unless it only begins a group.
fn with_line(answer: &ShortAnswer) -> Option<(u32, &[u8])> {
    let by = answer.decided_by.as_ref()?;
    // A control token that nothing disallows is allowed by the line that begins its group.
    let is_group = by.source == Source::ControlToken && answer.outcome == Outcome::Permitted;
    Some((by.line.filter(|_| !is_group)?, &by.statement))
}

/// Whether the whole site becomes closed to robots to which it was not.
pub(super) fn closes_site(
    one: &ClientDifferences,
    new: &CompiledFile<'_>,
    new_access: &mut AccessSurvey<'_>,
) -> bool {
    // Two quick looks, because finding out about the whole site can take a search.
    if !one.comparison.regions.iter().any(closes) || new.policy.allows("/") {
        return false;
    }
    let access = new_access.access_of(&new.policy);
    access.class == Openness::Closed && access.is_exact
}

/// Whether URLs become closed.
pub(super) fn closes(region: &Region) -> bool {
    let is_closed = |answer: &ShortAnswer| answer.outcome == Outcome::Prohibited;
    region.usage == Usage::Crawl && !is_closed(&region.old) && is_closed(&region.new)
}

/// Whether URLs become open.
pub(super) fn opens(region: &Region) -> bool {
    let is_closed = |answer: &ShortAnswer| answer.outcome == Outcome::Prohibited;
    region.usage == Usage::Crawl && is_closed(&region.old) && !is_closed(&region.new)
}

/// Whether an answer comes from the robot's own groups, so that another group changes it.
pub(super) fn is_of_group(answer: &ShortAnswer) -> bool {
    let by_group = |by: &DecidedBy| {
        matches!(
            by.source,
            Source::ContentUsage | Source::ContentSignal | Source::Rsl
        )
    };
    answer.decided_by.as_ref().is_some_and(by_group)
}

/// Whether a preference does not apply because crawling is disallowed.
pub(super) fn is_void(answer: &ShortAnswer) -> bool {
    let by = answer.decided_by.as_ref();
    by.is_some_and(|by| by.reason == Reason::CrawlProhibited)
}
