//! The matrix as CSV (RFC 4180): one row per robot.

use crate::csv::line;
use abide::explain::visible;
use abide_analysis::matrix::{DecidingLine, Matrix, Row, Section};
use abide_analysis::view::UsageAnswer;
use abide_analysis::words;
use std::io::{self, Write};

const HEADER: [&str; 14] = [
    "kind",
    "robot",
    "operator",
    "known",
    "access",
    "proven",
    "follows_robots_txt",
    "line",
    "statement",
    "exception_line",
    "exception_statement",
    "exception_path",
    "exceptions",
    "documented",
];

pub(super) fn write(matrix: &Matrix) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let has_preferences = !matrix.preference_groups().is_empty();
    let mut header = HEADER.map(str::to_owned).to_vec();
    if has_preferences {
        header.extend(["train", "ai_input", "search"].map(str::to_owned));
    }
    line(&mut out, &header)?;
    for section in &matrix.sections {
        for row in &section.rows {
            let mut cells = cells(section, row).to_vec();
            cells.extend(row.preferences.iter().map(preference));
            line(&mut out, &cells)?;
        }
    }
    out.flush()
}

/// `disallowed`, `no preference`, `by path`.
fn preference(answer: &UsageAnswer) -> String {
    if answer.exceptions.is_empty() {
        words::preference_outcome(answer.outcome)
    } else {
        answer.label()
    }
}

fn cells(section: &Section, row: &Row) -> [String; 14] {
    let number =
        |line: Option<&DecidingLine>| line.map_or_else(String::new, |line| line.number.to_string());
    let statement = |line: Option<&DecidingLine>| {
        line.map_or_else(String::new, |line| visible(&line.statement))
    };
    let exception = row.exception.as_ref();
    let other = exception.and_then(|one| one.decided_by.as_ref());
    let follows = match row.follows_robots_txt {
        Some(true) => "yes",
        Some(false) => "no",
        None => "",
    };
    let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
    [
        section.category.name().to_owned(),
        visible(row.name.as_bytes()),
        row.operator.unwrap_or_default().to_owned(),
        yes(row.known),
        row.access.name().to_owned(),
        yes(row.is_proven),
        follows.to_owned(),
        number(row.decided_by.as_ref()),
        statement(row.decided_by.as_ref()),
        number(other),
        statement(other),
        exception.map_or_else(String::new, |one| visible(one.path.as_bytes())),
        row.exceptions.to_string(),
        visible(row.documented.join("; ").as_bytes()),
    ]
}
