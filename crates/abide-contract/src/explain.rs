//! A file as one client reads it, as JSON, for editors and pages. `schema/explain.json` describes
//! it; the order of fields is stable.

use crate::SCHEMA;
use crate::decision::SelectionJson;
use crate::room::Room;
use abide::explain::visible_url;
use abide::rep::Access;
use abide::syntax::Inspect;
use abide::tag::Response;
use abide::verdict::Selection;
use abide::{Outcome, ProductToken};
use abide_analysis::view::{
    FileView, PageView, Part, PreferenceLine, ReadLine, ReadTag, Tally, TokenLine, UsageAnswer,
    page_answers, sentences, tags,
};
use abide_analysis::words::Phrase;
use serde::Serialize;
use std::collections::BTreeMap;

/// The largest number of exceptions of an answer for one of hundreds of robots.
const MAX_EXCEPTIONS: usize = 20;

/// A robots.txt as one client reads it, and what it does to pages.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "FileExplanation"))]
pub struct Explanation<'a> {
    /// Version of this form.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    schema: u32,
    /// The robot as it was asked for: a name, names in order of preference such as `NewsBot>Bot`,
    /// or `*` for every robot that the file does not name.
    robot: String,
    /// The client's product tokens, in order of preference; none for `*`.
    agents: Vec<&'a str>,
    /// What came of fetching the file.
    access: Access,
    /// Whether the file goes on behind the limit up to which it is read.
    truncated: bool,
    /// The groups that apply to the client, by their starter lines.
    groups: Vec<SelectionJson<'a>>,
    /// Groups that address the client too, but that a better match overrides.
    passed_over_groups: Vec<SelectionJson<'a>>,
    /// Every line of the file, in order.
    lines: Vec<ExplainedLine<'a>>,
    /// The robots tags that were given.
    tags: Vec<ReadTag<'a>>,
    /// What the client may crawl, in one sentence.
    verdict: String,
    /// What is documented about the robot and matters for this file, in sentences.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    documented: &'a [String],
    /// What robots.txt alone asks about training, AI input and search, on most paths, if the file
    /// states any preference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(min = 3)))]
    preferences: Vec<PreferenceAnswer>,
    /// What the file asks of robots that claim a purpose, in sentences.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    purposes: &'a [Phrase],
    /// What the file is to the client, in plain English.
    summary: String,
    /// What is decided about each page, if pages were named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pages: Vec<ExplainedPage<'a>>,
    /// What was counted, if many pages were named.
    #[serde(skip_serializing_if = "Option::is_none")]
    tally: Option<&'a Tally>,
}

/// A line of the file, and what it is to the client.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExplainedLine<'a> {
    #[serde(flatten)]
    read: ReadLine<'a>,
    /// For a line of `Content-Usage`, `Content-Signal` or `License`: what it states, for whomever
    /// it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    preference: Option<ExplainedPreference<'a>>,
    /// For a `User-agent` line that names a control token.
    #[serde(skip_serializing_if = "Option::is_none")]
    control_token: Option<ExplainedToken<'a>>,
}

/// What a preference line states.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExplainedPreference<'a> {
    #[serde(flatten)]
    line: &'a PreferenceLine,
    /// What it settles for the client, in words; absent where `why` says that it has no effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// What the group of a control token settles.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExplainedToken<'a> {
    #[serde(flatten)]
    line: &'a TokenLine,
    /// What it settles, in words.
    text: String,
}

/// The answer for training, AI input or search.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct PreferenceAnswer {
    #[serde(flatten)]
    answer: UsageAnswer,
    /// How many exceptions are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_exceptions: Option<usize>,
    /// The answer in one sentence.
    text: String,
}

/// What is decided about a page.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExplainedPage<'a> {
    url: String,
    /// By usage; those about which anything is said.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<abide::Usage, Outcome>"))]
    outcomes: BTreeMap<&'static str, Outcome>,
    /// What each statement did to it.
    parts: &'a [Part],
    /// Whether the client may crawl the page, in one sentence.
    verdict: String,
    /// What is asked about training, AI input and search, if the file or the page states any
    /// preference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(min = 3)))]
    preferences: Vec<PreferenceAnswer>,
    /// What is decided and why, in plain English.
    summary: String,
    /// Findings about the URL, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    findings: Vec<String>,
}

