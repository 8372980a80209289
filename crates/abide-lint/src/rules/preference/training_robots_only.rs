//! `training-robots-only`: one robot that trains models may not crawl, and others may.

use crate::crawlers;
use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::Addressee;
use abide_analysis::compare::prominence;
use abide_analysis::preferences::has_lines;
use abide_analysis::words::enumerated;
use abide_known_robots::{Kind, KnownRobot, Purpose, Robot};

pub(crate) static RULE: Rule = Rule::new(
    "training-robots-only",
    Severity::Info,
    include_str!("training_robots_only.md"),
    RuleCheck::File(check),
);

/// How many robots of a file are asked about.
const MAX_ROBOTS: usize = 16;
/// How many names are in a sentence.
const MAX_NAMES: usize = 4;

fn check(file: &File<'_>, found: &mut Findings) {
    if has_lines(file.robots) || named(file, is_control_token).next().is_some() {
        return;
    }
    let is_disallowed = |token: &&str| {
        let robot = abide_known_robots::named(token).map(Robot::known);
        let policy = robot.and_then(|robot| file.policy_of(&robot));
        policy.is_some_and(|policy| !policy.allows("/"))
    };
    let mut robots = named(file, trains).take(MAX_ROBOTS);
    let Some(first) = robots.find(is_disallowed) else {
        return;
    };
    let mut lines = file.robots.lines().iter();
    let line = lines.find(|line| matches!(file.robots.addressee(line), Some(Addressee::Token(token)) if token == first));
    let open = open(file);
    if let Some(line) = line.filter(|_| !open.is_empty()) {
        let names = enumerated(&open, MAX_NAMES);
        let message = format!(
            "{first} may not crawl, but AI models may be trained on the site by way of {names}; write a User-agent line for each that you mean"
        );
        found.say(Some(line.number), line.span, message);
    }
}

/// The documented tokens against AI training to which the home page is open: control tokens first,
/// then those that people look for.
fn open(file: &File<'_>) -> Vec<&'static str> {
    let all = abide_known_robots::all().iter();
    let is_open = |robot: &&'static KnownRobot| {
        let policy = file.policy_of(&Robot::known(robot));
        policy.is_some_and(|policy| policy.allows("/"))
    };
    let open = all.filter(|robot| crawlers::trains(robot)).filter(is_open);
    let mut open: Vec<&KnownRobot> = open.collect();
    open.sort_by_key(|robot| (!is_control_token(robot), prominence(robot.token)));
    open.iter().map(|robot| robot.token).collect()
}

/// The product tokens in the file of known robots of a kind.
fn named<'f>(
    file: &'f File<'_>,
    is_wanted: fn(&abide_known_robots::KnownRobot) -> bool,
) -> impl Iterator<Item = &'f str> {
    let tokens = file
        .addressees
        .iter()
        .flatten()
        .filter_map(|addressee| match addressee {
            Addressee::Token(token) => Some(*token),
            _ => None,
        });
    tokens.filter(move |token| abide_known_robots::named(token).is_some_and(is_wanted))
}

fn is_control_token(robot: &abide_known_robots::KnownRobot) -> bool {
    robot.kind == Kind::ControlToken
}

fn trains(robot: &abide_known_robots::KnownRobot) -> bool {
    let is_current = robot.kind == Kind::Robot && !robot.is_legacy();
    is_current && robot.main_purpose() == Purpose::AiTraining
}
