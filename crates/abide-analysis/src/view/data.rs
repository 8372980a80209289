//! How states, places and statements are written as data.

use super::line_state::{LineState, LineStateName};
use super::part::{EvidencePlace, StatementSubject};
use super::tally::LineCounts;
use abide::explain::visible_url;
use abide::preference::UseLevel;
use abide::syntax::LineStatement;
use abide::tag::TagPlace;
use abide::{Outcome, Usage};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The members that say what a line is to the client.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct StateMembers {
    /// `head`: begins what applies to the client. `counts`: applies to it. `void`: would apply, but
    /// has no effect. `control-token`: in the group of a control token that is about what the
    /// client fetches. `others`: for other robots, or a comment or blank line.
    state: LineStateName,
    /// Why the line has no effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
pub(super) fn state<S: Serializer>(state: &LineState, to: S) -> Result<S::Ok, S::Error> {
    let members = StateMembers {
        state: state.named(),
        why: match state {
            LineState::Void(why) => Some(why.to_string()),
            _ => None,
        },
    };
    members.serialize(to)
}

/// The members that say where a robots tag is.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct TagPlaceMembers {
    /// Which of the lines of its field, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    field_line: Option<u32>,
    /// Which member or segment, from 1: of the whole list for `Robots-Tag`, of the line for
    /// `X-Robots-Tag`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    member: Option<u32>,
    /// At which byte of the page it begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
}

impl From<TagPlace> for TagPlaceMembers {
    fn from(place: TagPlace) -> Self {
        match place {
            TagPlace::Field { line, member } => Self {
                field_line: Some(line),
                member: Some(member),
                offset: None,
            },
            TagPlace::Element { offset } => Self {
                offset: Some(offset),
                ..Self::default()
            },
        }
    }
}

pub(super) fn tag_place<S: Serializer>(place: &TagPlace, to: S) -> Result<S::Ok, S::Error> {
    TagPlaceMembers::from(*place).serialize(to)
}

/// The members that say where evidence is.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PlaceMembers<'p> {
    /// The file that robots.txt refers to, if the statement is in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    locator: Option<&'p str>,
    /// The line of the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    line: Option<u32>,
    #[serde(flatten)]
    tag: TagPlaceMembers,
}

pub(super) fn place<S: Serializer>(place: &EvidencePlace, to: S) -> Result<S::Ok, S::Error> {
    let (locator, line) = match place {
        EvidencePlace::Line(line) => (None, Some(*line)),
        EvidencePlace::Reference(locator, line) => (Some(locator.as_str()), Some(*line)),
        EvidencePlace::Tag(..) | EvidencePlace::Field(..) => (None, None),
    };
    let tag = match place {
        EvidencePlace::Tag(_, place) => (*place).into(),
        EvidencePlace::Field(_, line) => TagPlaceMembers {
            field_line: Some(*line),
            ..TagPlaceMembers::default()
        },
        EvidencePlace::Line(_) | EvidencePlace::Reference(..) => TagPlaceMembers::default(),
    };
    PlaceMembers { locator, line, tag }.serialize(to)
}

/// The members that say what a statement is about.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct SubjectMembers<'p> {
    /// The usages that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    usages: Option<&'p [Usage]>,
    /// What is decided about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
    /// The application whose directives it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    application: Option<&'p str>,
}

pub(super) fn subject<S: Serializer>(about: &StatementSubject, to: S) -> Result<S::Ok, S::Error> {
    let (usages, outcome, application) = match about {
        StatementSubject::Usages(usages, outcome) => (Some(&usages[..]), Some(*outcome), None),
        StatementSubject::Application(id) => (None, None, Some(id.as_str())),
    };
    let members = SubjectMembers {
        usages,
        outcome,
        application,
    };
    members.serialize(to)
}

/// The members that say what a preference line states.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct StatementMembers {
    /// By usage.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<Usage, Outcome>"))]
    states: BTreeMap<&'static str, Outcome>,
    /// The level that it limits every usage to.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_use: Option<UseLevel>,
    /// The URL of the licence document that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    licence: Option<String>,
}

pub(super) fn statement<S: Serializer>(states: &LineStatement, to: S) -> Result<S::Ok, S::Error> {
    let (states, max_use, licence) = match states {
        LineStatement::Usages(usages, limit) => (usages.as_slice(), *limit, None),
        LineStatement::Licence(url) => (&[][..], None, Some(visible_url(url))),
        LineStatement::Nothing | LineStatement::Unreadable => (&[][..], None, None),
    };
    let states = states
        .iter()
        .map(|(usage, outcome)| (usage.name(), *outcome));
    let members = StatementMembers {
        states: states.collect(),
        max_use,
        licence,
    };
    members.serialize(to)
}

/// Lines by the names of usages.
pub(super) fn by_usage<S: Serializer>(lines: &[(Usage, u32)], to: S) -> Result<S::Ok, S::Error> {
    let lines: BTreeMap<&str, u32> = lines
        .iter()
        .map(|(usage, line)| (usage.name(), *line))
        .collect();
    lines.serialize(to)
}

/// A path as text.
#[expect(clippy::ref_option, reason = "serde's signature")]
pub(super) fn path<S: Serializer>(path: &Option<Vec<u8>>, to: S) -> Result<S::Ok, S::Error> {
    let path = path.as_deref();
    path.map(String::from_utf8_lossy).serialize(to)
}

/// A URL that is safe to print.
pub(super) fn url<S: Serializer>(url: &str, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&visible_url(url))
}

/// A URL that is safe to print, if there is one.
#[expect(clippy::ref_option, reason = "serde's signature")]
pub(super) fn optional_url<S: Serializer>(url: &Option<String>, to: S) -> Result<S::Ok, S::Error> {
    url.as_deref().map(visible_url).serialize(to)
}

/// The counts of each line, in file order.
pub(super) fn each<S: Serializer>(
    lines: &BTreeMap<u32, LineCounts>,
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_seq(lines.values())
}
