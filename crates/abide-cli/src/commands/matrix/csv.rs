//! The matrix as CSV (RFC 4180): one row per robot.

use super::shown;
use abide_lint::matrix::{DecidingLine, Matrix, Row, Section};
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
    line(&mut out, &HEADER.map(str::to_owned))?;
    for section in &matrix.sections {
        for row in &section.rows {
            line(&mut out, &cells(section, row))?;
        }
    }
    out.flush()
}

fn cells(section: &Section, row: &Row) -> [String; 14] {
    let number =
        |line: Option<&DecidingLine>| line.map_or_else(String::new, |line| line.number.to_string());
    let statement =
        |line: Option<&DecidingLine>| line.map_or_else(String::new, |line| shown(&line.statement));
    let exception = row.exception.as_ref();
    let other = exception.and_then(|(_, line)| line.as_ref());
    let follows = match row.follows_robots_txt {
        Some(true) => "yes",
        Some(false) => "no",
        None => "",
    };
    let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
    [
        section.category.name().to_owned(),
        shown(row.name.as_bytes()),
        row.known
            .map_or_else(String::new, |known| known.operator.to_owned()),
        yes(row.known.is_some()),
        row.answer.name().to_owned(),
        yes(row.is_proven),
        follows.to_owned(),
        number(row.line.as_ref()),
        statement(row.line.as_ref()),
        number(other),
        statement(other),
        exception.map_or_else(String::new, |(path, _)| shown(path.as_bytes())),
        row.exceptions.to_string(),
        shown(row.applied.join("; ").as_bytes()),
    ]
}

fn line(out: &mut impl Write, cells: &[String]) -> io::Result<()> {
    let cells: Vec<String> = cells.iter().map(|cell| field(cell)).collect();
    write!(out, "{}\r\n", cells.join(","))
}

/// A field, quoted where RFC 4180 demands it. A field that a spreadsheet would take for a formula
/// begins with an apostrophe.
fn field(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '-', '@']) {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn fields_are_quoted_and_formulas_are_not_run() {
        assert_eq!(field("Disallow: /"), "Disallow: /");
        assert_eq!(field("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(field("=cmd|x"), "'=cmd|x");
        assert_eq!(field("-1"), "'-1");
    }
}
