//! The tables of the documentation are those of the code.

use abide_survey::records::InputProblem;
use abide_survey::schema::{Kind, Table};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What readers call the kinds of cells.
const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "text",
        Kind::Number => "integer",
        Kind::Real => "number",
        Kind::Flag => "boolean",
        Kind::Instant => "instant",
    }
}

/// Set `ABIDE_BLESS` to write them.
#[test]
fn the_documentation_has_every_column() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/survey.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("<!-- columns -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- end of columns -->").unwrap();
    let mut tables = String::new();
    for &table in Table::ALL {
        tables += &format!(
            "\n### {}\n\n| column | type | meaning |\n|---|---|---|\n",
            table.name()
        );
        for column in table.columns() {
            let empty = if column.is_nullable {
                ", may be empty"
            } else {
                ""
            };
            tables += &format!(
                "| `{}` | {}{empty} | {} |\n",
                column.name,
                kind(column.kind),
                column.meaning
            );
        }
    }
    let right = format!("{before}<!-- columns -->\n{tables}\n<!-- end of columns -->{after}");
    if std::env::var_os("ABIDE_BLESS").is_some() {
        fs::write(&path, &right).unwrap();
    }
    assert!(
        text == right || std::env::var_os("ABIDE_BLESS").is_some(),
        "docs/survey.md is not up to date: run this test with ABIDE_BLESS=1"
    );
}

#[test]
fn the_documentation_has_every_code_of_errors() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/survey.md");
    let text = fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once("\n## Errors\n").unwrap();
    let (section, _) = rest.split_once("\n## ").unwrap();
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let documented: BTreeSet<&str> = cells
        .flat_map(|line| line.split(" | ").next().unwrap_or_default().split(", "))
        .map(|code| code.trim_matches('`'))
        .collect();
    assert_eq!(documented, InputProblem::CODES.iter().copied().collect());
}
