//! `user-agent-line`: a whole `User-Agent` line, or a list of names, where one name belongs.

use crate::crawlers;
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::syntax::{Addressee, FieldKind, Line, LineEnding};
use abide::verdict::Sense;
use abide::{ProductToken, Severity};
use abide_analysis::words::enumerated;
use abide_known_robots::{Robot, TakenName};
use std::cell::LazyCell;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule::new(
    "user-agent-line",
    Severity::Warning,
    include_str!("user_agent_line.md"),
    RuleCheck::File(check),
)
.or(Severity::Info)
.instead_of(&["ua-invalid-token"]);

/// How many names are in a sentence.
const MAX_NAMES: usize = 4;

fn check(file: &File<'_>, found: &mut Findings) {
    let addressed = LazyCell::new(|| addressed(file));
    for (line, field, value) in file.fields_of(FieldKind::UserAgent) {
        let Ok(value) = std::str::from_utf8(value) else {
            continue;
        };
        let (severity, message, fix) = if let Some(names) = list(value) {
            let message = of_list(file, line, &names, &addressed);
            let between = format!("{}User-agent: ", end(line));
            let title = "write one line for each name".to_owned();
            let fix = Some((title, names.join(&between)));
            (Severity::Warning, message, fix)
        } else if is_line(value) {
            line_of(value, token_of(file, line), &addressed)
        } else {
            continue;
        };
        let place = found
            .say(Some(line.number), field.value, message)
            .severity(severity);
        if let Some((title, text)) = fix {
            place.fix(Fix::replace(Safety::Unsafe, title, field.value, text));
        }
    }
}

/// The names for which the file has groups, in lower case.
fn addressed(file: &File<'_>) -> BTreeSet<String> {
    let all = file.addressees.iter().flatten();
    let names = all.filter_map(|one| match one {
        Addressee::Token(token) => Some(token.to_ascii_lowercase()),
        Addressee::Anybody => Some("*".to_owned()),
        _ => None,
    });
    names.collect()
}

/// What a list of names does not do; `addressed` are the names that have groups.
fn of_list(file: &File<'_>, line: &Line, names: &[&str], addressed: &BTreeSet<String>) -> String {
    let (first, others) = names.split_first().unwrap_or((&"", &[]));
    let group = line.group.and_then(|group| file.rules.get(group));
    let mut rules = group.into_iter().flatten();
    let blocks = rules.any(|rule| rule.sense == Sense::Disallow && rule.pattern.is_ok());
    let has_own = |name: &&str| addressed.contains(&name.to_ascii_lowercase());
    // A robot with a group of its own may be blocked there.
    let blocks = blocks && !others.iter().any(has_own);
    let fail = match (blocks, others) {
        (true, [_]) => "is not blocked",
        (true, _) => "are not blocked",
        (false, [_]) => "does not follow this group",
        (false, _) => "do not follow this group",
    };
    let others = enumerated(others, MAX_NAMES);
    format!(
        "robots read only the first name, {first}: {others} {fail}; write one User-agent line for each"
    )
}

/// The end of a line, for lines that are added.
fn end(line: &Line) -> &'static str {
    match line.ending {
        LineEnding::CrLf => "\r\n",
        LineEnding::Cr => "\r",
        LineEnding::Lf | LineEnding::EndOfFile => "\n",
    }
}

/// The names of a list, each once: with commas or semicolons between them, or only with blanks if
/// all are known robots.
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
        let all = |name: &&str| *name == "*" && names.first() != Some(name);
        names.iter().all(|name| is_name(name) || all(name)) && parts.count() == names.len()
    } else {
        names.iter().all(is_known)
    };
    let mut seen = BTreeSet::new();
    let once = |name: &&str| seen.insert(name.to_ascii_lowercase());
    let names: Vec<&str> = names.into_iter().filter(once).collect();
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

/// What most robots read of the value of a line.
fn token_of<'f>(file: &File<'f>, line: &'f Line) -> &'f str {
    match file.robots.addressee(line) {
        Some(Addressee::Token(token)) => token,
        _ => "its beginning",
    }
}

/// Whether a robot is known, or has a name that all robots read.
fn is_sure(robot: &Robot, name: &str) -> bool {
    robot.row().is_some() || ProductToken::new(name).is_ok()
}

/// What a line names, how bad that is, and the title and text of its fix.
/// `token` is what robots read of it, `addressed` are the names that have groups.
fn line_of(
    value: &str,
    token: &str,
    addressed: &BTreeSet<String>,
) -> (Severity, String, Option<(String, String)>) {
    // Digits and dots too: a robot whose name has some finds itself by them.
    let is_of_name = |found: char| found.is_ascii_alphanumeric() || "-_.".contains(found);
    let end = value.find(|found| !is_of_name(found));
    let read = value.get(..end.unwrap_or(value.len())).unwrap_or_default();
    let robot = Robot::of_user_agent(value);
    if matches!(
        robot.taken(),
        Some(TakenName::Nobody | TakenName::Software) | None
    ) {
        let message = format!(
            "this is the User-Agent line of a browser or a library; robots read only {read}, and no robot is called so"
        );
        return (Severity::Info, message, None);
    }
    let name = robot.name();
    // Old lists have lines of programs that nobody knows any more: their robots have no version.
    let is_gone = robot.row().is_none()
        && !value.contains("://")
        && memchr::memmem::find(value.as_bytes(), format!("{name}/").as_bytes()).is_none();
    // Robots find the group if they read the name of the robot: the rest does no harm.
    let by_digits = name.eq_ignore_ascii_case(read);
    let (severity, message) = if by_digits || name.eq_ignore_ascii_case(token) {
        let read = if by_digits { read } else { token };
        let message = format!(
            "this is a whole User-Agent line; robots read only {read}, so write that alone"
        );
        (Severity::Info, message)
    } else {
        let message = format!(
            "this is a whole User-Agent line; robots read only {token}, and the robot is called {name}"
        );
        let has_own = addressed.contains(&name.to_ascii_lowercase());
        let severity = if is_gone || has_own || !is_sure(&robot, &name) {
            Severity::Info
        } else {
            Severity::Warning
        };
        (severity, message)
    };
    let title = format!("write \"User-agent: {name}\"");
    (severity, message, Some((title, name)))
}
