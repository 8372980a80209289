//! Which robots may crawl a site, as JSON. `schema/matrix.json` describes it; the order of fields
//! is stable.

use crate::explain::PreferenceAnswer;
use crate::room::Room;
use abide::Profile;
use abide_lint::matrix::{DecidingLine, Matrix, Row, Section};
use serde::Serialize;
use std::borrow::Cow;

/// Version of the format: the value of the `schema` member.
pub const SCHEMA: u32 = 1;

/// A matrix, with fields in the order of the schema.
#[derive(Debug, Serialize)]
pub struct MatrixJson<'a> {
    schema: u32,
    file: &'a str,
    profile: &'static str,
    literal: bool,
    proven: bool,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<usize>,
    kinds: Vec<KindJson<'a>>,
}

impl<'a> MatrixJson<'a> {
    /// The matrix of the file named `file`.
    #[must_use]
    pub fn new(file: &'a str, profile: Profile, literal: bool, matrix: &'a Matrix) -> Self {
        let mut space = matrix.file_bytes.map(Space::for_bytes);
        let kinds = matrix.sections.iter();
        let kinds = kinds.map(|section| KindJson::new(section, space.as_mut()));
        let kinds = kinds.collect();
        let left_out = matrix.left_out + space.map_or(0, |space| space.left_out);
        Self {
            schema: SCHEMA,
            file,
            profile: match profile {
                Profile::Google => "google",
                _ => "careful",
            },
            literal,
            proven: matrix.is_proven(),
            notes: &matrix.notes,
            left_out: (left_out > 0).then_some(left_out),
            kinds,
        }
    }
}

/// The space for robots that nobody asked for by name.
struct Space {
    /// For the robots that the table does not have.
    robots: Room,
    exceptions: Room,
    /// How many robots there was no room for.
    left_out: usize,
}

impl Space {
    fn for_bytes(bytes: usize) -> Self {
        let mut robots = Room::for_bytes(bytes);
        Self {
            // They are indented further than is counted.
            exceptions: robots.half().half(),
            robots,
            left_out: 0,
        }
    }

    /// Takes the space of a robot, or counts it as left out.
    fn has(&mut self, robot: &MatrixRobotJson<'_>) -> bool {
        let is_there = self.robots.take(robot);
        self.left_out += usize::from(!is_there);
        is_there
    }
}

#[derive(Debug, Serialize)]
struct KindJson<'a> {
    kind: &'static str,
    summary: String,
    note: Option<&'static str>,
    counts: CountsJson,
    robots: Vec<MatrixRobotJson<'a>>,
}

#[derive(Debug, Serialize)]
struct CountsJson {
    allowed: usize,
    partly: usize,
    closed: usize,
    not_following: usize,
}

impl<'a> KindJson<'a> {
    fn new(section: &'a Section, mut space: Option<&mut Space>) -> Self {
        let counts = section.counts();
        let note = section.category.note();
        let mut robots = Vec::new();
        for row in &section.rows {
            let exceptions = space.as_deref_mut().map(|space| &mut space.exceptions);
            let robot = MatrixRobotJson::new(row, exceptions);
            let space = space.as_deref_mut().filter(|_| row.known.is_none());
            if space.is_none_or(|space| space.has(&robot)) {
                robots.push(robot);
            }
        }
        Self {
            kind: section.category.name(),
            summary: section.summary(),
            note: (!note.is_empty()).then_some(note),
            counts: CountsJson {
                allowed: counts.allowed,
                partly: counts.partly,
                closed: counts.closed,
                not_following: counts.not_following,
            },
            robots,
        }
    }
}

#[derive(Debug, Serialize)]
struct MatrixRobotJson<'a> {
    name: &'a str,
    known: bool,
    operator: Option<&'static str>,
    purposes: Vec<&'static str>,
    access: &'static str,
    proven: bool,
    follows_robots_txt: Option<bool>,
    decided_by: Option<DecidingLineJson<'a>>,
    exception: Option<ExceptionJson<'a>>,
    exceptions: usize,
    documented: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    preferences: Vec<PreferenceAnswer>,
}

#[derive(Debug, Serialize)]
struct DecidingLineJson<'a> {
    line: u32,
    statement: Cow<'a, str>,
}

#[derive(Debug, Serialize)]
struct ExceptionJson<'a> {
    path: &'a str,
    decided_by: Option<DecidingLineJson<'a>>,
}

impl<'a> MatrixRobotJson<'a> {
    fn new(row: &'a Row, mut exceptions: Option<&mut Room>) -> Self {
        let purposes = row.known.map_or(&[][..], |known| known.purposes);
        Self {
            name: &row.name,
            known: row.known.is_some(),
            operator: row.known.map(|known| known.operator),
            purposes: purposes.iter().map(|purpose| purpose.name()).collect(),
            access: row.answer_name(),
            proven: row.is_proven,
            follows_robots_txt: row.follows_robots_txt,
            decided_by: row.line.as_ref().map(line),
            exception: row.exception.as_ref().map(|(path, other)| ExceptionJson {
                path,
                decided_by: other.as_ref().map(line),
            }),
            exceptions: row.exceptions,
            documented: &row.applied,
            preferences: row
                .preferences
                .iter()
                .map(|answer| PreferenceAnswer::of_many(answer, exceptions.as_deref_mut()))
                .collect(),
        }
    }
}

fn line(line: &DecidingLine) -> DecidingLineJson<'_> {
    DecidingLineJson {
        line: line.number,
        statement: String::from_utf8_lossy(&line.statement),
    }
}
