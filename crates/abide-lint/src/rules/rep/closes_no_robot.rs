//! `closes-no-robot`: a site is closed to a robot that is gone, does not follow robots.txt or
//! fetches for people, and open to the others of its operator.

use crate::crawlers;
use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::Addressee;
use abide_analysis::words::enumerated;
use abide_known_robots::{Kind, KnownRobot, Robot};
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule::new(
    "closes-no-robot",
    Severity::Warning,
    include_str!("closes_no_robot.md"),
    RuleCheck::File(check),
)
.or(Severity::Info);

/// How many robots of a file are asked about.
const MAX_ROBOTS: usize = 64;
/// How many robots are named in a sentence.
const MAX_NAMES: usize = 4;

fn check(file: &File<'_>, found: &mut Findings) {
    let lines = file.robots.lines().iter();
    let named = lines.filter_map(|line| match file.robots.addressee(line) {
        Some(Addressee::Token(token)) => Some((line, abide_known_robots::named(token)?)),
        _ => None,
    });
    let mut seen = BTreeSet::new();
    let named = named
        .filter(|(_, robot)| seen.insert(robot.token))
        .take(MAX_ROBOTS);
    // One finding for each set of robots that stay outside the rules.
    let mut reported: BTreeSet<Vec<&str>> = BTreeSet::new();
    for (line, robot) in named {
        let others = others(robot);
        let is_open = |other: &&&str| !is_closed(file, other);
        let open: Vec<&str> = others.iter().filter(is_open).copied().collect();
        // Whoever closes the site to one of the others has chosen.
        if others.is_empty() || open.len() < others.len() || !is_closed(file, robot.token) {
            continue;
        }
        let training = crawlers::training(robot.operator);
        let write: Vec<&str> = training.iter().filter(is_open).copied().collect();
        // Whoever has said no to training has done what the finding would advise.
        if write.is_empty() && !training.is_empty() {
            continue;
        }
        if reported.insert(open.clone()) {
            let message = message(robot, &open, &write);
            let place = found.say(Some(line.number), line.span, message);
            place.severity(severity(robot));
        }
    }
}

/// What closing the site to `robot` does not do; `write` are the tokens against training that the
/// file lacks.
fn message(robot: &KnownRobot, open: &[&str], write: &[&str]) -> String {
    let (token, operator) = (robot.token, robot.operator);
    let why = if robot.is_legacy() {
        format!("blocks nobody, because {operator} does not list it any more")
    } else if robot.follows_robots_txt == Some(false) {
        "does not follow robots.txt".to_owned()
    } else {
        "only fetches pages for people who ask for them".to_owned()
    };
    let follows = |token: &&&str| {
        let robot = abide_known_robots::named(token);
        robot.is_none_or(|robot| robot.follows_robots_txt != Some(false))
    };
    let others: Vec<&str> = open.iter().filter(follows).copied().collect();
    if others.is_empty() {
        let verb = if open.len() == 1 { "does" } else { "do" };
        let instead = enumerated(open, MAX_NAMES);
        return format!(
            "{token} {why}; {instead}, which {operator} has instead, {verb} not follow robots.txt"
        );
    }
    let others = enumerated(&others, MAX_NAMES);
    let write = if write.is_empty() {
        "write a User-agent line for each that you mean".to_owned()
    } else {
        let lines = crawlers::lines_for(write, MAX_NAMES);
        format!("against AI training, write {lines}")
    };
    format!("{token} {why}; this does not block {others} of {operator}; {write}")
}

/// A robot that fetches for people and follows robots.txt may be the one that is meant.
fn severity(robot: &KnownRobot) -> Severity {
    if robot.is_legacy() || robot.follows_robots_txt == Some(false) {
        Severity::Warning
    } else {
        Severity::Info
    }
}

/// The robots that are probably meant by a name that closes the site to nobody; none for a name
/// that works.
fn others(robot: &KnownRobot) -> Vec<&'static str> {
    if robot.is_legacy() {
        return robot.replaced_by.to_vec();
    }
    if robot.follows_robots_txt != Some(false) {
        return if robot.kind == Kind::UserTriggered && is_about_ai(robot) {
            crawlers::training(robot.operator)
        } else {
            Vec::new()
        };
    }
    let all = abide_known_robots::all().iter();
    let theirs = all.filter(|other| {
        let is_sibling = other.operator == robot.operator && other.kind == Kind::Robot;
        is_sibling && other.follows_robots_txt == Some(true) && is_about_ai(other)
    });
    let is_about_ai = is_about_ai(robot);
    theirs
        .filter(|_| is_about_ai)
        .map(|other| other.token)
        .collect()
}

/// Whether a robot is for AI: owners close sites to such robots because of training.
fn is_about_ai(robot: &KnownRobot) -> bool {
    use abide_known_robots::Purpose::{AiInput, AiTraining};
    robot.is_for(AiTraining) || robot.is_for(AiInput)
}

fn is_closed(file: &File<'_>, token: &str) -> bool {
    let robot = abide_known_robots::named(token).map(Robot::known);
    let policy = robot.and_then(|robot| file.policy_of(&robot));
    policy.is_some_and(|policy| !policy.allows("/"))
}
