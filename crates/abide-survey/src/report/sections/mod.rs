//! The parts of a report.

mod files;
mod findings;
mod kinds;
mod method;
mod names;
mod over_time;
mod preferences;
mod robots;
mod summary;

use super::document::{Color, Section};
use super::numbers::{Coverage, Numbers, RobotCount};
use abide_analysis::compare::prominence;
use abide_analysis::words::{Phrase, counted, grouped};

pub(super) use summary::summary;

/// A part of the bars of a chart: its name, its color, and how many sites of a bar it has.
type BarPart<T> = (&'static str, Color, fn(&T) -> u64);

/// What a survey covers.
pub(super) fn about(coverage: &Coverage) -> Phrase {
    let captures = counted(coverage.captures, "capture", "captures");
    let sites = counted(coverage.sites, "site", "sites");
    let dates = match (&coverage.first_day, &coverage.last_day) {
        (Some(first), Some(last)) if first == last => format!(", made on {first}"),
        (Some(first), Some(last)) => format!(", made from {first} to {last}"),
        _ => ", without dates".to_owned(),
    };
    Phrase::of(format!("{captures} of {sites}{dates}."))
}

/// All parts, in order.
pub(super) fn all(numbers: &Numbers) -> Vec<Section> {
    vec![
        files::coverage(numbers),
        robots::section(numbers),
        kinds::section(numbers),
        over_time::section(numbers),
        preferences::section(numbers),
        names::section(numbers),
        findings::section(numbers),
        files::sizes(numbers),
        findings::errors(numbers),
        method::section(numbers),
    ]
}

/// How to get a table that is missing.
fn missing(table: &str) -> Phrase {
    Phrase::of(format!(
        "The survey has no table {table}. To add it, run abide survey again with {table} among its --tables."
    ))
}

/// The sites that shares are about, in words.
fn answering(coverage: &Coverage) -> String {
    match coverage.sites - coverage.answered {
        0 => counted(coverage.answered, "site", "sites"),
        left_out => format!(
            "{}; {} left out",
            counted(coverage.answered, "site that answers", "sites that answer"),
            grouped(left_out)
        ),
    }
}

/// The title of a kind of robot.
fn kind_title(kind: Option<&str>) -> Phrase {
    let Some(name) = kind else {
        return Phrase::of("robots that the table of known robots does not have");
    };
    let mut categories = abide_analysis::matrix::Category::all();
    match categories.find(|category| category.name() == name) {
        Some(abide_analysis::matrix::Category::EveryOther) => Phrase::of("every other robot (*)"),
        Some(abide_analysis::matrix::Category::Unknown) => kind_title(None),
        Some(category) => Phrase::of(category.title()),
        None => Phrase::default().name(name),
    }
}

/// How soon a chart shows a robot that has no room for all: those that people look for, and those
/// that the survey names first.
fn rank(robot: &RobotCount) -> (usize, usize) {
    let (prominence, _) = prominence(&robot.robot);
    let prominence = if robot.robot == "*" { 0 } else { prominence };
    (prominence.min(robot.place), robot.place)
}

/// A robot as it is shown: `*` is every robot that files do not name.
fn robot_name(robot: &str) -> String {
    match robot {
        "*" => "every other robot (*)".to_owned(),
        name => abide::explain::visible(name.as_bytes()),
    }
}
