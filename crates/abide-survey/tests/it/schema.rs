//! The tables of the documentation are those of the code.

use abide_survey::records::InputProblem;
use abide_survey::schema::{Kind, Table};
use abide_testkit::generated::assert_part_up_to_date;
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
    assert_part_up_to_date("docs/survey.md", "columns", tables.trim_start());
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
