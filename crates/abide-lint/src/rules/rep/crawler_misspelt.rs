//! `crawler-misspelt`: almost a known robot's name.

use crate::crawlers;
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::FieldKind;
use abide_analysis::words::enumerated;

pub(crate) static RULE: Rule = Rule::new(
    "crawler-misspelt",
    Severity::Warning,
    include_str!("crawler_misspelt.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
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
        if is_known {
            continue;
        }
        if let Some(known) = crawlers::meant_by(name) {
            let message = format!("unknown crawler; did you mean {known}?");
            let place = found.say(Some(line.number), field.value, message);
            let title = format!("write {known}");
            place.fix(Fix::replace(Safety::Unsafe, title, field.value, known));
        } else if is_everybody(name) {
            let message = format!(
                "no robot is called {name}, so this group is for nobody; for all robots, write \"User-agent: *\""
            );
            let place = found.say(Some(line.number), field.value, message);
            place.fix(Fix::replace(Safety::Unsafe, "write *", field.value, "*"));
        } else if let Some((operator, robots)) = crawlers::operator_meant_by(name) {
            let message = format!(
                "no known robot is called {name}; {}",
                open(operator, &robots)
            );
            let place = found.say(Some(line.number), field.value, message);
            place.fix(abide_known_robots::trained_as(name).map(|robot| {
                let title = format!("write {}", robot.token);
                Fix::replace(Safety::Unsafe, title, field.value, robot.token)
            }));
        }
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

/// The robots of an operator that do not follow the group, and what to write, in words.
fn open(operator: &str, robots: &[&str]) -> String {
    const MAX_NAMES: usize = 4;
    let verb = match robots {
        [_] => "does",
        _ => "do",
    };
    let robots = enumerated(robots, MAX_NAMES);
    let training = crawlers::training(operator);
    let write = if training.is_empty() {
        "write a User-agent line for each that you mean".to_owned()
    } else {
        let lines = crawlers::lines_for(&training, MAX_NAMES);
        format!("against AI training, write {lines}")
    };
    format!("{robots} of {operator} {verb} not follow this group; {write}")
}
