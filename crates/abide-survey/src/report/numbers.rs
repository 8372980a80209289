//! What a report counts.

use crate::method::Method;
use serde::Serialize;

/// Version of the JSON: the value of the `schema` member.
const SCHEMA: u32 = 1;

/// What the sites of a survey say. A site is a host, and counts once: with its last capture. Counts
/// about robots are of sites that answer: with a robots.txt, or by having none.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Numbers {
    /// Version of this form.
    schema: u32,
    /// What was captured, and what counts.
    pub coverage: Coverage,
    /// Sites by what their last capture is.
    pub states: Vec<StateCount>,
    /// Sites by the status of their last capture.
    pub statuses: Vec<StatusCount>,
    /// How large the files are.
    pub sizes: Sizes,
    /// What robots may crawl; null without the table `robots`.
    pub robots: Option<RobotAccess>,
    /// How that changed; null without dates or without the table `robots`.
    pub over_time: Option<OverTime>,
    /// Sites by the vocabularies of their files.
    pub vocabularies: Vec<VocabularyCount>,
    /// Findings by their code, the most frequent first; null without the table `findings`.
    pub findings: Option<Vec<FindingCount>>,
    /// Robots that files name; null without the table `groups`.
    pub names: Option<Names>,
    /// What could not be read of the input, by code; null without the table `errors`.
    pub errors: Option<Vec<ErrorCount>>,
    /// How the survey was made; null if the tables do not say.
    pub method: Option<Method>,
}

/// What was captured, and what counts.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Coverage {
    /// Captures.
    pub captures: u64,
    /// Different hosts. Of each, the last capture counts.
    pub sites: u64,
    /// Sites that answer what robots may do: with a robots.txt, or that they have none.
    pub answered: u64,
    /// Sites whose answer is a robots.txt.
    pub with_file: u64,
    /// The first day of a capture, such as `2026-05-01`.
    pub first_day: Option<String>,
    /// The last day of a capture.
    pub last_day: Option<String>,
    /// Captures without a date.
    pub undated: u64,
    /// Captures with a date before 1994 or after 2100, which count as undated.
    pub misdated: u64,
    /// Whether the survey read all of its input. If not, `abide survey --resume` reads the rest.
    #[serde(rename = "complete")]
    pub is_complete: bool,
}

/// What a capture is, as the column `state` of the table `files` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CaptureState {
    /// A robots.txt with rules.
    Rules,
    /// A robots.txt without rules.
    Empty,
    /// A robots.txt that was not read beyond the parsing limit.
    Cut,
    /// The site has no robots.txt.
    Missing,
    /// The file could not be fetched.
    Unreachable,
    /// A redirect to something that is not in the input.
    RedirectNotFollowed,
    /// The site only said that its file is the one that was captured before.
    NotModified,
    /// A text without a line that robots understand.
    NoFields,
    /// A page in place of a robots.txt.
    Html,
    /// JSON in place of a robots.txt.
    Json,
    /// An image in place of a robots.txt.
    Image,
    /// Compressed bytes in place of a robots.txt.
    Compressed,
    /// A body that cannot be decoded.
    Damaged,
    /// A state that this version of abide does not know.
    Other,
}

abide::named!(
    CaptureState,
    "state",
    [
        Rules = "rules",
        Empty = "empty",
        Cut = "cut",
        Missing = "missing",
        Unreachable = "unreachable",
        RedirectNotFollowed = "redirect-not-followed",
        NotModified = "not-modified",
        NoFields = "no-fields",
        Html = "html",
        Json = "json",
        Image = "image",
        Compressed = "compressed",
        Damaged = "damaged",
        Other = "other"
    ]
);

impl CaptureState {
    /// Whether it says what robots may do.
    #[must_use]
    pub const fn answers(self) -> bool {
        self.has_file() || matches!(self, Self::Missing)
    }

