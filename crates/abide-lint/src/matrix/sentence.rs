//! One sentence about a section.

use super::{Answer, Category, Row, Section};

/// The largest number of names in a sentence.
const NAMES: usize = 8;

pub(super) fn summary(section: &Section) -> String {
    let counts = section.counts();
    let all = section.rows.len();
    let title = section.category.title();
    let follows: Vec<&Row> = rows(section, |row| row.follows_robots_txt != Some(false));
    let mut sentence = match (section.category, follows.as_slice()) {
        (Category::EveryOther, _) => every_other(section),
        (_, []) => String::new(),
        (_, [only]) if all == 1 => alone(only, title),
        (_, rows) if rows.iter().all(|row| row.answer == Answer::Allowed) => {
            format!("All {} {title} may crawl the whole site.", rows.len())
        }
        (_, rows) if rows.iter().all(|row| row.answer == Answer::Partly) => {
            format!("All {} {title} may crawl parts of the site.", rows.len())
        }
        (_, rows) if rows.iter().all(|row| row.answer == Answer::Closed) => {
            format!("None of {} {title} may crawl the site.", rows.len())
        }
        _ => {
            let parts = match counts.partly {
                0 => String::new(),
                partly => format!("; {partly} may crawl parts of it"),
            };
            let closed = match counts.closed {
                0 => String::new(),
                closed => {
                    let names = names(&rows(section, |row| {
                        row.follows_robots_txt != Some(false) && row.answer == Answer::Closed
                    }));
                    format!("; {closed} may not crawl it: {names}")
                }
            };
            let whole = match counts.allowed {
                0 => "None".to_owned(),
                whole => whole.to_string(),
            };
            format!("{whole} of {all} {title} may crawl the whole site{parts}{closed}.")
        }
    };
    let ignoring = rows(section, |row| row.follows_robots_txt == Some(false));
    if !ignoring.is_empty() {
        let verb = if ignoring.len() == 1 { "does" } else { "do" };
        let (names, count) = (names(&ignoring), ignoring.len());
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        let of = if all > 1 {
            format!("{count} of {all} {title}")
        } else {
            names.clone()
        };
        let names = if all > 1 {
            format!(": {names}")
        } else {
            String::new()
        };
        sentence.push_str(&format!("{of} {verb} not follow robots.txt{names}."));
    }
    sentence
}

fn rows(section: &Section, which: impl Fn(&Row) -> bool) -> Vec<&Row> {
    section.rows.iter().filter(|row| which(row)).collect()
}

fn every_other(section: &Section) -> String {
    let much = section.rows.first().map(|row| much(row.answer));
    format!("Every other robot {}.", much.unwrap_or_default())
}

fn alone(row: &Row, title: &str) -> String {
    let mut title = title.to_owned();
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    format!("{title}: {} {}.", row.name, much(row.answer))
}

fn much(answer: Answer) -> &'static str {
    match answer {
        Answer::Allowed => "may crawl the whole site",
        Answer::Partly => "may crawl parts of the site",
        Answer::Closed => "may not crawl the site",
    }
}

/// The first names, and how many more.
fn names(rows: &[&Row]) -> String {
    let shown = rows.iter().take(NAMES).map(|row| row.name.as_str());
    let mut shown: Vec<&str> = shown.collect();
    let more = rows.len().saturating_sub(NAMES);
    if more > 0 {
        return format!("{} and {more} more", shown.join(", "));
    }
    match (shown.pop(), shown.as_slice()) {
        (Some(last), []) => last.to_owned(),
        (Some(last), first) => format!("{} and {last}", first.join(", ")),
        (None, _) => String::new(),
    }
}
