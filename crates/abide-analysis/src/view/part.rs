//! What lines, tags and referred files do to one page.

use super::{FileView, data};
use abide::Evidence;
use abide::preference::Vocabulary;
use abide::tag::TagPlace;
use abide::verdict::{EvidenceList, Place, Reason, Role, Source};
use abide::{Decision, Outcome, Target, Usage, explain};
use serde::Serialize;
use std::collections::BTreeMap;

/// One page, with everything in the file that is about it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PageView<'p> {
    /// The decision.
    pub decision: Decision<'p>,
    /// The parts of lines, tags and referred files; those of a line in the order of usages.
    pub parts: Vec<Part>,
}

/// What one statement did to a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Part {
    /// The kind of source.
    pub source: Source,
    /// The place of the statement.
    #[serde(flatten, serialize_with = "data::place")]
    #[cfg_attr(feature = "schema", schemars(with = "data::PlaceMembers<'_>"))]
    pub spot: EvidencePlace,
    /// What it is about.
    #[serde(flatten, serialize_with = "data::subject")]
    #[cfg_attr(feature = "schema", schemars(with = "data::SubjectMembers<'_>"))]
    pub about: StatementSubject,
    /// Its role.
    pub role: Role,
    /// For a preference: its vocabulary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<Vocabulary>,
    /// For a rule: bytes of its pattern (REP-42).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u32>,
    /// For what is overridden: the line of the file that overrides it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub overridden_by: Option<u32>,
    /// The reason, as in a decision; `longest-pattern` and `shorter-pattern` for directives.
    pub reason: &'static str,
    /// The reason in words.
    pub why: String,
}

impl Part {
    /// The first usage that it is about; `None` for directives.
    fn first_usage(&self) -> Option<Usage> {
        match &self.about {
            StatementSubject::Usages(usages, _) => usages.first().copied(),
            StatementSubject::Application(_) => None,
        }
    }
}

/// The place of a statement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum EvidencePlace {
    /// On this line of the file, from 1.
    Line(u32),
    /// In a robots tag, or in a preference of the page.
    Tag(Source, TagPlace),
    /// In a preference of a response field: which of the lines of its name, from 1.
    Field(Source, u32),
    /// On a line of a file that robots.txt refers to, by its locator.
    Reference(String, u32),
}

/// What a statement is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum StatementSubject {
    /// These usages, with one outcome.
    Usages(Vec<Usage>, Outcome),
    /// The directives of this application.
    Application(String),
}

impl<'p> FileView<'p> {
    /// Decides `target`, and returns the part of each statement.
    #[must_use]
    pub fn page(&self, target: &Target<'p>) -> PageView<'p> {
        let decision = self.policy.decide(target);
        let parts = parts(&decision);
        PageView { decision, parts }
    }
}

impl<'p> PageView<'p> {
    /// The page's URL, as given.
    #[must_use]
    pub fn url(&self) -> &'p str {
        self.decision.target.url()
    }

    /// The parts of line `number` of the file.
    pub fn of_line(&self, number: u32) -> impl Iterator<Item = &Part> {
        let here = move |part: &&Part| part.spot == EvidencePlace::Line(number);
        self.parts.iter().filter(here)
    }
}

/// Where evidence stands; `None` for what is no statement, such as a default.
fn spot(evidence: &Evidence<'_>) -> Option<EvidencePlace> {
    if let Some(line) = evidence.field_line() {
        return Some(EvidencePlace::Field(evidence.source, line));
    }
    match (evidence.source, evidence.tag_place(), evidence.locator()) {
        (Source::Default | Source::Fetch, ..) => None,
        (source, Some(place), _) => Some(EvidencePlace::Tag(source, place)),
        // A line that names a licence document is no line of it.
        (source, None, Some(locator)) if source != Source::Rsl => {
            let line = evidence.place.map(line)?;
            Some(EvidencePlace::Reference(locator.to_owned(), line))
        }
        (_, None, _) => evidence.place.map(line).map(EvidencePlace::Line),
    }
}