    /// Whether there is a robots.txt.
    #[must_use]
    pub const fn has_file(self) -> bool {
        matches!(self, Self::Rules | Self::Empty | Self::Cut)
    }
}

/// Sites in a state.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StateCount {
    /// The state.
    pub state: CaptureState,
    /// Whether it says what robots may do.
    pub answers: bool,
    /// Sites.
    pub sites: u64,
}

/// Sites with a status.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StatusCount {
    /// The status; null if the input has none, or one that is not between 100 and 999.
    pub status: Option<u16>,
    /// Sites.
    pub sites: u64,
}

/// How large robots.txt files are, in bytes.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Sizes {
    /// Sites with a robots.txt.
    pub sites: u64,
    /// Half of the files are not larger. Above 64 KiB it is exact to 1%, and so are the next two.
    pub median: u64,
    /// 90% of the files are not larger.
    pub p90: u64,
    /// 99% of the files are not larger.
    pub p99: u64,
    /// The largest file.
    pub largest: u64,
    /// Files by their size.
    pub buckets: Vec<Bucket>,
}

/// Files of some size.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Bucket {
    /// The smallest size, in bytes.
    pub from: u64,
    /// The largest size, in bytes; null if there is no limit.
    pub to: Option<u64>,
    /// Sites.
    pub sites: u64,
}

/// What robots may crawl.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RobotAccess {
    /// The path that the preferences are about.
    pub path: String,
    /// One entry for each robot: those that most sites close themselves to come first.
    pub robots: Vec<RobotCount>,
    /// One entry for each kind of robot.
    pub kinds: Vec<KindCount>,
}

/// One robot.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RobotCount {
    /// The robot, as the survey asked for it.
    pub robot: String,
    /// What it is for, such as `ai-training`; `every-other` for `*`. Null if the table of known
    /// robots does not have it.
    pub kind: Option<String>,
    /// Sites by how much of them it may crawl.
    pub classes: Classes,
    /// Sites whose class is not proven for every path.
    pub not_proven: u64,
    /// Sites that name it.
    pub named: u64,
    /// Sites by what they ask about training.
    pub train: Outcomes,
    /// Sites by what they ask about AI input.
    pub ai_input: Outcomes,
    /// Sites by what they ask about search.
    pub search: Outcomes,
    /// Its place among the robots of the survey, which is how people asked for it.
    #[serde(skip)]
    pub(crate) place: usize,
}

/// Sites by how much of them a robot may crawl.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Classes {
    /// All of these.
    pub sites: u64,
    /// It may crawl everything.
    pub open: u64,
    /// It may crawl parts.
    pub partly: u64,
    /// It may crawl nothing.
    pub closed: u64,
    /// It is not known.
    pub unknown: u64,
}

impl Classes {
    /// Counts a site of the class that the table calls `name`.
    pub(super) fn add(&mut self, name: &str) {
        self.sites += 1;
        match name {
            "open" => self.open += 1,
            "partly" => self.partly += 1,
            "closed" => self.closed += 1,
            _ => self.unknown += 1,
        }
    }
}

/// Sites by what they ask about one use.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Outcomes {
    /// They permit it.
    pub permitted: u64,
    /// They permit it on conditions.
    pub conditional: u64,
    /// They prohibit it.
    pub prohibited: u64,
    /// It is not known.
    pub unknown: u64,
    /// They do not say.
    pub unspecified: u64,
}

impl Outcomes {
    /// Counts a site with the outcome that the table calls `name`.
    pub(super) fn add(&mut self, name: &str) {
        match name {
            "permitted" => self.permitted += 1,
            "conditional" => self.conditional += 1,
            "prohibited" => self.prohibited += 1,
            "unspecified" => self.unspecified += 1,
            _ => self.unknown += 1,
        }
    }

    /// All sites.
    pub(super) const fn sites(&self) -> u64 {
        self.stated() + self.unspecified
    }

