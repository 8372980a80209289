//! `training-robots-only`: robots that train models may not crawl, but nothing is said about use.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::Addressee;
use abide_analysis::preferences::has_lines;
use abide_known_robots::{Kind, Purpose, Robot};

pub(crate) static RULE: Rule = Rule::new(
    "training-robots-only",
    Severity::Info,
    include_str!("training_robots_only.md"),
    RuleCheck::File(check),
);

/// How many robots of a file are asked about.
const MAX_ROBOTS: usize = 16;

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
    if let Some(line) = line {
        let message = format!(
            "{first} may not crawl, but nothing is said about training with content that others fetch; say Content-Usage: train-ai=n"
        );
        found.say(Some(line.number), line.span, message);
    }
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
    robot.kind == Kind::Robot && robot.main_purpose() == Purpose::AiTraining
}
