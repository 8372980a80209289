//! One sentence about a section.

use super::{Category, RobotAccess, Row, Section};
use crate::words::{capital, enumerated};

/// The largest number of names in a sentence.
const MAX_NAMES: usize = 8;

pub(super) fn summary(section: &Section) -> String {
    let counts = section.counts();
    let all = section.rows.len();
    let title = section.category.title();
    let verb = verb(section.category);
    let follows: Vec<&Row> = rows(section, |row| row.follows_robots_txt != Some(false));
    let sentence = match (section.category, follows.as_slice()) {
        (Category::EveryOther, _) => every_other(section),
        (_, []) => String::new(),
        (_, [only]) if all == 1 => alone(only, title, verb),
        (_, [only]) => format!("{} {}.", only.name, much(only.access, verb)),
        (_, rows) if rows.iter().all(|row| row.access == RobotAccess::Allowed) => {
            format!("{} may {verb} the whole site.", every(rows.len(), title))
        }
        (_, rows) if rows.iter().all(|row| row.access == RobotAccess::Partly) => {
            format!("{} may {verb} parts of the site.", every(rows.len(), title))
        }
        (_, rows) if rows.iter().all(|row| row.access == RobotAccess::Closed) => {
            format!("None of {} {title} may {verb} the site.", rows.len())
        }
        _ => {
            let parts = match counts.partly {
                0 => String::new(),
                partly => format!("; {partly} may {verb} parts of it"),
            };
            let closed = match counts.closed {
                0 => String::new(),
                closed => {
                    let names = names(&rows(section, |row| {
                        row.follows_robots_txt != Some(false) && row.access == RobotAccess::Closed
                    }));
                    format!("; {closed} may not {verb} it: {names}")
                }
            };
            let whole = match counts.allowed {
                0 => "None".to_owned(),
                whole => whole.to_string(),
            };
            format!("{whole} of {all} {title} may {verb} the whole site{parts}{closed}.")
        }
    };
    let ignoring = rows(section, |row| row.follows_robots_txt == Some(false));
    let ignoring = match ignoring.as_slice() {
        [] => None,
        [only] if all == 1 => Some(format!("{} does not follow robots.txt.", only.name)),
        rows => {
            let verb = if rows.len() == 1 { "does" } else { "do" };
            let (names, count) = (names(rows), rows.len());
            Some(format!(
                "{count} of {all} {title} {verb} not follow robots.txt: {names}."
            ))
        }
    };
    let sentences = [Some(sentence).filter(|one| !one.is_empty()), ignoring];
    sentences
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}

fn rows(section: &Section, which: impl Fn(&Row) -> bool) -> Vec<&Row> {
    section.rows.iter().filter(|row| which(row)).collect()
}

fn every(count: usize, title: &str) -> String {
    match count {
        2 => format!("Both {title}"),
        count => format!("All {count} {title}"),
    }
}

fn every_other(section: &Section) -> String {
    match section.rows.first().map(|row| row.access) {
        Some(RobotAccess::Closed) => "No other robot may crawl the site.".to_owned(),
        Some(access) => format!("Every other robot {}.", much(access, "crawl")),
        None => String::new(),
    }
}

fn alone(row: &Row, title: &str, verb: &str) -> String {
    format!(
        "{}: {} {}.",
        capital(title),
        row.name,
        much(row.access, verb)
    )
}

fn much(access: RobotAccess, verb: &str) -> String {
    match access {
        RobotAccess::Allowed => format!("may {verb} the whole site"),
        RobotAccess::Partly => format!("may {verb} parts of the site"),
        RobotAccess::Closed => format!("may not {verb} the site"),
    }
}

/// What robots of a category do with pages. Control tokens never crawl.
fn verb(category: Category) -> &'static str {
    match category {
        Category::ControlToken => "use",
        _ => "crawl",
    }
}

/// The first names, and how many more.
fn names(rows: &[&Row]) -> String {
    let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    enumerated(&names, MAX_NAMES)
}
