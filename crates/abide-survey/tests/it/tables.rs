//! Tables that other programs write.

use crate::Trial;
use abide_survey::schema::Table;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The tables, or nothing if the machine lacks their writers. Set `ABIDE_SURVEY_PYTHON` to a Python
/// that has duckdb, polars and pyarrow.
fn tables() -> Option<TempDir> {
    let Some(python) = std::env::var_os("ABIDE_SURVEY_PYTHON") else {
        abide_testkit::needs::missing(
            "tables of other writers",
            "ABIDE_SURVEY_PYTHON, a Python with duckdb, polars and pyarrow",
        );
        return None;
    };
    let folder = TempDir::new().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tables.py");
    let ran = Command::new(python)
        .arg(script)
        .arg(folder.path())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{error}");
    Some(folder)
}

fn survey(table: PathBuf) -> Trial {
    let mut trial = Trial::new();
    trial.survey.inputs.push(table);
    trial
}

/// Every writer has types and encodings of its own for the same rows.
#[test]
fn tables_of_other_writers_are_read() {
    let Some(folder) = tables() else { return };
    for name in [
        "pyarrow-plain",
        "pyarrow-large-dictionary",
        "pyarrow-views",
        "polars",
        "duckdb",
    ] {
        let trial = survey(folder.path().join(format!("{name}.parquet")));
        let summary = trial.run();
        assert_eq!((summary.records, summary.captures), (4, 3), "{name}");
        assert_eq!(summary.followed, 1, "{name}");
        let mut files = trial.rows(Table::Files);
        files.sort_by_key(|row| row["host"].as_str().map(str::to_owned));
        let of =
            |column: &str| -> Vec<Value> { files.iter().map(|row| row[column].clone()).collect() };
        assert_eq!(
            of("host"),
            ["a.example", "b.example", "c.example"],
            "{name}"
        );
        assert_eq!(of("state"), ["rules", "missing", "rules"], "{name}");
        assert_eq!(of("status"), [200, 404, 200], "{name}");
        let date = json!("2026-01-02T03:04:05Z");
        assert_eq!(of("date"), [date.clone(), date, Value::Null], "{name}");
        let errors = trial.rows(Table::Errors);
        let errors: Vec<_> = errors
            .iter()
            .map(|row| (&row["code"], &row["place"]))
            .collect();
        assert_eq!(errors, [(&json!("no-body"), &json!("row 3"))], "{name}");
    }
}

#[test]
fn tables_with_large_pages_are_read_or_refused() {
    let Some(folder) = tables() else { return };
    let trial = survey(folder.path().join("large-duckdb.parquet"));
    assert_eq!(trial.run().captures, 60);
    assert_eq!(
        trial.cells(Table::Files, "disallow_rules"),
        vec![json!(1); 60]
    );
    let trial = survey(folder.path().join("large-pyarrow.parquet"));
    let summary = trial.run();
    assert_eq!((summary.captures, summary.failed["read"]), (0, 1));
    let message = trial.cells(Table::Errors, "message");
    let message = message[0].as_str().unwrap();
    assert!(
        message.contains("500 rows") && message.contains("smaller pages"),
        "{message}"
    );
}
