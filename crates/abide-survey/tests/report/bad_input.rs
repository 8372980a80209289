//! Folders that are no survey: a clear error, and never a panic.

use crate::counting::small;
use crate::survey::{Format, Survey, file, read, weighted, write_parquet};
use abide_survey::report::{Document, Numbers, Period, Settings, Weights};
use abide_survey::schema::Table;
use serde_json::json;
use std::fs;
use std::path::Path;

/// The error, without the name of the folder.
fn error(folder: &Path) -> String {
    let error = read(folder).unwrap_err().to_string();
    error.replace(&folder.display().to_string(), "DIR")
}

fn jsonl(table: Table, text: impl AsRef<[u8]>) -> tempfile::TempDir {
    let folder = small().write(Format::JsonLines);
    fs::write(file(folder.path(), table, "jsonl"), text).unwrap();
    folder
}

#[test]
fn a_folder_that_is_no_survey() {
    let folder = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(error(folder.path()));
    insta::assert_snapshot!(error(&folder.path().join("absent")));
    fs::write(folder.path().join("notes.txt"), "x").unwrap();
    fs::create_dir_all(file(folder.path(), Table::Files, "csv")).unwrap();
    insta::assert_snapshot!(error(folder.path()));
}

#[test]
fn a_survey_without_the_table_files() {
    let folder = small().without(Table::Files).write(Format::Parquet);
    insta::assert_snapshot!(error(folder.path()));
}

#[test]
fn a_table_in_two_formats() {
    let folder = small().write(Format::Parquet);
    fs::write(file(folder.path(), Table::Files, "csv"), "").unwrap();
    insta::assert_snapshot!(error(folder.path()));
}

#[test]
fn parquet_files_of_others() {
    let folder = small().write(Format::Parquet);
    let files = file(folder.path(), Table::Files, "parquet");
    write_parquet(&files, Table::Files, small().rows(Table::Files), None);
    insta::assert_snapshot!(error(folder.path()));
    write_parquet(
        &files,
        Table::Files,
        small().rows(Table::Files),
        Some("2\u{1b}"),
    );
    insta::assert_snapshot!(error(folder.path()));
    write_parquet(
        &files,
        Table::Errors,
        small().rows(Table::Errors),
        Some("1"),
    );
    insta::assert_snapshot!(error(folder.path()));
    let whole = fs::read(file(folder.path(), Table::Robots, "parquet")).unwrap();
    for length in [0, 4, whole.len() / 2, whole.len() - 1] {
        fs::write(&files, &whole[..length]).unwrap();
        let error = error(folder.path());
        assert!(error.contains("--resume"), "{error}");
    }
}

#[test]
fn text_tables_with_mistakes() {
    let row = r#"{"capture":0,"host":"a","state":"rules","date":null}"#;
    for text in [
        "[1]".to_owned(),
        "{\"capture\":0}".to_owned(),
        row.replace("null", "\"soon\""),
        row.replace(":0,", ":\"zero\","),
        format!("{row}\n{{\"capture\":1,"),
        "\u{0}\u{1}".to_owned(),
    ] {
        insta::assert_snapshot!(error(jsonl(Table::Files, text).path()));
    }
    let folder = jsonl(Table::Files, b"{\"capture\":0,\"host\":\"\xff\"}");
    insta::assert_snapshot!(error(folder.path()));
    let folder = small().write(Format::Csv);
    let files = file(folder.path(), Table::Files, "csv");
    for text in [
        "",
        "a,b\r\n1,2\r\n",
        "capture,host,date,state\r\nx,a,,rules\r\n",
        "capture,host,date,state\r\n1,a\r\n",
    ] {
        fs::write(&files, text).unwrap();
        insta::assert_snapshot!(error(folder.path()));
    }
}

#[test]
fn rows_of_a_capture_that_are_not_together() {
    let mut survey = small().without(Table::Findings);
    for capture in [1, 1, 3, 1] {
        survey.row(
            Table::Findings,
            &json!({"capture": capture, "code": "site-closed"}),
        );
    }
    insta::assert_snapshot!(error(survey.write(Format::JsonLines).path()));
}

