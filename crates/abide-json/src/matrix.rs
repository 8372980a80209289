//! Which robots may crawl a site, as JSON. `schema/matrix.json` describes it; the order of fields
//! is stable.

use crate::explain::PreferenceJson;
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
            left_out: (matrix.left_out > 0).then_some(matrix.left_out),
            kinds: matrix.sections.iter().map(KindJson::new).collect(),
        }
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
    fn new(section: &'a Section) -> Self {
        let counts = section.counts();
        let note = section.category.note();
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
            robots: section.rows.iter().map(MatrixRobotJson::new).collect(),
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
    preferences: Vec<PreferenceJson>,
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
    fn new(row: &'a Row) -> Self {
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
                .map(PreferenceJson::of_many)
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