/// A file as several clients read it: for one client an object, else an array.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
#[non_exhaustive]
pub enum Explanations<'a> {
    /// One client.
    One(Box<Explanation<'a>>),
    /// None or several.
    Several(Vec<Explanation<'a>>),
}

impl<'a> Explanations<'a> {
    /// These explanations.
    #[must_use]
    pub fn of(all: impl IntoIterator<Item = Explanation<'a>>) -> Self {
        let mut all: Vec<_> = all.into_iter().collect();
        match (all.pop(), all.is_empty()) {
            (Some(only), true) => Self::One(Box::new(only)),
            (last, _) => {
                all.extend(last);
                Self::Several(all)
            }
        }
    }
}

impl<'a> Explanation<'a> {
    /// The file as the robot with the name `robot` reads it, and the tags of `response`.
    #[must_use]
    pub fn new(robot: &str, reading: &'a FileView<'_>, response: &'a Response) -> Self {
        let policy = reading.policy();
        let tokens = policy.client().product_tokens().iter();
        let selections =
            |groups: Vec<Selection<'a>>| groups.iter().map(SelectionJson::new).collect();
        let lines = reading.lines();
        // The file states something, for the client or for others.
        let stated = reading.preferences().filter(|stated| stated.is_stated);
        let answers = stated.into_iter().flat_map(|stated| &stated.answers);
        Self {
            schema: SCHEMA,
            robot: robot.to_owned(),
            agents: tokens.map(ProductToken::as_str).collect(),
            access: reading.access(),
            truncated: reading.is_truncated(),
            groups: selections(policy.chosen_groups()),
            passed_over_groups: selections(Inspect::of(policy).other_matching_groups()),
            lines: lines
                .map(|line| ExplainedLine::new(reading, line))
                .collect(),
            tags: tags(response, policy),
            verdict: sentences::verdict(reading),
            documented: reading.documented(),
            preferences: answers.cloned().map(PreferenceAnswer::new).collect(),
            purposes: reading.purposes(),
            summary: sentences::file(reading),
            pages: Vec::new(),
            tally: None,
        }
    }

    /// Adds the decisions about pages, which are pages of `reading`.
    #[must_use]
    pub fn with_pages(mut self, reading: &FileView<'_>, pages: &'a [PageView<'_>]) -> Self {
        let pages = pages.iter().map(|page| ExplainedPage::new(reading, page));
        self.pages = pages.collect();
        self
    }

    /// Adds the counts.
    #[must_use]
    pub fn with_tally(mut self, tally: &'a Tally) -> Self {
        self.tally = Some(tally);
        self
    }
}

impl<'a> ExplainedLine<'a> {
    fn new(reading: &'a FileView<'_>, read: ReadLine<'a>) -> Self {
        let stated = reading.preferences();
        let preference = stated.and_then(|stated| stated.line(read.number));
        let token = stated.and_then(|stated| stated.token(read.number));
        Self {
            read,
            preference: preference.map(|line| ExplainedPreference {
                line,
                text: sentences::preference_line(reading, line),
            }),
            control_token: token.map(|line| ExplainedToken {
                line,
                text: sentences::token_line(reading, line),
            }),
        }
    }
}

impl PreferenceAnswer {
    fn new(answer: UsageAnswer) -> Self {
        Self {
            text: sentences::answer(&answer),
            more_exceptions: None,
            answer,
        }
    }

    /// The answer with the first exceptions only, for one of hundreds of robots: as far as there is
    /// room for those of all of them.
    pub(crate) fn of_many(answer: &UsageAnswer, room: Option<&mut Room>) -> Self {
        let mut short = Self::new(answer.clone());
        let exceptions = &mut short.answer.exceptions;
        let all = exceptions.len();
        exceptions.truncate(MAX_EXCEPTIONS);
        if let Some(room) = room {
            room.keep(exceptions);
        }
        let more = all - exceptions.len();
        short.more_exceptions = (more > 0).then_some(more);
        short
    }
}

impl<'a> ExplainedPage<'a> {
    fn new(reading: &FileView<'_>, page: &'a PageView<'_>) -> Self {
        let usages = page.decision.usages.iter();
        let usages = usages.filter(|usage| usage.outcome != Outcome::Unspecified);
        let outcomes = usages.map(|usage| (usage.usage.name(), usage.outcome));
        let preferences = if sentences::page_preferences(reading, page).is_empty() {
            Vec::new()
        } else {
            page_answers(reading.policy(), &page.decision)
        };
        Self {
            url: visible_url(page.url()),
            outcomes: outcomes.collect(),
            parts: &page.parts,
            verdict: sentences::page_verdict(reading, page),
            preferences: preferences.into_iter().map(PreferenceAnswer::new).collect(),
            summary: sentences::page(page),
            findings: sentences::findings(reading.policy(), &page.decision),
        }
    }
}
