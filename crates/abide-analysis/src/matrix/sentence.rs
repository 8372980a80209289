//! One sentence about a section.

use super::{Category, RobotAccess, Row, Section};
use crate::compare::Openness;
use crate::words::{Phrase, capital};

/// The largest number of names in a sentence.
const MAX_NAMES: usize = 8;

pub(super) fn summary(section: &Section) -> Phrase {
    let all = section.rows.len();
    let title = section.category.title();
    let verb = verb(section.category);
    let follows = rows(section, |row| row.follows_robots_txt != Some(false));
    let of_all = |access| follows.iter().all(|row| row.access == access);
    let sentence = match (section.category, follows.as_slice()) {
        (Category::EveryOther, _) => Phrase::of(every_other(section)),
        (_, []) => Phrase::default(),
        (_, [only]) => {
            let begin = if all == 1 {
                format!("{}: ", capital(title))
            } else {
                String::new()
            };
            let may = format!(" {}.", much(only.access, verb));
            Phrase::of(begin).name(&only.name).words(may)
        }
        (_, rows) if of_all(RobotAccess::Allowed) => Phrase::of(format!(
            "{} may {verb} the whole site.",
            every(rows.len(), title)
        )),
        (_, rows) if of_all(RobotAccess::Partly) => Phrase::of(format!(
            "{} may {verb} parts of the site.",
            every(rows.len(), title)
        )),
        (_, rows) if of_all(RobotAccess::Closed) => Phrase::of(format!(
            "None of {} {title} may {verb} the site.",
            rows.len()
        )),
        _ => counted(section, &follows, verb),
    };
    let ignoring = rows(section, |row| row.follows_robots_txt == Some(false));
    let space = if sentence.is_empty() || ignoring.is_empty() {
        Phrase::default()
    } else {
        Phrase::of(" ")
    };
    sentence.then(space).then(match ignoring.as_slice() {
        [] => Phrase::default(),
        [only] if all == 1 => {
            let name = Phrase::default().name(&only.name);
            name.words(" does not follow robots.txt.")
        }
        rows => {
            let (count, verb) = (rows.len(), if rows.len() == 1 { "does" } else { "do" });
            let begin = format!("{count} of {all} {title} {verb} not follow robots.txt: ");
            names(Phrase::of(begin), rows).words(".")
        }
    })
}

/// How many robots may crawl the site, and which may not.
fn counted(section: &Section, follows: &[&Row], verb: &str) -> Phrase {
    let (all, title) = (section.rows.len(), section.category.title());
    let counts = section.counts();
    let whole = match counts.allowed {
        0 => "None".to_owned(),
        whole => whole.to_string(),
    };
    let mut text = format!("{whole} of {all} {title} may {verb} the whole site");
    if counts.partly > 0 {
        text = format!("{text}; {} may {verb} parts of it", counts.partly);
    }
    if counts.closed == 0 {
        return Phrase::of(text + ".");
    }
    let begin = format!("{text}; {} may not {verb} it: ", counts.closed);
    let closed = follows
        .iter()
        .filter(|row| row.access == RobotAccess::Closed);
    let closed: Vec<&Row> = closed.copied().collect();
    names(Phrase::of(begin), &closed).words(".")
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

fn much(access: RobotAccess, verb: &str) -> String {
    let openness = match access {
        RobotAccess::Allowed => Openness::Open,
        RobotAccess::Partly => Openness::Partly,
        RobotAccess::Closed => Openness::Closed,
    };
    openness.sentence_end(verb)
}

/// What robots of a category do with pages. Control tokens never crawl.
fn verb(category: Category) -> &'static str {
    match category {
        Category::ControlToken => "use",
        _ => "crawl",
    }
}

/// Adds the first names, and how many more.
fn names(sentence: Phrase, rows: &[&Row]) -> Phrase {
    sentence.names(rows.iter().map(|row| row.name.as_str()), MAX_NAMES)
}
