//! What keeps a report from being written.

use abide::explain::{visible, visible_path};
use std::io;
use std::path::PathBuf;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The folder cannot be read.
    #[error("{}: the folder cannot be read", visible_path(.path))]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder has no table of a survey.
    #[error(
        "{}: there are no tables of a survey; abide survey INPUT -o {} writes them",
        visible_path(.path), visible_path(.path)
    )]
    NoTables {
        /// The folder.
        path: PathBuf,
    },
    /// The table that all counts rest on is missing.
    #[error(
        "{}: the table files is missing, which lists the captures; run abide survey again with files among its --tables",
        visible_path(.path)
    )]
    NoFiles {
        /// The folder.
        path: PathBuf,
    },
    /// A table is there in two formats.
    #[error("{}: it has both {first} and {second}; remove the files that are out of date", visible_path(.path))]
    Twice {
        /// The folder of the table.
        path: PathBuf,
        /// One file.
        first: String,
        /// The other file.
        second: String,
    },
    /// A table cannot be read.
    #[error("{}: {message}", visible_path(.path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        message: String,
    },
    /// A file is not a table of a survey.
    #[error(
        "{}: this is not a table that abide survey wrote, because {why}; name the folder of a survey",
        visible_path(.path)
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
    /// A table has a version of the schema that this version of abide does not read.
    #[error(
        "{}: the table has version {} of the schema, and this abide reads version {}; use the abide that wrote it, or survey again",
        visible_path(.path), visible(.found.as_bytes()), crate::schema::VERSION
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: String,
    },
    /// A cell does not hold what its column has.
    #[error("{}, {place}: expected {expected} in the column {column}, found {found}", visible_path(.path))]
    Cell {
        /// The file.
        path: PathBuf,
        /// The line, or the row.
        place: String,
        /// The column.
        column: &'static str,
        /// What the column has.
        expected: &'static str,
        /// What the cell has, safe to print.
        found: String,
    },
    /// The rows of a capture are not together.
    #[error(
        "{}, {place}: other rows of this capture come before, with rows of other captures between; sort the table by the column capture",
        visible_path(.path)
    )]
    Apart {
        /// The file.
        path: PathBuf,
        /// The line, or the row.
        place: String,
    },
    /// A table has more different values than the report counts.
    #[error("{}: there are more than {most} {what}; survey fewer, or select rows", visible_path(.path))]
    TooMany {
        /// The file.
        path: PathBuf,
        /// What there is too much of.
        what: &'static str,
        /// The largest number.
        most: usize,
    },
    /// The captures lie in too many periods.
    #[error("the captures cover more than {most} periods of one {period}; choose a longer period")]
    TooManyPeriods {
        /// The period.
        period: &'static str,
        /// The largest number.
        most: usize,
    },
    /// The file of weights cannot be read.
    #[error("{}: the weights cannot be read", visible_path(.path))]
    WeightsFile {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A line of the file of weights is wrong.
    #[error("{}, line {line}, column {column}: {mistake}", visible_path(.path))]
    Weights {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// The column.
        column: &'static str,
        /// What is wrong, and what to do.
        mistake: String,
    },
    /// No site has a weight.
    #[error(
        "{}: none of its hosts is in the survey; write them as in the column host of the table files, such as www.example.com",
        visible_path(.path)
    )]
    NoWeights {
        /// The file of weights.
        path: PathBuf,
    },
    /// The page cannot be written.
    #[error("the page cannot be written: {0}")]
    Page(String),
}
