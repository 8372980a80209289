//! What a comparison tells.

use abide::Condition;
use abide::app::DirectiveValue;
use abide::rep::CrawlDelay;
use abide::verdict::{Reason, SelectedBy, Source};
use abide::{Outcome, Policy, Usage, UsageDecision};
use std::collections::BTreeMap;

/// What changes for one client from one file to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The regions in which another outcome or another condition follows; those of one usage
    /// together, in the order of
    /// [`Usage::ALL`], the shortest witness first.
    pub regions: Vec<Region>,
    /// The regions in which applications of the client are asked for something else; those of one
    /// application together, the shortest witness first.
    pub directives: Vec<DirectiveRegion>,
    /// How the client finds its groups, where that changes. This alone changes no decision.
    pub groups: Option<Changed<Option<Chosen>>>,
    /// The crawl delay, where that changes.
    pub crawl_delay: Option<Changed<Option<CrawlDelay>>>,
    /// What is asked to be done with single resources (ACAP-117), where that changes: action and
    /// path, sorted.
    pub requests: Option<Changed<Vec<(&'static str, String)>>>,
    /// Whether all regions are there. Where the [`Bound`](super::Bound) was reached, or a file was
    /// not parsed in the careful reading, those that were found are true, and there may be others.
    pub is_complete: bool,
}

impl Comparison {
    /// Whether both files ask the same of the client, for every URL: shown, not only not refuted.
    #[must_use]
    pub fn is_equivalent(&self) -> bool {
        self.is_complete && !self.has_differences()
    }

    /// Whether a difference was found. One group in place of another is none, where the same
    /// follows.
    #[must_use]
    pub fn has_differences(&self) -> bool {
        !self.regions.is_empty()
            || !self.directives.is_empty()
            || self.crawl_delay.is_some()
            || self.requests.is_some()
    }
}

/// What was, and what is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed<T> {
    /// In the old file.
    pub old: T,
    /// In the new file.
    pub new: T,
}

impl<T: PartialEq> Changed<T> {
    /// `None` where nothing changes.
    pub(super) fn between(old: T, new: T) -> Option<Self> {
        (old != new).then_some(Self { old, new })
    }
}

/// URLs for which the same lines decide in the old file, and the same lines in the new one, and the
/// answers differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The usage that is spoken about.
    pub usage: Usage,
    /// What the old file says.
    pub old: Answer,
    /// What the new file says.
    pub new: Answer,
    /// A shortest path with query in the region, in form C1 (AMB-REP-1).
    pub witness: String,
}

impl Region {
    /// What regions are told apart by.
    pub(super) fn key(&self) -> String {
        let side = |answer: &Answer| {
            let line = answer.decided_by.as_ref().map(|by| (by.source, by.line));
            format!("{:?} {:?} {line:?}", answer.outcome, answer.conditions)
        };
        format!("{} {} {}", self.usage, side(&self.old), side(&self.new))
    }
}

/// What a file says about a usage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The outcome.
    pub outcome: Outcome,
    /// What a conditional outcome demands.
    pub conditions: Vec<Condition>,
    /// What made the outcome; `None` where nobody spoke.
    pub decided_by: Option<DecidedBy>,
}

impl Answer {
    pub(super) fn new(said: &UsageDecision<'_>) -> Self {
        let decided_by = said.evidence.first().map(|evidence| DecidedBy {
            source: evidence.source,
            reason: evidence.reason,
            line: evidence.place.map(|place| place.line),
            statement: evidence.statement.to_vec(),
        });
        Self {
            outcome: said.outcome,
            conditions: said.conditions.clone(),
            decided_by,
        }
    }
}

/// What made an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecidedBy {
    /// What kind of source spoke.
    pub source: Source,
    /// Why it decided.
    pub reason: Reason,
    /// Number of the line; `None` for what is no line. Where no rule of a group matches, the
    /// group's first.
    pub line: Option<u32>,
    /// The statement on it, verbatim.
    pub statement: Vec<u8>,
}

/// URLs for which the same lines say what an application is asked to do, in the old file and in the
/// new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectiveRegion {
    /// The application's identifier.
    pub application: String,
    /// What the old file asks.
    pub old: Directives,
    /// What the new file asks.
    pub new: Directives,
    /// A shortest path with query in the region, in form C1.
    pub witness: String,
}

/// What an application is asked to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directives {
    /// The directives that apply, by name.
    pub values: BTreeMap<String, DirectiveValue>,
    /// The numbers of the lines that they stem from.
    pub lines: Vec<u32>,
}

/// How a client finds its groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// By what: `product-token`, `purpose` or `any-crawler`.
    pub by: &'static str,
    /// The token or purpose; `*` for any crawler.
    pub token: String,
}

impl Chosen {
    /// `None` where no group addresses the client of `policy`.
    pub(super) fn of(policy: &Policy) -> Option<Self> {
        let first = policy.chosen_groups().into_iter().next()?;
        let by: &SelectedBy<'_> = &first.by;
        Some(Self {
            by: by.name(),
            token: by.token().to_owned(),
        })
    }
}
