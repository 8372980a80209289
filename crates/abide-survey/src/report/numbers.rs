//! What a report counts.

use super::sites::Sites;
use crate::method::Method;
use abide_analysis::words::{counted, grouped};
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
    /// How large the files are. Weights do not count in it, but in `buckets`.
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
    /// Which sites have weights; null without weights.
    pub weights: Option<WeightCount>,
    /// How the survey was made; null if the tables do not say.
    pub method: Option<Method>,
}

/// What was captured, and what counts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Coverage {
    /// Captures.
    pub captures: u64,
    /// Different hosts. Of each, the last capture counts.
    pub sites: Sites,
    /// Sites that answer what robots may do: with a robots.txt, or that they have none.
    pub answered: Sites,
    /// Sites whose answer is a robots.txt.
    pub with_file: Sites,
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
    pub sites: Sites,
}

/// Sites with a status.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StatusCount {
    /// The status; null if the input has none, or one that is not between 100 and 999.
    pub status: Option<u16>,
    /// Sites.
    pub sites: Sites,
}

/// How large robots.txt files are, in bytes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Sizes {
    /// Sites with a robots.txt.
    pub sites: Sites,
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
    pub sites: Sites,
}

/// What robots may crawl.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RobotAccess {
    /// The path that the preferences are about.
    pub path: String,
    /// One entry for each robot: those that the survey names come first, as it names them, then
    /// `*`, then those of sets such as `@search`, of which those that most sites close themselves
    /// to come first.
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
    pub not_proven: Sites,
    /// Sites that name it.
    pub named: Sites,
    /// Sites by what they ask about training.
    pub train: Outcomes,
    /// Sites by what they ask about AI input.
    pub ai_input: Outcomes,
    /// Sites by what they ask about search.
    pub search: Outcomes,
    /// Its place among the robots that the survey names, or else among those of sets.
    #[serde(skip)]
    pub(crate) place: Place,
}

/// Where a robot comes among those of a survey, before its counts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// The survey names it, as so manyth robot.
    Named(usize),
    /// Every robot that a file does not name.
    Any,
    /// It is of a set, or nothing says who asked for it.
    OfSet,
}

/// Sites by how much of them a robot may crawl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Classes {
    /// All of these.
    pub sites: Sites,
    /// It may crawl everything.
    pub open: Sites,
    /// It may crawl parts.
    pub partly: Sites,
    /// It may crawl nothing.
    pub closed: Sites,
    /// It is not known.
    pub unknown: Sites,
}

impl Classes {
    /// No site.
    pub(super) const fn none(none: Sites) -> Self {
        Self {
            sites: none,
            open: none,
            partly: none,
            closed: none,
            unknown: none,
        }
    }

    /// Counts a site of the class that the table calls `name`.
    pub(super) fn add(&mut self, name: &str, site: Sites) {
        self.sites += site;
        let class = match name {
            "open" => &mut self.open,
            "partly" => &mut self.partly,
            "closed" => &mut self.closed,
            _ => &mut self.unknown,
        };
        *class += site;
    }
}

/// Sites by what they ask about one use.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Outcomes {
    /// They permit it.
    pub permitted: Sites,
    /// They permit it on conditions.
    pub conditional: Sites,
    /// They prohibit it.
    pub prohibited: Sites,
    /// It is not known.
    pub unknown: Sites,
    /// They do not say.
    pub unspecified: Sites,
}

impl Outcomes {
    /// No site.
    pub(super) const fn none(none: Sites) -> Self {
        Self {
            permitted: none,
            conditional: none,
            prohibited: none,
            unknown: none,
            unspecified: none,
        }
    }

    /// Counts a site with the outcome that the table calls `name`.
    pub(super) fn add(&mut self, name: &str, site: Sites) {
        let outcome = match name {
            "permitted" => &mut self.permitted,
            "conditional" => &mut self.conditional,
            "prohibited" => &mut self.prohibited,
            "unspecified" => &mut self.unspecified,
            _ => &mut self.unknown,
        };
        *outcome += site;
    }

    /// All sites.
    pub(super) fn sites(&self) -> Sites {
        [self.stated(), self.unspecified].into_iter().sum()
    }

    /// Sites that say something.
    pub(super) fn stated(&self) -> Sites {
        let stated = [
            self.permitted,
            self.conditional,
            self.prohibited,
            self.unknown,
        ];
        stated.into_iter().sum()
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
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct KindClasses {
    /// All of these.
    pub sites: Sites,
    /// Closed to every robot of the kind.
    pub all_closed: Sites,
    /// Closed to some of them.
    pub some_closed: Sites,
    /// Closed to none, and partly closed to at least one.
    pub partly: Sites,
    /// Open to all of them.
    pub all_open: Sites,
    /// Not known for at least one of them.
    pub unknown: Sites,
}

impl KindClasses {
    /// No site.
    pub(super) const fn none(none: Sites) -> Self {
        Self {
            sites: none,
            all_closed: none,
            some_closed: none,
            partly: none,
            all_open: none,
            unknown: none,
        }
    }
}

/// Sites in periods of time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct OverTime {
    /// How long a period is: day, week, month, quarter or year.
    #[cfg_attr(feature = "schema", schemars(with = "super::Period"))]
    pub period: &'static str,
    /// Which sites count, if not all: those that answer in every period.
    pub panel: Option<PanelCount>,
    /// The periods, in order. In each, a site counts once, with its last capture in it.
    pub periods: Vec<PeriodCount>,
}

/// Sites that answer what robots may do in every period with an answer, so that a change over time
/// does not come from the sites that were captured.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PanelCount {
    /// Sites that answer in every period, which count.
    pub kept: Sites,
    /// Sites that answer in some periods only, which do not count over time.
    pub dropped: Sites,
}

/// The weights of sites.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct WeightCount {
    /// Hosts that have a weight.
    pub hosts: u64,
    /// Hosts of these that are sites of the survey.
    pub matched: u64,
    /// Sites of the survey without a weight. Theirs is 0.
    pub without: u64,
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
    pub sites: Sites,
    /// Sites of these that answer what robots may do.
    pub answered: Sites,
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
    pub sites: Sites,
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
    pub sites: Sites,
    /// All findings.
    pub findings: u64,
}

/// Robots that files name.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Names {
    /// Sites whose file has a group.
    pub sites: Sites,
    /// Sites with a group for `*`.
    pub any: Sites,
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
    pub sites: Sites,
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

impl WeightCount {
    /// Which sites have weights, in words.
    #[must_use]
    pub fn sentence(&self) -> String {
        let without = match self.without {
            0 => "every site has a weight".to_owned(),
            without => format!(
                "{} without a weight, which counts as 0",
                counted(without, "site is", "sites are")
            ),
        };
        format!(
            "{} of {} with a weight {} of the survey, and {without}",
            grouped(self.matched),
            counted(self.hosts, "host", "hosts"),
            if self.matched == 1 {
                "is a site"
            } else {
                "are sites"
            }
        )
    }
}

impl Numbers {
    /// Numbers of nothing but this coverage.
    pub(super) fn of(coverage: Coverage) -> Self {
        // No site is counted yet.
        let none = coverage.sites;
        Self {
            schema: SCHEMA,
            coverage,
            states: Vec::new(),
            statuses: Vec::new(),
            sizes: Sizes {
                sites: none,
                median: 0,
                p90: 0,
                p99: 0,
                largest: 0,
                buckets: Vec::new(),
            },
            robots: None,
            over_time: None,
            vocabularies: Vec::new(),
            findings: None,
            names: None,
            errors: None,
            weights: None,
            method: None,
        }
    }
}
