//! Which robots may crawl a site: every known robot, by what it is for, with the deciding line.
//!
//! ```
//! use abide::Robots;
//! use abide_known_robots::Robot;
//! use abide_analysis::Bound;
//! use abide_analysis::matrix::{Matrix, MatrixSettings};
//! let robots = Robots::parse(b"User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n");
//! let asked = Robot::list("GPTBot,CCBot,ClaudeBot")?;
//! let matrix = Matrix::of(&robots, &asked, &MatrixSettings::default(), Bound::default())?;
//! assert_eq!(
//!     matrix.sections[0].summary().to_string(),
//!     "1 of 3 AI training robots may crawl the whole site; 2 may not crawl it: GPTBot and CCBot."
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod category;
mod google;
mod names;
mod preference;
mod sentence;

pub use category::Category;
pub use names::{every_robot, named_robot};
pub use preference::PreferenceGroup;

use crate::bound::Bound;
use crate::compare::{AccessSurvey, Openness, SiteAccess, prominence};
use crate::data;
use crate::preferences::SiteQuestion;
use crate::view::{UsageAnswer, sentences};
use crate::words::Phrase;
use abide::{Client, PurposeToken, Robots};
use abide_known_robots::{Purpose, Robot, RobotError};
use preference::AnswerCache;
use serde::Serialize;
use std::collections::BTreeMap;

/// The largest number of robots that the file names and the table does not have, in the matrix of a
/// file.
const MAX_UNKNOWN_ROBOTS: usize = 2_000;

/// How robots read the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct MatrixSettings {
    /// Whether to leave out what the table of known robots documents, such as that a robot ignores
    /// groups for `*`.
    pub literal: bool,
    /// What to ask about training, AI input and search, if anything. The control tokens of each
    /// robot's operator count.
    pub preferences: Option<SiteQuestion>,
    /// The purposes that every robot claims.
    pub purposes: Vec<PurposeToken>,
}

/// Which robots may crawl a site.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Matrix {
    /// The robots by what they are for, in the order of [`Category::all`]; none is empty.
    pub sections: Vec<Section>,
    /// What differs for robots that read the file in another way, in sentences.
    pub notes: Vec<Phrase>,
    /// How many further robots the file names. Of those that the table does not have, a matrix of a
    /// file has the first two thousand.
    pub left_out: usize,
    /// How many bytes the file has, as far as it was read, if nobody asked for these robots by
    /// name: what is listed is bounded by it.
    pub file_bytes: Option<usize>,
}

/// Robots for the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// What they have in common.
    pub category: Category,
    /// The robots: those that people look for first.
    pub rows: Vec<Row>,
}

/// One robot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Row {
    /// Its name; `*` for every robot that the file does not name.
    pub name: String,
    /// Whether the table of known robots has it.
    pub known: bool,
    /// Who operates it, if it is known.
    pub operator: Option<&'static str>,
    /// What it is for, the main purpose first; empty if it is not known.
    pub purposes: &'static [Purpose],
    /// How much of the site the file allows.
    pub access: RobotAccess,
    /// Whether that is proven for every path. If not, the file was too complex to compare all
    /// paths, and the access is `partly`.
    #[serde(rename = "proven")]
    pub is_proven: bool,
    /// Whether the robot follows robots.txt; null if that is not documented or does not count. Of a
    /// robot that does not, the access says only what the file asks.
    pub follows_robots_txt: Option<bool>,
    /// The line that decides about `/`, or else the first line of the robot's group.
    pub decided_by: Option<DecidingLine>,
    /// A path that is decided otherwise than `/`, if the access is `partly`. If it is `closed`, a
    /// file that nobody visits and that the robot may fetch.
    pub exception: Option<PathException>,
    /// The number of rules that decide otherwise than about `/`: at least so many.
    pub exceptions: usize,
    /// What operators document about the robot and matters here, in sentences.
    pub documented: Vec<String>,
    /// What the site asks about training, AI input and search; empty if that was not asked.
    #[serde(skip)]
    pub preferences: Vec<UsageAnswer>,
}

/// How much of a site a file allows a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum RobotAccess {
    /// All of it.
    Allowed,
    /// Parts of it, or not proven.
    Partly,
    /// Nothing but files that nobody visits, such as `/robots.txt` and `/ads.txt`.
    Closed,
}

