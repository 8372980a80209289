//! A file as one client reads it, as JSON, for editors and pages. `schema/explain.json` describes
//! it; the order of fields is stable.

use crate::room::Room;
use abide::explain::visible_url;
use abide::preference::Vocabulary;
use abide::rep::Access;
use abide::syntax::{Inspect, LineStatement};
use abide::tag::{Response, TagPlace};
use abide::verdict::Selection;
use abide::{Outcome, ProductToken, Usage};
use abide_lint::view::{
    EvidencePlace, FileView, LineState, PageView, Part, PathAnswer, PreferenceLine, ReadLine,
    StatementSubject, Tally, UsageAnswer, page_answers, tags, words,
};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Version of the format: the value of the `schema` member.
pub const SCHEMA: u32 = 1;

/// The largest number of exceptions of an answer for one of hundreds of robots.
const EXCEPTIONS: usize = 20;

/// A file as one client reads it, with fields in the order of the schema.
#[derive(Debug, Serialize)]
pub struct FileViewJson<'a> {
    schema: u32,
    robot: String,
    agents: Vec<&'a str>,
    access: &'static str,
    truncated: bool,
    groups: Vec<SelectedGroupJson>,
    passed_over_groups: Vec<SelectedGroupJson>,
    lines: Vec<ViewLineJson<'a>>,
    tags: Vec<TagJson<'a>>,
    verdict: String,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    documented: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    preferences: Vec<PreferenceJson>,
    summary: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pages: Vec<PageJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tally: Option<TallyJson<'a>>,
}

#[derive(Debug, Serialize)]
struct SelectedGroupJson {
    by: &'static str,
    token: String,
    line: u32,
}

#[derive(Debug, Serialize)]
struct ViewLineJson<'a> {
    line: u32,
    text: Cow<'a, str>,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    preference: Option<PreferenceLineJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    control_token: Option<TokenLineJson>,
}

/// What a preference line states.
#[derive(Debug, Serialize)]
struct PreferenceLineJson {
    vocabulary: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    states: BTreeMap<&'static str, &'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_use: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    licence: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    overridden_by: BTreeMap<&'static str, u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// What the group of a control token settles.
#[derive(Debug, Serialize)]
struct TokenLineJson {
    token: &'static str,
    usages: Vec<&'static str>,
    fetchers: &'static [&'static str],
    counts: bool,
    text: String,
}

/// The answer for training, AI input or search.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "UsageAnswer"))]
pub(crate) struct PreferenceJson {
    usage: Usage,
    outcome: Outcome,
    /// The line that decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// Whose words they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    vocabulary: Option<Vocabulary>,
    /// The control token whose group decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    control_token: Option<String>,
    /// Patterns of the file, or of a document, with another answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exceptions: Vec<PathAnswerJson>,
    /// How many more patterns there are: an answer for many robots lists at most the first 20, and
    /// abide explain lists all.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_exceptions: Option<usize>,
    /// The answer in one sentence.
    text: String,
}

/// Another answer for the paths of a pattern.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PathAnswer"))]
struct PathAnswerJson {
    pattern: String,
    outcome: Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

#[derive(Debug, Serialize)]
struct TagJson<'a> {
    source: &'static str,
    #[serde(flatten)]
    place: TagPlaceJson,
    text: &'a str,
    binds: bool,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum TagPlaceJson {
    Field { field_line: u32, member: u32 },
    Line { field_line: u32 },
    Offset { offset: u64 },
}

#[derive(Debug, Serialize)]
struct PageJson<'a> {
    url: String,
    outcomes: BTreeMap<&'static str, &'static str>,
    parts: Vec<PartJson<'a>>,
    verdict: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    preferences: Vec<PreferenceJson>,
    summary: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct PartJson<'a> {
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    locator: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(flatten)]
    tag: Option<TagPlaceJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usages: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    application: Option<&'a str>,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    vocabulary: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overridden_by: Option<u32>,
    reason: &'static str,
    why: &'a str,
}

#[derive(Debug, Serialize)]
struct TallyJson<'a> {
    pages: u64,
    crawl: &'a BTreeMap<&'static str, u64>,
    lines: Vec<HitsJson>,
    without_hits: Vec<u32>,
    unmatched: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unmatched_witness: Option<String>,
}

#[derive(Debug, Serialize)]
struct HitsJson {
    line: u32,
    decided: u64,
    overridden: u64,
    witness: String,
}

