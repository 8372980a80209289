//! Answers about many URLs for many robots: one number for each, and what it stands for.

use crate::Versioned;
use abide::{Profile, Usage};
use abide_analysis::table::{CellAnswer, Table, TableRobot};
use abide_known_robots::Robot;
use serde::Serialize;

/// Which robots may have which URLs.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UrlTable<'a> {
    /// The profile of the answers; with two, the second is compared with it.
    profiles: &'a [Profile],
    /// The usage that is answered for.
    usage: Usage,
    /// The columns.
    robots: Vec<TableColumn>,
    /// The rows.
    urls: &'a [TableUrl<'a>],
    /// The different answers of all cells.
    answers: &'a [CellAnswer],
    /// For each URL, and in it for each robot, the place of the answer in `answers`, from 0. Null
    /// for a URL with an error.
    cells: Vec<Option<&'a [u32]>>,
}

/// A URL of a table.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct TableUrl<'a> {
    /// The URL as it was asked about.
    pub url: &'a str,
    /// The URL or path that clients send and that was judged, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requested: Option<String>,
    /// Why there is no answer about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<UrlError>,
}

/// Why a URL cannot be read.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct UrlError {
    /// A code of the contract, such as `invalid-url`.
    pub code: &'static str,
    /// What is wrong, and what to do.
    pub message: String,
}

/// A robot of a table.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TableColumn {
    /// The name of the robot, or `*` for every robot that the file does not name.
    name: String,
    /// Whether the table of known robots has it.
    known: bool,
    /// Who operates it, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    operator: Option<&'static str>,
    /// What operators document about the robot and matters here, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documented: Vec<String>,
}

impl<'a> UrlTable<'a> {
    /// The table of the answers about `usage` for `robots`, whose policies are those beside them.
    /// `urls` are all that were asked about; the table has rows for those without an error.
    #[must_use]
    pub fn new(
        profiles: &'a [Profile],
        usage: Usage,
        robots: impl Iterator<Item = (&'a Robot, &'a TableRobot)>,
        urls: &'a [TableUrl<'a>],
        table: &'a Table,
    ) -> Versioned<Self> {
        let mut rows = table.rows.iter().map(Vec::as_slice);
        let cells = urls.iter().map(|url| match url.error {
            None => rows.next(),
            Some(_) => None,
        });
        Versioned::new(Self {
            profiles,
            usage,
            robots: robots
                .map(|(robot, in_table)| TableColumn::new(robot, in_table))
                .collect(),
            urls,
            answers: &table.answers,
            cells: cells.collect(),
        })
    }
}

impl TableColumn {
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
