//! Which robots may crawl a site.

use crate::Versioned;
use crate::explain::PreferenceAnswer;
use crate::room::Room;
use abide::Profile;
use abide_analysis::matrix::{Category, Counts, Matrix, Row, Section};
use abide_analysis::words::Phrase;
use serde::Serialize;

/// Which robots may crawl a site.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileMatrix<'a> {
    /// The robots.txt, as it was named.
    file: &'a str,
    /// How the file is read.
    profile: Profile,
    /// Whether documented behaviour of robots is left out.
    literal: bool,
    /// Whether every answer is proven for every path.
    proven: bool,
    /// What differs for robots that read the file in another way, in sentences.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'a [Phrase],
    /// How many further robots the file names. Of those that the table of known robots does not
    /// have, as many are here as twenty times the bytes of the file have room for, and at most
    /// 2,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<usize>,
    /// Kinds of robots, each with at least one.
    kinds: Vec<MatrixKind<'a>>,
}

impl<'a> FileMatrix<'a> {
    /// The matrix of the file named `file`.
    #[must_use]
    pub fn new(
        file: &'a str,
        profile: Profile,
        literal: bool,
        matrix: &'a Matrix,
    ) -> Versioned<Self> {
        let mut space = matrix.file_bytes.map(Space::for_bytes);
        let kinds = matrix.sections.iter();
        let kinds = kinds.map(|section| MatrixKind::new(section, space.as_mut()));
        let kinds = kinds.collect();
        let left_out = matrix.left_out + space.map_or(0, |space| space.left_out);
        Versioned::new(Self {
            file,
            profile,
            literal,
            proven: matrix.is_proven(),
            notes: &matrix.notes,
            left_out: (left_out > 0).then_some(left_out),
            kinds,
        })
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
    fn has(&mut self, robot: &MatrixRobot<'_>) -> bool {
        let is_there = self.robots.take(robot);
        self.left_out += usize::from(!is_there);
        is_there
    }
}

/// Robots of one kind.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MatrixKind<'a> {
    kind: Category,
    /// One sentence about all robots of the kind.
    summary: Phrase,
    /// What people have to know about the kind.
    note: Option<&'static str>,
    /// How many robots get each answer.
    counts: Counts,
    robots: Vec<MatrixRobot<'a>>,
}

impl<'a> MatrixKind<'a> {
    fn new(section: &'a Section, mut space: Option<&mut Space>) -> Self {
        let note = section.category.note();
        let mut robots = Vec::new();
        for row in &section.rows {
            let exceptions = space.as_deref_mut().map(|space| &mut space.exceptions);
            let robot = MatrixRobot::new(row, exceptions);
            let space = space.as_deref_mut().filter(|_| !row.known);
            if space.is_none_or(|space| space.has(&robot)) {
                robots.push(robot);
            }
        }
        Self {
            kind: section.category,
            summary: section.summary(),
            note: (!note.is_empty()).then_some(note),
            counts: section.counts(),
            robots,
        }
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MatrixRobot<'a> {
    #[serde(flatten)]
    row: &'a Row,
    /// What robots.txt, and the documents of --tdmrep and --rsl, ask about training, AI input and
    /// search on most paths. Absent unless the file states a preference or names a control token,
    /// or an option about AI preferences is given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    preferences: Vec<PreferenceAnswer>,
}

impl<'a> MatrixRobot<'a> {
    fn new(row: &'a Row, mut exceptions: Option<&mut Room>) -> Self {
        let preferences = row.preferences.iter();
        let preferences = preferences
            .map(|answer| PreferenceAnswer::of_many(answer, exceptions.as_deref_mut()))
            .collect();
        Self { row, preferences }
    }
}