/// A file as several clients read it: for one client an object, else an array.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum FileViewsJson<'a> {
    /// One client.
    One(Box<FileViewJson<'a>>),
    /// None or several.
    Several(Vec<FileViewJson<'a>>),
}

impl<'a> FileViewsJson<'a> {
    /// These views.
    #[must_use]
    pub fn of(views: impl IntoIterator<Item = FileViewJson<'a>>) -> Self {
        let mut views: Vec<_> = views.into_iter().collect();
        match (views.pop(), views.is_empty()) {
            (Some(only), true) => Self::One(Box::new(only)),
            (last, _) => {
                views.extend(last);
                Self::Several(views)
            }
        }
    }
}

impl<'a> FileViewJson<'a> {
    /// The file as the robot with the name `robot` reads it, and the tags of `response`.
    #[must_use]
    pub fn new(robot: &str, reading: &'a FileView<'_>, response: &'a Response) -> Self {
        let policy = reading.policy();
        let tokens = policy.client().product_tokens().iter();
        let selections =
            |groups: Vec<Selection<'_>>| groups.iter().map(SelectedGroupJson::new).collect();
        Self {
            schema: SCHEMA,
            robot: robot.to_owned(),
            agents: tokens.map(ProductToken::as_str).collect(),
            access: match reading.access() {
                Access::Rules => "rules",
                Access::Unavailable(_) => "unavailable",
                Access::Unreachable(_) => "unreachable",
                _ => "unknown",
            },
            truncated: reading.is_truncated(),
            groups: selections(policy.chosen_groups()),
            passed_over_groups: selections(Inspect::of(policy).other_matching_groups()),
            lines: reading
                .lines()
                .map(|line| ViewLineJson::new(reading, line))
                .collect(),
            tags: tags(response, policy)
                .into_iter()
                .map(TagJson::new)
                .collect(),
            verdict: words::verdict(reading),
            documented: reading.documented(),
            preferences: site_preferences(reading),
            summary: words::file(reading),
            pages: Vec::new(),
            tally: None,
        }
    }

    /// Adds the decisions about pages, which are pages of `reading`.
    #[must_use]
    pub fn with_pages(mut self, reading: &FileView<'_>, pages: &'a [PageView<'_>]) -> Self {
        let json = |page| PageJson::new(reading, page);
        self.pages = pages.iter().map(json).collect();
        self
    }

    /// Adds the counts.
    #[must_use]
    pub fn with_tally(mut self, reading: &FileView<'_>, tally: &'a Tally) -> Self {
        let hits = tally.lines.iter().map(|(line, hits)| HitsJson {
            line: *line,
            decided: hits.decided,
            overridden: hits.overridden,
            witness: visible_url(&hits.witness),
        });
        self.tally = Some(TallyJson {
            pages: tally.pages,
            crawl: &tally.crawl,
            lines: hits.collect(),
            without_hits: tally.without_hits(reading),
            unmatched: tally.unmatched,
            unmatched_witness: tally.unmatched_witness.as_deref().map(visible_url),
        });
        self
    }
}

impl SelectedGroupJson {
    fn new(selection: &Selection<'_>) -> Self {
        Self {
            by: selection.by.name(),
            token: selection.by.token().to_owned(),
            line: selection.place.line,
        }
    }
}

impl<'a> ViewLineJson<'a> {
    fn new(reading: &FileView<'_>, line: ReadLine<'a>) -> Self {
        let stated = reading.preferences();
        let preference = stated.and_then(|stated| stated.line(line.number));
        let token = stated.and_then(|stated| stated.token(line.number));
        let why = match line.state {
            LineState::Void(why) => Some(why.to_string()),
            _ => None,
        };
        Self {
            line: line.number,
            text: String::from_utf8_lossy(line.bytes),
            state: line.state.name(),
            why,
            preference: preference.map(|line| PreferenceLineJson::new(reading, line)),
            control_token: token.map(|line| TokenLineJson {
                token: line.token.token,
                usages: line
                    .token
                    .controls
                    .iter()
                    .map(|usage| usage.name())
                    .collect(),
                fetchers: line.token.fetchers,
                counts: line.counts,
                text: words::token_line(reading, line),
            }),
        }
    }
}

impl PreferenceLineJson {
    fn new(reading: &FileView<'_>, line: &PreferenceLine) -> Self {
        let (states, max_use, licence) = match &line.states {
            LineStatement::Usages(usages, limit) => (usages.as_slice(), *limit, None),
            LineStatement::Licence(url) => (&[][..], None, Some(visible_url(url))),
            LineStatement::Nothing | LineStatement::Unreadable => (&[][..], None, None),
        };
        Self {
            vocabulary: line.vocabulary.name(),
            path: line
                .path
                .as_deref()
                .map(|path| String::from_utf8_lossy(path).into_owned()),
            states: states
                .iter()
                .map(|(usage, outcome)| (usage.name(), outcome.name()))
                .collect(),
            max_use: max_use.map(abide::preference::UseLevel::name),
            licence,
            overridden_by: line
                .overridden
                .iter()
                .map(|(usage, by)| (usage.name(), *by))
                .collect(),
            text: words::preference_line(reading, line),
        }
    }
}

/// The answers for the site, if the file states any preference for the client or for others.
fn site_preferences(reading: &FileView<'_>) -> Vec<PreferenceJson> {
    let stated = reading.preferences().filter(|stated| stated.is_stated);
    let answers = stated.into_iter().flat_map(|stated| &stated.answers);
    answers.map(PreferenceJson::new).collect()
}

impl PreferenceJson {
    pub(crate) fn new(answer: &UsageAnswer) -> Self {
        let exception = |one: &PathAnswer| PathAnswerJson {
            pattern: one.pattern.clone(),
            outcome: one.outcome,
            line: one.line,
        };
        Self {
            usage: answer.usage,
            outcome: answer.outcome,
            line: answer.line,
            vocabulary: answer.vocabulary,
            control_token: answer.token.clone(),
            exceptions: answer.exceptions.iter().map(exception).collect(),
            more_exceptions: None,
            text: words::answer(answer),
        }
    }
}

impl PreferenceJson {
    /// The answer with the first exceptions only, for one of hundreds of robots: as far as there is
    /// room for those of all of them.
    pub(crate) fn of_many(answer: &UsageAnswer, room: Option<&mut Room>) -> Self {
        let mut json = Self::new(answer);
        let all = json.exceptions.len();
        json.exceptions.truncate(EXCEPTIONS);
        if let Some(room) = room {
            room.keep(&mut json.exceptions);
        }
        let more = all - json.exceptions.len();
        json.more_exceptions = (more > 0).then_some(more);
        json
    }
}

impl From<TagPlace> for TagPlaceJson {
    fn from(place: TagPlace) -> Self {
        match place {
            TagPlace::Field { line, member } => Self::Field {
                field_line: line,
                member,
            },
            TagPlace::Offset(offset) => Self::Offset { offset },
        }
    }
}

impl<'a> TagJson<'a> {
    fn new((statement, binds): (&'a abide::tag::Statement, bool)) -> Self {
        Self {
            source: statement.source.name(),
            place: statement.place.into(),
            text: &statement.text,
            binds,
        }
    }
}

impl<'a> PageJson<'a> {
    fn new(reading: &FileView<'_>, page: &'a PageView<'_>) -> Self {
        let spoken = page.decision.usages.iter();
        let spoken = spoken.filter(|said| said.outcome != Outcome::Unspecified);
        Self {
            url: visible_url(page.url()),
            outcomes: spoken
                .map(|said| (said.usage.name(), said.outcome.name()))
                .collect(),
            parts: page.parts.iter().map(PartJson::new).collect(),
            verdict: words::page_verdict(reading, page),
            preferences: if words::page_preferences(reading, page).is_empty() {
                Vec::new()
            } else {
                let answers = page_answers(reading.policy(), &page.decision);
                answers.iter().map(PreferenceJson::new).collect()
            },
            summary: words::page(page),
            findings: words::findings(&page.decision),
        }
    }
}

impl<'a> PartJson<'a> {
    fn new(part: &'a Part) -> Self {
        let (locator, line, tag) = match &part.spot {
            EvidencePlace::Line(line) => (None, Some(*line), None),
            EvidencePlace::Reference(locator, line) => (Some(locator.as_str()), Some(*line), None),
            EvidencePlace::Tag(_, place) => (None, None, Some((*place).into())),
            EvidencePlace::Field(_, line) => {
                (None, None, Some(TagPlaceJson::Line { field_line: *line }))
            }
        };
        let (usages, outcome, application) = match &part.about {
            StatementSubject::Usages(usages, outcome) => {
                let names = usages.iter().map(|usage| usage.name()).collect();
                (Some(names), Some(outcome.name()), None)
            }
            StatementSubject::Application(id) => (None, None, Some(id.as_str())),
        };
        Self {
            source: part.source.name(),
            locator,
            line,
            tag,
            usages,
            outcome,
            application,
            role: part.role.name(),
            vocabulary: part.vocabulary.map(abide::preference::Vocabulary::name),
            bytes: part.bytes,
            overridden_by: part.overridden_by,
            reason: part.reason,
            why: &part.why,
        }
    }
}