abide::named!(
    RobotAccess,
    [Allowed = "allowed", Partly = "partly", Closed = "closed"]
);

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DecidingLine {
    /// Its number.
    #[serde(rename = "line")]
    pub number: u32,
    /// Its text, without a comment: up to 256 bytes, and then `…`.
    #[serde(serialize_with = "data::text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub statement: Vec<u8>,
}

/// A path that is decided otherwise than `/`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PathException {
    /// The path.
    pub path: String,
    /// The line that decides about it.
    pub decided_by: Option<DecidingLine>,
}

/// How many robots of a section get each answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Counts {
    /// All of the site.
    pub allowed: usize,
    /// Parts of it, or not proven.
    pub partly: usize,
    /// Nothing.
    pub closed: usize,
    /// Robots that do not follow robots.txt, whatever the file asks. The other members do not count
    /// them.
    pub not_following: usize,
}

impl Matrix {
    /// Which of `agents` may crawl the site. `robots` has the profile to use; `bound` limits the
    /// work for all robots together.
    ///
    /// # Errors
    /// [`RobotError`] for a name that neither the table nor the file has and that RFC 9309 does not
    /// allow.
    ///
    /// # Panics
    /// Only on a bug.
    pub fn of(
        robots: &Robots,
        agents: &[Robot],
        settings: &MatrixSettings,
        bound: Bound,
    ) -> Result<Self, RobotError> {
        let matrix = Self::of_while(robots, agents, settings, bound, &|| true)?;
        Ok(matrix.expect("nothing ends it early"))
    }

    fn of_while(
        robots: &Robots,
        agents: &[Robot],
        settings: &MatrixSettings,
        bound: Bound,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, RobotError> {
        let mut survey = AccessSurvey::new(robots, bound);
        let mut known_answers = AnswerCache::new(robots, settings.preferences.as_ref());
        let mut sections: BTreeMap<usize, Section> = BTreeMap::new();
        let order: Vec<Category> = Category::all().collect();
        for robot in agents {
            if !goes_on() {
                return Ok(None);
            }
            let robot = if settings.literal {
                robot.clone().without_known_facts()
            } else {
                robot.clone()
            };
            let client = robot.client(robots.profile(), |client| robots.chosen_groups(client))?;
            // A group for a name comes before one for a purpose, so purposes change no name.
            let purposes = settings.purposes.iter().cloned();
            let client = purposes.fold(client, Client::with_purpose);
            let chosen = robots.chosen_groups(&client);
            let robot = robot.in_groups(&chosen);
            let name = robot.name();
            let known = abide_known_robots::named(&name);
            let category = match known {
                _ if name == "*" => Category::EveryOther,
                Some(known) => Category::of(known),
                None => Category::Unknown,
            };
            let identified = robot.identified().into_iter();
            let row = Row {
                name,
                known: known.is_some(),
                operator: known.map(|known| known.operator),
                purposes: known.map_or(&[], |known| known.purposes),
                documented: identified.chain(robot.applied_by(&chosen)).collect(),
                preferences: known_answers.of(&client),
                follows_robots_txt: robot.row().and_then(|row| row.follows_robots_txt),
                ..Row::of(robots, survey.access_of_client(&client))
            };
            let place = order.iter().position(|one| *one == category);
            let section = sections.entry(place.unwrap_or(order.len()));
            let section = section.or_insert_with(|| Section {
                category,
                rows: Vec::new(),
            });
            section.rows.push(row);
        }
        let mut sections: Vec<Section> = sections.into_values().collect();
        for section in &mut sections {
            section.rows.sort_by_cached_key(|row| prominence(&row.name));
        }
        let mut notes = google::notes(robots, agents, bound);
        notes.extend(sentences::purposes(robots, bound));
        Ok(Some(Self {
            sections,
            notes,
            left_out: 0,
            file_bytes: None,
        }))
    }

    /// The matrix for `agents`; for [all relevant robots](every_robot) if it is empty. Of the
    /// robots that a file names by the thousand, some are left out ([`Matrix::left_out`]).
    ///
    /// # Errors
    /// The errors of [`Matrix::of`].
    ///
    /// # Panics
    /// Only on a bug.
    pub fn of_file(
        robots: &Robots,
        agents: &[Robot],
        settings: &MatrixSettings,
        bound: Bound,
    ) -> Result<Self, RobotError> {
        let matrix = Self::of_file_while(robots, agents, settings, bound, || true)?;
        Ok(matrix.expect("nothing ends it early"))
    }

    /// Like [`Matrix::of_file`], but stops when `goes_on` returns false before a robot, and returns
    /// `None`.
    ///
    /// # Errors
    /// The errors of [`Matrix::of`].
    pub fn of_file_while(
        robots: &Robots,
        agents: &[Robot],
        settings: &MatrixSettings,
        bound: Bound,
        goes_on: impl Fn() -> bool,
    ) -> Result<Option<Self>, RobotError> {
        match agents {
            [] => {
                let mut named = names::unknown_robots(robots);
                let left_out = named.len().saturating_sub(MAX_UNKNOWN_ROBOTS);
                named.truncate(MAX_UNKNOWN_ROBOTS);
                let agents: Vec<Robot> = names::known_robots().chain(named).collect();
                let matrix = Self::of_while(robots, &agents, settings, bound, &goes_on)?;
                Ok(matrix.map(|matrix| Self {
                    left_out,
                    file_bytes: Some(robots.text().as_bytes().len()),
                    ..matrix
                }))
            }
            agents => Self::of_while(robots, agents, settings, bound, &goes_on),
        }
    }

    /// Whether every answer is proven.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        let mut rows = self.sections.iter().flat_map(|section| &section.rows);
        rows.all(|row| row.is_proven)
    }
}

