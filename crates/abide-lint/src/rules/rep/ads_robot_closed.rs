//! `ads-robot-closed`: a robot of an advertising service may not crawl.

use super::site_closed::closing_line;
use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::Addressee;
use abide_known_robots::{Basis, Kind, Purpose, Robot};
use std::collections::BTreeMap;

pub(crate) static RULE: Rule = Rule::new(
    "ads-robot-closed",
    Severity::Info,
    include_str!("ads_robot_closed.md"),
    RuleCheck::File(check),
);

/// How many robots of a file are asked about.
const MAX_ROBOTS: usize = 64;

fn check(file: &File<'_>, found: &mut Findings) {
    if file.context.allow_closed {
        return;
    }
    let mut robots = BTreeMap::new();
    for addressee in file.addressees.iter().flatten() {
        let Addressee::Token(token) = addressee else {
            continue;
        };
        let known = abide_known_robots::named(token).filter(|robot| {
            let serves_ads = robot.main_purpose() == Purpose::Ads && robot.kind == Kind::Robot;
            serves_ads && robot.basis == Basis::Operator && robot.follows_robots_txt == Some(true)
        });
        if let Some(known) = known.filter(|_| robots.len() < MAX_ROBOTS) {
            robots.insert(known.token, known);
        }
    }
    for known in robots.into_values() {
        let line = closing_line(file, &Robot::known(known));
        let Some((number, line)) = line.and_then(|number| Some((number, file.line(number)?)))
        else {
            continue;
        };
        // The first sentence of the row says what that costs.
        let cost = known.note.split_inclusive('.').next().unwrap_or_default();
        let message = format!("{} may not crawl the site. {cost}", known.token);
        let message = message.trim_end_matches('.').to_owned();
        found.say(Some(number), File::statement(line), message);
    }
}
