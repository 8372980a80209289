//! `user-agent-line`: a whole `User-Agent` line, or a list of names, where one name belongs.

use crate::crawlers;
use crate::enumeration::enumerated;
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::syntax::{FieldKind, Line, LineEnding};
use abide::{ProductToken, Severity};
use abide_known_robots::Robot;

pub(crate) static RULE: Rule = Rule::new(
    "user-agent-line",
    Severity::Warning,
    include_str!("user_agent_line.md"),
    RuleCheck::File(check),
)
.instead_of(&["ua-invalid-token"]);

/// How many names are in a sentence.
const NAMES: usize = 4;

fn check(file: &File<'_>, found: &mut Findings) {
    for (line, field, value) in file.fields_of(FieldKind::UserAgent) {
        let Ok(value) = std::str::from_utf8(value) else {
            continue;
        };
        let (message, fix) = if let Some(names) = list(value) {
            let message = format!(
                "robots read only the first name of this list; write one line for each of {}",
                enumerated(&names, NAMES)
            );
            let between = format!("{}User-agent: ", end(line));
            let title = "write one line for each name".to_owned();
            (message, Some((title, names.join(&between))))
        } else if is_line(value) {
            line_of(value)
        } else {
            continue;
        };
        let place = found.say(Some(line.number), field.value, message);
        if let Some((title, text)) = fix {
            place.fix(Fix::replace(Safety::Unsafe, title, field.value, text));
        }
    }
}

/// The end of a line, for lines that are added.
fn end(line: &Line) -> &'static str {
    match line.ending {
        LineEnding::CrLf => "\r\n",
        LineEnding::Cr => "\r",
        LineEnding::Lf | LineEnding::EndOfFile => "\n",
    }
}

/// The names of a list: with commas or semicolons between them, or only with blanks if all are
/// known robots.
fn list(value: &str) -> Option<Vec<&str>> {
    let is_separator = |found: char| matches!(found, ',' | ';' | ' ' | '\t');
    let names: Vec<&str> = value
        .split(is_separator)
        .filter(|name| !name.is_empty())
        .collect();
    let is_name = |name: &&str| {
        let letters = name
            .chars()
            .all(|found| found.is_ascii_alphanumeric() || "-_.".contains(found));
        letters && ProductToken::nonstandard(name).is_ok()
    };
    let is_known = |name: &&str| crawlers::known(name).is_some();
    let has_marks = value.trim_end_matches(is_separator).contains([',', ';']);
    // A name may have blanks, and is then no list of names.
    let parts = value
        .split([',', ';'])
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let is_list = if has_marks {
        names.iter().all(is_name) && parts.count() == names.len()
    } else {
        names.iter().all(is_known)
    };
    (names.len() > 1 && is_list).then_some(names)
}

/// Whether a value is a line from a log rather than a name with a version.
fn is_line(value: &str) -> bool {
    let begins = |start: &str| {
        value
            .get(..start.len())
            .is_some_and(|own| own.eq_ignore_ascii_case(start))
    };
    begins("mozilla/") || (value.contains('/') && value.contains('('))
}

/// What a line names, and the title and text of its fix.
fn line_of(value: &str) -> (String, Option<(String, String)>) {
    let read = value.split([' ', '\t', '/']).next().unwrap_or_default();
    let name = Robot::named(value).map_or_else(|_| "*".to_owned(), |robot| robot.name());
    if name == "*" {
        let message = format!(
            "this is the User-Agent line of a browser; robots read only {read}, and no robot is called so"
        );
        return (message, None);
    }
    let message = if name.eq_ignore_ascii_case(read) {
        format!("this is a whole User-Agent line; robots read only {read}, so write that alone")
    } else {
        format!(
            "this is a whole User-Agent line; robots read only {read}, and the robot is called {name}"
        )
    };
    (
        message,
        Some((format!("write \"User-agent: {name}\""), name)),
    )
}