/// What distinguishes parts of one statement.
type PartKey = (EvidencePlace, u8, &'static str, &'static str, String);

/// What overrides `evidence`, if that is a line of the file: the first of `all`.
fn winner<'e, 'p>(evidence: &Evidence<'p>, all: &'e EvidenceList<'p>) -> Option<&'e Evidence<'p>> {
    let first = all.first().filter(|first| {
        let is_of_file = first.locator().is_none() || first.source == Source::Rsl;
        first.role == Role::Decided && first.place.is_some() && is_of_file
    });
    let is_overridden = evidence.role == Role::Overridden && evidence.reason != Reason::OtherGroup;
    first.filter(|_| is_overridden)
}

/// Why `evidence` lost to `winner`: `shorter match (9 bytes against 14)`.
fn loss(evidence: &Evidence<'_>, winner: &Evidence<'_>) -> String {
    match (evidence.reason, evidence.bytes, winner.bytes) {
        (Reason::FewerBytes, Some(own), Some(other)) => {
            let unit = if own == 1 { "byte" } else { "bytes" };
            format!("shorter match ({own} {unit} against {other})")
        }
        _ if winner.reason == Reason::LicenceNotKnown => {
            "its licence document was not read".to_owned()
        }
        _ => explain::why(evidence),
    }
}

fn line(place: Place) -> u32 {
    place.line
}

fn parts(decision: &Decision<'_>) -> Vec<Part> {
    let mut found: BTreeMap<PartKey, Part> = BTreeMap::new();
    for usage_decision in &decision.usages {
        for evidence in &usage_decision.evidence {
            let Some(spot) = spot(evidence) else { continue };
            // The line itself says for whom it is.
            if evidence.vocabulary.is_some() && evidence.reason == Reason::OtherGroup {
                continue;
            }
            let (outcome, reason) = (usage_decision.outcome, evidence.reason.name());
            let winner = winner(evidence, &usage_decision.evidence);
            let why = match winner {
                Some(winner) => loss(evidence, winner),
                None => explain::why(evidence),
            };
            let rank = evidence.role as u8;
            let key = (spot.clone(), rank, outcome.name(), reason, why.clone());
            let part = found.entry(key).or_insert_with(|| Part {
                source: evidence.source,
                spot,
                about: StatementSubject::Usages(Vec::new(), outcome),
                role: evidence.role,
                vocabulary: evidence.vocabulary,
                bytes: evidence.bytes,
                overridden_by: winner.and_then(|winner| winner.place.map(line)),
                reason,
                why,
            });
            if let StatementSubject::Usages(usages, _) = &mut part.about
                && usages.last() != Some(&usage_decision.usage)
            {
                usages.push(usage_decision.usage);
            }
        }
    }
    let directives = decision.applications.iter().flat_map(|application| {
        let part = |rule| directive_part(application.id, rule);
        application.rules.iter().map(part)
    });
    let mut parts: Vec<_> = found.into_values().chain(directives).collect();
    parts.sort_by(|one, other| {
        let key = |part: &Part| (part.role, part.first_usage());
        (&one.spot, key(one)).cmp(&(&other.spot, key(other)))
    });
    parts
}

fn directive_part(id: &str, directive: &abide::app::DirectiveRule) -> Part {
    let (role, reason, what) = if directive.applies {
        (
            Role::Decided,
            "longest-pattern",
            "its pattern is the longest",
        )
    } else {
        (
            Role::Overridden,
            "shorter-pattern",
            "a longer pattern counts",
        )
    };
    Part {
        source: Source::RobotsTxt,
        spot: EvidencePlace::Line(directive.place.line),
        about: StatementSubject::Application(id.to_owned()),
        role,
        vocabulary: None,
        bytes: u32::try_from(directive.bytes).ok(),
        overridden_by: None,
        reason,
        why: format!("{what} ({} bytes)", directive.bytes),
    }
}
