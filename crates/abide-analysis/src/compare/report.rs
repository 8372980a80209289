//! The results of a comparison.

use super::data;
use crate::short_answer::ShortAnswer;
use abide::acap::Action;
use abide::app::DirectiveValue;
use abide::preference::Vocabulary;
use abide::rep::CrawlDelay;
use abide::verdict::{Reason, SelectionLevel};
use abide::{Decision, Outcome, Policy, Usage, VocabularyAnswer};
use serde::Serialize;
use std::collections::BTreeMap;

/// What changes for one client from one file to another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Comparison {
    /// Whether all regions were found. If not, because the comparison reached its limit or the
    /// files were parsed with different profiles, the regions found are right, but there may be
    /// others.
    #[serde(rename = "complete")]
    pub is_complete: bool,
    /// The regions in which the outcome or a condition changes: ordered by usage, and within a
    /// usage the shortest witness first.
    pub regions: Vec<Region>,
    /// The regions in which the directives for an application change: one application after
    /// another, the shortest witness first.
    pub directives: Vec<DirectiveRegion>,
    /// How the client finds its groups, if that changes; null where no group addresses it. By
    /// itself this changes no decision.
    pub groups: Option<Change<Option<Chosen>>>,
    /// The crawl delay in seconds, if it changes.
    #[serde(serialize_with = "data::seconds")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Change<Option<f64>>>"))]
    pub crawl_delay: Option<Change<Option<CrawlDelay>>>,
    /// What the file asks to be done with single resources (ACAP-117), if it changes: sorted.
    pub action_requests: Option<Change<Vec<RequestedAction>>>,
    /// What single vocabularies of AI preferences say otherwise while the outcome stays, because
    /// another is stricter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vocabularies: Vec<VocabularyChange>,
    /// The URLs of the licence documents that bind the client, sorted, if they change. What they
    /// say is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub licences: Option<Change<Vec<String>>>,
    /// What was not compared for every URL.
    #[serde(skip)]
    pub unfinished: Vec<Aspect>,
}

/// A part of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Aspect {
    /// Which URLs may be crawled.
    Crawl,
    /// Which URLs may be crawled, and what may be done with them afterwards.
    AllUsages,
    /// Which URLs may be crawled, and what the site asks about training, AI input and search.
    Preferences,
    /// What App-Directives ask of one application.
    Directives {
        /// The application's identifier.
        application: String,
    },
    /// What App-Directives ask of so many more applications.
    MoreDirectives {
        /// The number of applications.
        applications: usize,
    },
}

impl Comparison {
    /// Whether both files are proven to ask the same of the client for every URL.
    #[must_use]
    pub fn is_equivalent(&self) -> bool {
        self.is_complete && !self.has_differences()
    }

    /// Whether a difference was found. Another group with the same effect is not a difference.
    #[must_use]
    pub fn has_differences(&self) -> bool {
        !self.regions.is_empty()
            || !self.vocabularies.is_empty()
            || self.licences.is_some()
            || !self.directives.is_empty()
            || self.crawl_delay.is_some()
            || self.action_requests.is_some()
    }
}

/// A value before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline))]
#[expect(clippy::exhaustive_structs, reason = "a pair does not grow")]
pub struct Change<T> {
    /// In the old file.
    pub old: T,
    /// In the new file.
    pub new: T,
}

impl<T: PartialEq> Change<T> {
    /// `None` if nothing changes.
    pub(super) fn between(old: T, new: T) -> Option<Self> {
        (old != new).then_some(Self { old, new })
    }
}

impl<T> Change<T> {
    /// Both values in another form.
    pub(super) fn map<'c, U>(&'c self, form: impl Fn(&'c T) -> U) -> Change<U> {
        Change {
            old: form(&self.old),
            new: form(&self.new),
        }
    }
}

/// What a file asks to be done with a single resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RequestedAction {
    /// What is asked.
    pub action: Action,
    /// The path of the resource.
    pub path: String,
}

/// URLs for which the old file decides by the same lines, the new file too, and the answers differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Region {
    /// The usage that the answers are about.
    pub usage: Usage,
    /// A shortest path with query in the region, in form C1 (AMB-REP-1).
    pub witness: String,
    /// What the old file says.
    pub old: ShortAnswer,
    /// What the new file says.
    pub new: ShortAnswer,
}

impl Region {
    /// Whether it is `/robots.txt`, which no rule disallows (REP-46): an example that explains
    /// nothing.
    #[must_use]
    pub fn is_robots_txt(&self) -> bool {
        self.witness == "/robots.txt"
    }

