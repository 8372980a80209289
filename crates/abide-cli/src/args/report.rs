//! The arguments of `abide report`.

use super::named::{Meanings, name_in};
use crate::file_arg::FileArg;
use clap::{Args, ValueEnum};

/// Write a report about a survey: one page with charts, and a table for each chart.
///
/// The page shows which robots the sites of a survey let crawl, by robot and by kind, and how that
/// changed; what sites ask about AI; which robots files name; what is wrong with files, and how
/// large they are. It is one file that loads nothing, for screen and paper. Each site counts once,
/// with its last capture; over time, once in each period.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide report survey/ -o report.html\n  \
        abide report survey/ -o report.html --title 'News sites, 2026' --period quarter\n  \
        abide report survey/ -o report.html --panel balanced --weights traffic.csv\n  \
        abide report survey/ --charts charts/\n  \
        abide report survey/ --format markdown\n  \
        abide report survey/ --format json > numbers.json\n\n\
        Exit status: 0 written, 2 invalid arguments, a folder that is no survey, or an I/O error.")]
pub(crate) struct ReportArgs {
    /// Folder with the tables that abide survey wrote, as Parquet, CSV or JSON Lines. The table
    /// files is required; robots, groups, findings and errors are optional
    #[arg(value_name = "DIR")]
    pub(crate) folder: FileArg,

    /// File to write [default: stdout]
    #[arg(
        long = "output",
        alias = "output-file",
        short = 'o',
        value_name = "FILE"
    )]
    pub(crate) output_file: Option<FileArg>,

    /// Output format [default: by the extension of the output file, otherwise html]
    #[arg(long, value_enum)]
    pub(crate) format: Option<PageFormat>,

    /// Length of a period [default: month, quarter or year, depending on the time that the survey
    /// covers]
    #[arg(long, value_parser = name_in(PERIODS))]
    pub(crate) period: Option<&'static str>,

    /// Folder to write each chart into, as SVG and its numbers as CSV. Without --output and
    /// --format, nothing else is written
    #[arg(long, value_name = "FOLDER")]
    pub(crate) charts: Option<FileArg>,

    /// Sites that count over time
    #[arg(long, default_value = "all", value_parser = name_in(PANELS))]
    pub(crate) panel: &'static str,

    /// CSV file with the columns host and weight. Shares are then of weights; a site that it does
    /// not have weighs 0
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<FileArg>,

    /// Title of the report [default: "What N sites ask of robots"]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PageFormat {
    /// One page with charts
    Html,
    /// Tables for a wiki
    Markdown,
    /// One object, as schema/report.json describes it
    Json,
}

/// The lengths of periods.
const PERIODS: Meanings = &[
    ("day", "Days, UTC"),
    ("week", "Weeks from Monday"),
    ("month", "Months"),
    ("quarter", "Three months each"),
    ("year", "Years"),
];

/// The sites that count over time.
const PANELS: Meanings = &[
    ("all", "In each period the sites that answer in it"),
    (
        "balanced",
        "Only sites that answer in every period, so that a change is not one of the sample",
    ),
];

#[cfg(all(test, feature = "survey"))]
mod tests {
    use super::*;
    use abide::Named;
    use abide_survey::report::{Panel, Period};

    #[test]
    fn names_are_those_of_reports() {
        let names = |meanings: Meanings| meanings.iter().map(|(name, _)| *name);
        assert!(names(PERIODS).eq(Period::names()));
        assert!(names(PANELS).eq(Panel::names()));
    }
}