impl Section {
    /// How many robots get each answer.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for row in &self.rows {
            *match (row.follows_robots_txt, row.access) {
                (Some(false), _) => &mut counts.not_following,
                (_, RobotAccess::Allowed) => &mut counts.allowed,
                (_, RobotAccess::Partly) => &mut counts.partly,
                (_, RobotAccess::Closed) => &mut counts.closed,
            } += 1;
        }
        counts
    }

    /// One sentence about all robots of the section.
    #[must_use]
    pub fn summary(&self) -> Phrase {
        sentence::summary(self)
    }
}

impl Row {
    fn of(robots: &Robots, access: SiteAccess) -> Self {
        Self {
            name: String::new(),
            known: false,
            operator: None,
            purposes: &[],
            access: match access.proven_class() {
                Openness::Open => RobotAccess::Allowed,
                Openness::Partly => RobotAccess::Partly,
                Openness::Closed => RobotAccess::Closed,
            },
            is_proven: access.is_exact,
            follows_robots_txt: None,
            decided_by: deciding_line(robots, access.line),
            exception: access.exception.map(|one| PathException {
                path: one.path,
                decided_by: deciding_line(robots, one.line),
            }),
            exceptions: access.exceptions,
            documented: Vec::new(),
            preferences: Vec::new(),
        }
    }

    /// Whether the two rows differ only in their robot, and in the line if its statement is the
    /// same for the whole site. Of robots that do not follow robots.txt the answer does not matter.
    #[must_use]
    pub fn has_same_answer(&self, other: &Self) -> bool {
        let ignores = |row: &Self| row.follows_robots_txt == Some(false);
        if ignores(self) || ignores(other) {
            return ignores(self) == ignores(other);
        }
        let key = |row: &Self| (row.access, row.is_proven, row.exceptions);
        let statement = |row: &Self| row.decided_by.as_ref().map(|line| line.statement.clone());
        let has_same_line = match self.access {
            RobotAccess::Closed => {
                statement(self) == statement(other) && self.exception == other.exception
            }
            RobotAccess::Partly => {
                self.decided_by == other.decided_by && self.exception == other.exception
            }
            RobotAccess::Allowed => {
                let is_about_all = |row: &Self| row.decided_by.is_some();
                is_about_all(self) == is_about_all(other)
            }
        };
        key(self) == key(other) && has_same_line
    }
}

/// How many bytes of a statement are shown.
const MAX_STATEMENT_BYTES: usize = 256;

fn deciding_line(robots: &Robots, number: Option<u32>) -> Option<DecidingLine> {
    let number = number?;
    let at = usize::try_from(number).ok()?.checked_sub(1)?;
    let field = robots.lines().get(at)?.field()?;
    let bytes = robots.text().as_bytes();
    let mut statement = field.key.of(bytes).to_vec();
    statement.extend(b": ");
    statement.extend(field.value.of(bytes));
    // Hundreds of robots have the same line.
    if statement.len() > MAX_STATEMENT_BYTES {
        statement.truncate(MAX_STATEMENT_BYTES);
        statement.extend("…".as_bytes());
    }
    Some(DecidingLine { number, statement })
}
