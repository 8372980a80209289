//! `crawler-misspelt`: almost a known robot's name.

use super::unknown_field::client_of;
use crate::crawlers;
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::{Addressee, FieldKind, Line};
use abide::{Client, Policy};
use abide_analysis::words::enumerated;
use abide_known_robots::Robot;
use std::cell::LazyCell;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule::new(
    "crawler-misspelt",
    Severity::Warning,
    include_str!("crawler_misspelt.md"),
    RuleCheck::File(check),
)
.or(Severity::Info);

/// How many names of a file are compared with what groups say.
const MAX_COMPARED: usize = 64;

fn check(file: &File<'_>, found: &mut Findings) {
    let named = LazyCell::new(|| named(file));
    let mut compared = 0;
    for (line, field, value) in file.fields_of(FieldKind::UserAgent) {
        let name = value.split(|&byte| byte == b'/').next().unwrap_or_default();
        let Ok(name) = std::str::from_utf8(name.trim_ascii()) else {
            continue;
        };
        // Text after a token is ignored: `Googlebot*` is Googlebot.
        let token = name
            .split(|c: char| !c.is_ascii_alphabetic() && !matches!(c, '-' | '_'))
            .next();
        let is_known = token.is_some_and(|token| crawlers::known(token).is_some());
        // In `*Googlebot*`, the mistake is the `*` in front.
        if is_known || name.len() > 1 && name.starts_with('*') {
            continue;
        }
        if let Some(known) = crawlers::meant_by(name) {
            // Whoever names a robot has spelt it right, and means another one here.
            if !named.contains(&known.to_ascii_lowercase()) {
                let message = format!("unknown crawler; did you mean {known}?");
                let place = found.say(Some(line.number), field.value, message);
                let title = format!("write {known}");
                let fix = Fix::replace(Safety::Unsafe, title, field.value, known);
                place.fix(fix).severity(severity(file, line));
            }
        } else if is_everybody(name) {
            let message = format!(
                "no robot is called {name}, so this group is for nobody; for all robots, write \"User-agent: *\""
            );
            let place = found.say(Some(line.number), field.value, message);
            place.fix(Fix::replace(Safety::Unsafe, "write *", field.value, "*"));
        } else if let Some((operator, mut robots)) = crawlers::operator_meant_by(name) {
            let own = own(file, line);
            let is_own = |robot: &&str| own.contains(&robot.to_ascii_lowercase());
            // The robot that people look for follows the group by its own name.
            if robots.first().is_some_and(is_own) {
                continue;
            }
            robots.retain(|robot| !is_own(robot));
            if robots.is_empty() {
                continue;
            }
            compared += 1;
            let group = Answers::of(file, line).filter(|_| compared <= MAX_COMPARED);
            let says_the_same = |robot: &&str| {
                let has_own = named.contains(&robot.to_ascii_lowercase());
                has_own && group.as_ref().is_some_and(|group| group.is_of(file, robot))
            };
            let is_said = robots.iter().any(says_the_same);
            let open = open(operator, &robots, group.as_ref());
            let message = format!("no known robot is called {name}; {open}");
            let place = found.say(Some(line.number), field.value, message);
            let place = place.severity(if is_said {
                Severity::Info
            } else {
                severity(file, line)
            });
            place.fix(abide_known_robots::trained_as(name).map(|robot| {
                let title = format!("write {}", robot.token);
                Fix::replace(Safety::Unsafe, title, field.value, robot.token)
            }));
        }
    }
}

/// A group without rules changes nothing for the robots that it misses.
fn severity(file: &File<'_>, line: &Line) -> Severity {
    let rules = line.group.and_then(|group| file.rules.get(group));
    let has_delay = || {
        let mut delays = file.fields_of(FieldKind::CrawlDelay);
        delays.any(|(delay, ..)| delay.group == line.group)
    };
    if rules.is_some_and(|rules| !rules.is_empty()) || has_delay() {
        Severity::Warning
    } else {
        Severity::Info
    }
}

/// The names for which the file has groups, in lower case.
fn named(file: &File<'_>) -> BTreeSet<String> {
    let all = file.addressees.iter().flatten();
    let tokens = all.filter_map(in_lower_case);
    // Of `archive.org_bot`, the token is only a part.
    let values = file.fields_of(FieldKind::UserAgent);
    let values = values.map(|(_, _, value)| String::from_utf8_lossy(value).to_ascii_lowercase());
    tokens.chain(values).collect()
}

/// The names of the group of a line, in lower case.
fn own(file: &File<'_>, line: &Line) -> BTreeSet<String> {
    let own = line.group.and_then(|group| file.addressees.get(group));
    own.into_iter()
        .flatten()
        .filter_map(in_lower_case)
        .collect()
}

fn in_lower_case(addressee: &Addressee<'_>) -> Option<String> {
    match addressee {
        Addressee::Token(token) => Some(token.to_ascii_lowercase()),
        _ => None,
    }
}

/// What a group answers to its robots, and the group for `*` to those that it misses.
struct Answers {
    opens: bool,
    star_opens: bool,
}

impl Answers {
    fn of(file: &File<'_>, line: &Line) -> Option<Self> {
        let opens = |policy: &Policy| policy.allows("/");
        line.group?;
        Some(Self {
            opens: opens(&file.robots.policy(&client_of(file, line.group))),
            star_opens: opens(&file.robots.policy(&Client::unnamed())),
        })
    }

    /// Whether a robot gets the same answer by a group of its own.
    fn is_of(&self, file: &File<'_>, robot: &str) -> bool {
        let known = abide_known_robots::named(robot).map(Robot::known);
        let policy = known.and_then(|robot| file.policy_of(&robot));
        policy.is_some_and(|policy| policy.allows("/") == self.opens)
    }
}

/// Whether a name is a word for all robots, which in robots.txt is `*`.
fn is_everybody(name: &str) -> bool {
    const WORDS: [&str; 8] = [
        "all",
        "all bots",
        "all crawlers",
        "all robots",
        "any",
        "anybody",
        "everybody",
        "everyone",
    ];
    WORDS.iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// The robots of an operator that do not follow the group, what they follow in its place, and what
/// to write, in words.
fn open(operator: &str, robots: &[&str], group: Option<&Answers>) -> String {
    const MAX_NAMES: usize = 4;
    let (verb, whom) = match robots {
        [_] => ("does", "it"),
        _ => ("do", "them"),
    };
    let opens = group.is_some_and(|group| group.opens);
    let instead = match group {
        Some(Answers {
            opens: true,
            star_opens: false,
        }) => format!(", and the group for * closes the site to {whom}"),
        _ => String::new(),
    };
    let names = enumerated(robots, MAX_NAMES);
    let training = crawlers::training(operator);
    // A group that lets robots in is not against their training.
    let write = if training.is_empty() || opens {
        // Some robots follow the group of another one.
        let falls_back = |robot: &&&str| {
            let row = abide_known_robots::named(robot);
            row.is_some_and(|row| row.falls_back_to.iter().any(|to| robots.contains(to)))
        };
        let needed: Vec<&str> = robots
            .iter()
            .filter(|robot| !falls_back(robot))
            .copied()
            .collect();
        match needed.as_slice() {
            [one] => format!("write \"User-agent: {one}\""),
            _ => "write a User-agent line for each that you mean".to_owned(),
        }
    } else {
        let lines = crawlers::lines_for(&training, MAX_NAMES);
        format!("against AI training, write {lines}")
    };
    format!("{names} of {operator} {verb} not follow this group{instead}; {write}")
}
