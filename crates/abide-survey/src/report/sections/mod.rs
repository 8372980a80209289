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

use super::document::{Color, Part, ReportColumn, Section, sites_in};
use super::numbers::{CaptureState, Coverage, Numbers, Place, RobotCount};
use super::sites::Sites;
use abide_analysis::compare::prominence;
use abide_analysis::words::{Phrase, counted, grouped};

pub(super) use summary::summary;

/// A part of the bars of a chart: its name, its color, and how many sites of a bar it has.
type BarPart<T> = (&'static str, Color, fn(&T) -> Sites);

/// The columns of some parts, and how a chart draws them; `first` is the number of the first
/// of these columns.
fn part_columns<T>(parts: &[BarPart<T>], first: usize) -> (Vec<ReportColumn>, Vec<Part>) {
    let columns = parts.iter().map(|(name, _, _)| ReportColumn::part(name));
    let parts = parts.iter().enumerate().map(|(at, (_, color, _))| Part {
        column: first + at,
        color: *color,
    });
    (columns.collect(), parts.collect())
}

/// The parts that have sites in any of the counts.
fn present<'t, T: 't>(
    parts: &[BarPart<T>],
    counts: impl Iterator<Item = &'t T>,
) -> Vec<BarPart<T>> {
    let counts: Vec<&T> = counts.collect();
    let is_there = |part: &&BarPart<T>| counts.iter().any(|count| !part.2(count).is_none());
    parts.iter().filter(is_there).copied().collect()
}

/// What a survey covers.
pub(super) fn about(numbers: &Numbers) -> Phrase {
    let coverage = &numbers.coverage;
    let captures = counted(coverage.captures, "capture", "captures");
    let sites = sites_in(coverage.sites, "site", "sites");
    let made = match made(coverage) {
        made if made.is_empty() => ", without dates".to_owned(),
        made => format!(", made {made}"),
    };
    let weighted = numbers
        .weights
        .as_ref()
        .map_or_else(String::new, |weights| {
            format!(" Shares are of weights: {}.", weights.sentence())
        });
    Phrase::of(format!("{captures} of {sites}{made}.{weighted}"))
}

/// When the captures were made: `from 2026-01-05 to 2026-03-03`; empty without dates.
fn made(coverage: &Coverage) -> String {
    days(coverage, ["on ", "from ", " to "])
}

/// When the captures were made, as ISO 8601 writes an interval; empty without dates.
pub(super) fn captured(coverage: &Coverage) -> String {
    days(coverage, ["", "", "/"])
}

/// The first and last day of the captures, after and between these words; empty without dates.
fn days(coverage: &Coverage, [on, from, to]: [&str; 3]) -> String {
    match (&coverage.first_day, &coverage.last_day) {
        (Some(first), Some(last)) if first == last => format!("{on}{first}"),
        (Some(first), Some(last)) => format!("{from}{first}{to}{last}"),
        _ => String::new(),
    }
}

/// Which captures count, after the number of sites.
fn by_last_capture(coverage: &Coverage) -> String {
    match made(coverage) {
        made if made.is_empty() => "by the last capture of each, without dates".to_owned(),
        made => format!("by the last capture of each, {made}"),
    }
}

/// What closed means, and which sites are not counted, in one sentence.
fn left_out(numbers: &Numbers) -> String {
    let states = numbers.states.iter();
    let mut unreachable = states.filter(|state| state.state == CaptureState::Unreachable);
    let unreachable = unreachable.next().map_or(0, |state| state.sites.number());
    let coverage = &numbers.coverage;
    let all = (coverage.sites - coverage.answered).number();
    match (unreachable, all - unreachable) {
        (0, 0) => "Closed means closed by a rule.".to_owned(),
        (unreachable, others) => format!(
            "Closed means closed by a rule: sites are left out that are unreachable ({}) or give no answer for another reason ({}).",
            grouped(unreachable),
            grouped(others)
        ),
    }
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
        left_out if left_out.is_none() => sites_in(coverage.answered, "site", "sites"),
        left_out => format!(
            "{}; {} left out",
            that_answer(coverage),
            grouped(left_out.number())
        ),
    }
}

/// The sites that answer what robots may do, in words.
fn that_answer(coverage: &Coverage) -> String {
    let answer = match coverage.answered.number() {
        1 => "answers",
        _ => "answer",
    };
    format!(
        "{} that {answer}",
        sites_in(coverage.answered, "site", "sites")
    )
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

/// How soon a chart shows a robot that has no room for all: those that the survey names, then `*`,
/// then those that people look for.
fn rank(robot: &RobotCount) -> (Place, usize) {
    let (prominence, _) = prominence(&robot.robot);
    (robot.place, prominence)
}

/// A robot as it is shown: `*` is every robot that files do not name.
fn robot_name(robot: &str) -> String {
    match robot {
        "*" => "every other robot (*)".to_owned(),
        name => abide::explain::visible(name.as_bytes()),
    }
}