    /// Sites that say something.
    pub(super) const fn stated(&self) -> u64 {
        self.permitted + self.conditional + self.prohibited + self.unknown
    }
}

/// The robots of one kind, taken together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct KindCount {
    /// What they are for; null if the table of known robots does not have them.
    pub kind: Option<String>,
    /// How many robots of the kind the survey asked for.
    pub robots: u64,
    /// Sites by how many of these robots may crawl them.
    #[serde(flatten)]
    pub classes: KindClasses,
}

/// Sites by how many robots of a kind may crawl them.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct KindClasses {
    /// All of these.
    pub sites: u64,
    /// Closed to every robot of the kind.
    pub all_closed: u64,
    /// Closed to some of them.
    pub some_closed: u64,
    /// Closed to none, and partly closed to at least one.
    pub partly: u64,
    /// Open to all of them.
    pub all_open: u64,
    /// Not known for at least one of them.
    pub unknown: u64,
}

/// Sites in periods of time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct OverTime {
    /// How long a period is: day, week, month, quarter or year.
    #[cfg_attr(feature = "schema", schemars(with = "super::Period"))]
    pub period: &'static str,
    /// The periods, in order. In each, a site counts once, with its last capture in it.
    pub periods: Vec<PeriodCount>,
}

/// One period.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PeriodCount {
    /// Its name, such as `2026-05`.
    pub label: String,
    /// Its first day.
    pub first_day: String,
    /// Sites that were captured in it.
    pub sites: u64,
    /// Sites of these that answer what robots may do.
    pub answered: u64,
    /// The classes of each robot, in the order of `robots` of the whole survey.
    pub robots: Vec<RobotClasses>,
    /// The classes of each kind, in the order of `kinds` of the whole survey.
    pub kinds: Vec<KindPeriod>,
}

/// One robot in one period.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RobotClasses {
    /// The robot.
    pub robot: String,
    /// Sites by how much of them it may crawl.
    pub classes: Classes,
}

/// The robots of one kind in one period.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct KindPeriod {
    /// The kind.
    pub kind: Option<String>,
    /// Sites by how many of these robots may crawl them.
    #[serde(flatten)]
    pub classes: KindClasses,
}

/// Sites whose file uses a vocabulary.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct VocabularyCount {
    /// The vocabulary: `content-usage`, `content-signal`, `rsl`, `control-token` or `acap`.
    pub vocabulary: &'static str,
    /// Sites with at least one line or name of it.
    pub sites: u64,
    /// All lines or names of it.
    pub lines: u64,
}

/// Findings with one code.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FindingCount {
    /// The code.
    pub code: String,
    /// The severity.
    pub severity: String,
    /// Sites with at least one.
    pub sites: u64,
    /// All findings.
    pub findings: u64,
}

/// Robots that files name.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Names {
    /// Sites whose file has a group.
    pub sites: u64,
    /// Sites with a group for `*`.
    pub any: u64,
    /// The names by which most sites address a robot.
    pub names: Vec<NameCount>,
    /// How many sites each count may be too low by: 0, unless the files have very many names.
    pub missing: u64,
}

/// A name that files have for a robot.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NameCount {
    /// The name, as the table of known robots has it. Upper and lower case are the same.
    pub name: String,
    /// Whether the table of known robots has it.
    pub known: bool,
    /// Sites that name it.
    pub sites: u64,
}

/// Errors with one code.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ErrorCount {
    /// The code.
    pub code: String,
    /// How many there are.
    pub errors: u64,
}

impl Numbers {
    /// Numbers of nothing but this coverage.
    pub(super) fn of(coverage: Coverage) -> Self {
        Self {
            schema: SCHEMA,
            coverage,
            states: Vec::new(),
            statuses: Vec::new(),
            sizes: Sizes::default(),
            robots: None,
            over_time: None,
            vocabularies: Vec::new(),
            findings: None,
            names: None,
            errors: None,
            method: None,
        }
    }
}