    /// Regions with the same key are one region.
    pub(super) fn key(&self) -> String {
        let side = |answer: &ShortAnswer| {
            let by = answer.decided_by.as_ref();
            // Where nothing applies because crawling is disallowed, no line tells regions apart.
            let by = by.filter(|by| by.reason != Reason::CrawlProhibited);
            let line = by.map(|by| (by.source, by.line));
            format!("{:?} {:?} {line:?}", answer.outcome, answer.conditions)
        };
        format!("{} {} {}", self.usage, side(&self.old), side(&self.new))
    }
}

/// URLs for which one vocabulary says something else about a usage, while the outcome stays:
/// another vocabulary is stricter. A robot that reads this vocabulary alone sees the change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct VocabularyChange {
    /// The vocabulary.
    pub vocabulary: Vocabulary,
    /// The usage.
    pub usage: Usage,
    /// A shortest path with query for which it does, in form C1.
    pub witness: String,
    /// What it says in the old file.
    pub old: Outcome,
    /// What it says in the new file.
    pub new: Outcome,
}

impl VocabularyChange {
    /// The changes for one path. Where crawling changes too, that is the change. What licence
    /// documents say is not known; [`Comparison::licences`] has their URLs.
    pub(super) fn all(old: &Decision<'_>, new: &Decision<'_>, path: &str) -> Vec<Self> {
        fn answers<'d>(decision: &'d Decision<'_>) -> &'d [VocabularyAnswer<'d>] {
            let preferences = decision.preferences.as_ref();
            preferences.map_or(&[], |preferences| &preferences.vocabularies)
        }
        if old.usages.crawl().outcome != new.usages.crawl().outcome {
            return Vec::new();
        }
        let mut changes = Vec::new();
        for (of_old, of_new) in answers(old).iter().zip(answers(new)) {
            if of_old.vocabulary == Vocabulary::Rsl {
                continue;
            }
            // The outcome is conditional on both sides, but the condition is another one.
            let has_other_level = level(of_old) != level(of_new);
            for (usage, own_old) in of_old.outcomes() {
                let own_new = of_new.outcome(usage);
                let of_usage = |decision: &Decision<'_>| {
                    let usage_decision = decision.usage(usage);
                    usage_decision.map(|usage_decision| {
                        (usage_decision.outcome, usage_decision.conditions.clone())
                    })
                };
                let differs = own_old != own_new || has_other_level;
                if differs && of_usage(old) == of_usage(new) {
                    changes.push(Self {
                        vocabulary: of_old.vocabulary,
                        usage,
                        old: own_old,
                        new: own_new,
                        witness: path.to_owned(),
                    });
                }
            }
        }
        changes
    }

    /// Whether two changes are one, on other paths.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let key = |one: &Self| (one.vocabulary, one.usage, one.old, one.new);
        key(self) == key(other)
    }
}

/// The level that `use=` limits to, if the vocabulary makes it a condition.
fn level<'a>(answer: &'a VocabularyAnswer<'_>) -> Option<&'a str> {
    let mut words = answer.words.iter();
    let (_, level) = words.find(|(word, level)| *word == "use" && level != "full")?;
    Some(level)
}

/// URLs for which the old file takes an application's directives from the same lines, the new file
/// too, and the directives differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DirectiveRegion {
    /// The application's identifier.
    pub application: String,
    /// A shortest path with query in the region, in form C1.
    pub witness: String,
    /// What the old file asks.
    pub old: Directives,
    /// What the new file asks.
    pub new: Directives,
}

/// What an application is asked to do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Directives {
    /// The values of the directives that apply, by name, as structured fields write them.
    #[serde(rename = "directives", serialize_with = "data::shown")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, String>"))]
    pub values: BTreeMap<String, DirectiveValue>,
    /// The numbers of their lines.
    pub lines: Vec<u32>,
}

/// How a client finds its groups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Chosen {
    /// The kind of name.
    pub by: SelectionLevel,
    /// The token or purpose; `*` for any crawler.
    pub token: String,
}

impl Chosen {
    /// `None` if no group addresses the client of `policy`.
    pub(super) fn of(policy: &Policy) -> Option<Self> {
        let first = policy.chosen_groups().into_iter().next()?;
        Some(Self {
            by: first.by.level(),
            token: first.by.token().to_owned(),
        })
    }
}
