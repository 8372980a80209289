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
        } else if let Some((operator, robots)) = crawlers::operator_meant_by(name) {
            let robots = listed(operator, &robots);
            let message = format!("no known robot is called {name}; {robots}");
            found.say(Some(line.number), field.value, message);
        }
    }
}

/// The robots of an operator, in words.
fn listed(operator: &str, robots: &[&str]) -> String {
    const MAX_NAMES: usize = 4;
    let (noun, verb) = match robots {
        [_] => ("robot", "is"),
        _ => ("robots", "are"),
    };
    let robots = enumerated(robots, MAX_NAMES);
    format!("the {noun} of {operator} {verb} {robots}")
}