#[test]
fn too_many_periods() {
    let folder = small().write(Format::Parquet);
    let mut settings = Settings::default();
    settings.period = Some(Period::Day);
    assert!(Numbers::read(folder.path(), &settings).is_ok());
    let mut survey = small();
    survey.row(
        Table::Files,
        &json!({"capture": 7, "host": "old", "date": "1999-01-01T00:00:00Z", "state": "rules"}),
    );
    let folder = survey.write(Format::Parquet);
    let error = Numbers::read(folder.path(), &settings).unwrap_err();
    insta::assert_snapshot!(error.to_string());
}

#[test]
fn too_many_robots() {
    let mut survey = Survey::default();
    survey.row(
        Table::Files,
        &json!({"capture": 0, "host": "a", "state": "rules"}),
    );
    for at in 0..2001 {
        survey.row(
            Table::Robots,
            &json!({"capture": 0, "robot": format!("Bot{at}"), "path": "/", "class": "open"}),
        );
    }
    let folder = survey.write(Format::Parquet);
    insta::assert_snapshot!(error(folder.path()));
}

#[test]
fn missing_tables_say_how_to_get_them() {
    let mut survey = small();
    for table in [Table::Robots, Table::Groups, Table::Findings, Table::Errors] {
        survey = survey.without(table);
    }
    let folder = survey.write(Format::Parquet);
    let document = Document::new(&read(folder.path()).unwrap(), None);
    let mut said = Vec::new();
    for section in &document.sections {
        for paragraph in &section.paragraphs {
            let paragraph = paragraph.to_string();
            if paragraph.contains("--tables") {
                said.push(format!("{}: {}", section.id, paragraph));
            }
        }
    }
    insta::assert_snapshot!(said.join("\n"));
    document.html().unwrap();
}

#[test]
fn surveys_of_nothing() {
    for format in [Format::Parquet, Format::Csv] {
        let mut survey = Survey::default();
        for &table in Table::ALL {
            survey.empty(table);
        }
        let folder = survey.write(format);
        let document = Document::new(&read(folder.path()).unwrap(), None);
        assert!(document.html().unwrap().contains("No site answers"));
    }
}

/// Each says the line, the column and what to do.
#[test]
fn weights_with_mistakes() {
    let errors = [
        "",
        "a.example,1\n",
        "host;weight\na.example;1\n",
        "host,weight\n",
        "host,weight\r\na.example,1\r\n\r\nb.example,\r\n",
        "host,weight\na.example\n",
        "host,weight\na.example,-1\n",
        "host,weight\na.example,NaN\n",
        "host,weight\na.example,inf\n",
        "host,weight\na.example,\"1,5\"\n",
        "host,weight\na.example,1e13\n",
        "host,weight\na.example,1e-13\n",
        "host,weight\na.example,\u{1b}[31m\n",
        "host,weight\n,1\n",
        "host,weight\na.example,1\nb.example,1\nA.example,2\n",
    ];
    let said = errors.map(|csv| {
        let error = weighted(csv).unwrap_err().to_string();
        let (_, error) = error.split_once("weights.csv").unwrap();
        format!("{csv:?}\n    {error}")
    });
    insta::assert_snapshot!(said.join("\n"));
    let settings = weighted("host,weight\nwww.a.example,1\n").unwrap();
    let folder = small().write(Format::Csv);
    let error = Numbers::read(folder.path(), &settings).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("none of its hosts is in the survey")
    );
    assert!(Weights::read(folder.path()).is_err());
    let bytes = folder.path().join("bytes.csv");
    fs::write(&bytes, b"host,weight\na\xff,1\n").unwrap();
    let error = Weights::read(&bytes).unwrap_err().to_string();
    assert!(
        error.contains("line 2, column host: the line is not UTF-8"),
        "{error}"
    );
}
