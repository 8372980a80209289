//! Answers about many URLs for many robots, as JSON: one number for each, and what it stands for.
//! `schema/table.json` describes it; the order of fields is stable.

use abide::verdict::{Reason, Source};
use abide::{Profile, Usage};
use abide_known_robots::Robot;
use abide_lint::table::{CellAnswer, ProfileAnswer, Table, TableRobot};
use serde::Serialize;

/// Version of the format: the value of the `schema` member.
pub const SCHEMA: u32 = 1;

/// A table, with fields in the order of the schema.
#[derive(Debug, Serialize)]
pub struct TableJson<'a> {
    schema: u32,
    profiles: Vec<&'static str>,
    usage: &'static str,
    robots: Vec<TableRobotJson>,
    urls: &'a [UrlJson<'a>],
    answers: Vec<CellAnswerJson>,
    cells: Vec<Option<&'a [u32]>>,
}

/// A URL of a table.
#[derive(Clone, Debug, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct UrlJson<'a> {
    /// The URL as it was asked about.
    pub url: &'a str,
    /// The URL or path that clients send, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requested: Option<String>,
    /// Why there is no answer about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<UrlErrorJson>,
}

/// Why a URL cannot be read.
#[derive(Clone, Debug, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct UrlErrorJson {
    /// A code of the contract.
    pub code: &'static str,
    /// What is wrong, and what to do.
    pub message: String,
}

#[derive(Debug, Serialize)]
struct TableRobotJson {
    name: String,
    known: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    operator: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documented: Vec<String>,
}

#[derive(Debug, Serialize)]
struct CellAnswerJson {
    #[serde(flatten)]
    first: ProfileAnswerJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    differs: Option<ProfileAnswerJson>,
}

#[derive(Debug, Serialize)]
struct ProfileAnswerJson {
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

impl<'a> TableJson<'a> {
    /// The table of the answers about `usage` for `robots`, whose policies are those beside them.
    /// `urls` are all that were asked about; the table has rows for those without an error.
    #[must_use]
    pub fn new(
        profiles: &[Profile],
        usage: Usage,
        robots: impl Iterator<Item = (&'a Robot, &'a TableRobot)>,
        urls: &'a [UrlJson<'a>],
        table: &'a Table,
    ) -> Self {
        let mut rows = table.rows.iter().map(Vec::as_slice);
        let cells = urls.iter().map(|url| match url.error {
            None => rows.next(),
            Some(_) => None,
        });
        Self {
            schema: SCHEMA,
            profiles: profiles.iter().map(|profile| profile.name()).collect(),
            usage: usage.name(),
            robots: robots
                .map(|(robot, in_table)| TableRobotJson::new(robot, in_table))
                .collect(),
            urls,
            answers: table.answers.iter().map(CellAnswerJson::new).collect(),
            cells: cells.collect(),
        }
    }
}

impl TableRobotJson {
    fn new(robot: &Robot, in_table: &TableRobot) -> Self {
        let robot = robot.in_file(in_table.policy());
        let name = robot.name();
        let known = abide_known_robots::named(&name);
        Self {
            name,
            known: known.is_some(),
            operator: known.map(|known| known.operator),
            documented: robot
                .identified()
                .into_iter()
                .chain(robot.applied(in_table.policy()))
                .collect(),
        }
    }
}

impl CellAnswerJson {
    fn new(answer: &CellAnswer) -> Self {
        Self {
            first: ProfileAnswerJson::new(&answer.first),
            differs: answer.other.as_ref().map(ProfileAnswerJson::new),
        }
    }
}

impl ProfileAnswerJson {
    fn new(brief: &ProfileAnswer) -> Self {
        Self {
            outcome: brief.outcome.name(),
            line: brief.line,
            source: brief.source.map(Source::name),
            reason: brief.reason.map(Reason::name),
        }
    }
}
