//! `home-page-closed`: robots that matter may not crawl the home page, whatever else they may.

use super::site_closed::{closing_line, decided_by, is_said_already};
use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide_analysis::words::enumerated;
use abide_known_robots::{KnownRobot, Robot};
use std::collections::BTreeMap;

pub(crate) static RULE: Rule = Rule::new(
    "home-page-closed",
    Severity::Warning,
    include_str!("home_page_closed.md"),
    RuleCheck::File(check),
)
.or(Severity::Info);

/// How many robots a finding names.
const MAX_NAMES: usize = 4;

/// For whom a line closes the home page.
#[derive(Default)]
struct ClosedTo {
    names: Vec<String>,
    matters: bool,
    /// Whether one of them is a robot of a search engine.
    searches: bool,
}

fn check(file: &File<'_>, found: &mut Findings) {
    if file.context.allow_closed || file.rules.is_empty() {
        return;
    }
    let others = "every robot without its own group";
    let mut by_line: BTreeMap<u32, ClosedTo> = BTreeMap::new();
    let unnamed = closed_by(file, &Robot::unnamed());
    if let Some(line) = unnamed {
        let closed = by_line.entry(line).or_default();
        closed.names.push(others.into());
        closed.searches = true;
    }
    for robot in file.context.mattering_robots() {
        let Some(line) = closed_by(file, &robot) else {
            continue;
        };
        let closed = by_line.entry(line).or_default();
        closed.matters = true;
        closed.searches |= robot.row().is_some_and(KnownRobot::searches);
        if unnamed != Some(line) {
            closed.names.push(robot.to_string());
        }
    }
    for (number, closed) in by_line {
        let Some(line) = file.line(number) else {
            continue;
        };
        let who = enumerated(&closed.names, MAX_NAMES);
        let so = if closed.searches {
            ", so search engines may drop it"
        } else {
            ""
        };
        let message = format!("the home page is closed to {who}{so}");
        // Whoever lets in the robots that matter has decided about the others.
        let severity = if closed.matters {
            Severity::Warning
        } else {
            Severity::Info
        };
        let place = found.say(Some(number), File::statement(line), message);
        place.severity(severity);
    }
}

/// The line that closes the home page to a robot, unless `site-closed` or `groups-run-together`
/// says that it closes the whole site.
fn closed_by(file: &File<'_>, robot: &Robot) -> Option<u32> {
    let policy = file.policy_of(robot)?;
    if policy.allows("/") {
        return None;
    }
    let line = decided_by(&policy)?;
    let is_said = is_said_already(file, line) || closing_line(file, robot).is_some();
    (!is_said).then_some(line)
}
