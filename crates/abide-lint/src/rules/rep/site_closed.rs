//! `site-closed`: robots may not crawl anything.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::syntax::Addressee;
use abide::{Policy, Severity, Target};
use abide_analysis::Bound;
use abide_analysis::compare::{AccessSurvey, Openness};
use abide_analysis::words::enumerated_all;
use abide_known_robots::Robot;
use std::collections::BTreeMap;

pub(crate) static RULE: Rule = Rule::new(
    "site-closed",
    Severity::Warning,
    include_str!("site_closed.md"),
    RuleCheck::File(check),
)
.or(Severity::Info);

/// Paths that are tried first: if one is allowed, the site is not closed.
const SAMPLE: [&str; 4] = ["/", "/index.html", "/a/b", "/a?b=c"];

/// How many robots of a file are asked about.
const MAX_NAMED: usize = 32;

/// A robot that may crawl nothing.
struct ClosedRobot {
    name: String,
    matters: bool,
}

fn check(file: &File<'_>, found: &mut Findings) {
    if file.context.allow_closed || file.rules.is_empty() {
        return;
    }
    // By the line that closes the site: for whom.
    let mut closed: BTreeMap<u32, Vec<ClosedRobot>> = BTreeMap::new();
    let mut has_open = false;
    for robot in searching(file) {
        match closing_line(file, &robot) {
            Some(line) => closed.entry(line).or_default().push(ClosedRobot {
                name: robot.to_string(),
                matters: file.context.matters(&robot),
            }),
            None => has_open |= is_let_in(file, &robot),
        }
    }
    let line = closing_line(file, &Robot::unnamed());
    let is_chosen = line.is_some() && is_chosen(file);
    if let Some(line) = line.filter(|line| !is_said_already(file, *line)) {
        let also = closed.remove(&line).unwrap_or_default();
        let names: Vec<_> = also.iter().map(|one| one.name.as_str()).collect();
        let who = match names.as_slice() {
            [] => "every robot without its own group".to_owned(),
            also => format!(
                "every robot without its own group, and to {}",
                also.join(", ")
            ),
        };
        // A list of search robots that may crawl is a decision. A site that is closed to all of
        // them, or to those that matter, is more often a file from a test server.
        let is_out = |robot: &Robot| closing_line(file, robot) == Some(line);
        let mattering = file.context.mattering_robots().filter(is_out);
        let mattering: Vec<String> = mattering.map(|robot| robot.to_string()).collect();
        let matters = !is_chosen && (!has_open || !mattering.is_empty());
        let unnamed = mattering
            .iter()
            .filter(|name| also.iter().all(|one| one.name != **name));
        let unnamed: Vec<_> = unnamed.collect();
        let who = if has_open && !unnamed.is_empty() {
            format!("{who} ({} among them)", enumerated_all(&unnamed))
        } else {
            who
        };
        say(file, found, line, &who, matters);
    }
    for (line, robots) in closed {
        if is_said_already(file, line) {
            continue;
        }
        let names: Vec<_> = robots.iter().map(|one| one.name.as_str()).collect();
        let matters = !is_chosen && robots.iter().any(|one| one.matters);
        say(file, found, line, &names.join(", "), matters);
    }
}

/// Whether the owner has decided who is let in: groups name the robots that matter and close the
/// site to them, while others let robots in.
fn is_chosen(file: &File<'_>) -> bool {
    let named = file.addressees.iter().flatten();
    let named = named.filter_map(|one| match one {
        Addressee::Token(token) => abide_known_robots::named(token).map(Robot::known),
        _ => None,
    });
    let named: Vec<Robot> = named.take(MAX_NAMED).collect();
    let is_closed = |robot: &Robot| closing_line(file, robot).is_some();
    let names_mattering = named
        .iter()
        .any(|robot| file.context.matters(robot) && is_closed(robot));
    names_mattering && named.iter().any(|robot| is_let_in(file, robot))
}

/// Whether `groups-run-together` reports that this line closes the site.
pub(super) fn is_said_already(file: &File<'_>, line: u32) -> bool {
    let line = file.line(line);
    line.is_some_and(|line| file.runs_together(line.group))
}

fn say(file: &File<'_>, found: &mut Findings, number: u32, who: &str, matters: bool) {
    let Some(line) = file.line(number) else {
        return;
    };
    let sitemap = file.robots.sitemaps().next().map(|(line, _)| line.number);
    let though = match sitemap {
        Some(_) => ", although the file lists sitemaps",
        None => "",
    };
    let severity = if matters {
        Severity::Warning
    } else {
        Severity::Info
    };
    let message = format!("the whole site is closed to {who}{though}");
    let place = found.say(Some(number), File::statement(line), message);
    let place = place.severity(severity);
    if let Some(sitemap) = sitemap {
        file.relate(place, sitemap, "a sitemap");
    }
}

/// The line that closes the whole site to a robot.
pub(in crate::rules) fn closing_line(file: &File<'_>, robot: &Robot) -> Option<u32> {
    let policy = file.policy_of(robot)?;
    if SAMPLE.iter().any(|path| policy.allows(path)) {
        return None;
    }
    let access = AccessSurvey::new(file.robots, Bound::default()).access_of(&policy);
    (access.class == Openness::Closed)
        .then(|| decided_by(&policy))
        .flatten()
}

/// Whether a robot may crawl the home page, without which it finds no other page.
fn is_let_in(file: &File<'_>, robot: &Robot) -> bool {
    let policy = file.policy_of(robot);
    policy.is_some_and(|policy| policy.allows("/"))
}

/// The line that decides about the home page.
pub(super) fn decided_by(policy: &Policy) -> Option<u32> {
    let target = Target::new("/").ok()?;
    let decision = policy.decide(&target);
    let decided = decision.usages.crawl().evidence.first()?;
    decided.place.map(|place| place.line)
}

/// The search robots that the file names.
fn searching(file: &File<'_>) -> Vec<Robot> {
    let mut named: Vec<Robot> = Vec::new();
    for addressee in file.addressees.iter().flatten() {
        let Addressee::Token(token) = addressee else {
            continue;
        };
        let known = abide_known_robots::named(token).filter(|known| known.searches());
        let robot = known.map(Robot::known);
        named.extend(robot.filter(|robot| !named.contains(robot)));
    }
    named
}
