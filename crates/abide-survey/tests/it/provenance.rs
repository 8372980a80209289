//! Rows lead back to their records, and tables say how they were made.

use crate::archive::{compressed, frames, member, response};
use crate::{ROBOTS, Trial};
use abide_survey::Format;
use abide_survey::schema::Table;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use serde_json::{Value, json};
use std::fs::{self, File};

fn records() -> Vec<Vec<u8>> {
    let body = |site: &str| [ROBOTS, site.as_bytes()].concat();
    let url = |site: &str| format!("https://{site}.example/robots.txt");
    let mut records: Vec<_> = ["a", "b", "c"]
        .iter()
        .map(|site| response(&url(site), "200 OK", &body(&format!("# {site}\n"))))
        .collect();
    let to = "301 Moved\r\nLocation: https://b.example/robots.txt";
    records.insert(1, response("http://b.example/robots.txt", to, b""));
    records.push(response("https://a.example/page", "200 OK", b"a page"));
    records
}

fn number(row: &Value, column: &str) -> usize {
    usize::try_from(row[column].as_u64().unwrap()).unwrap()
}

/// The bytes of the record that a row is about.
fn cut(archive: &[u8], row: &Value) -> Vec<u8> {
    let start = number(row, "offset");
    archive[start..start + number(row, "length")].to_vec()
}

/// The record of each row is read again by itself: it is whole, and has the body of the row.
#[test]
fn rows_lead_to_their_records() {
    let records = records();
    // A dictionary is needed to read any frame.
    let dictionary = records[0].clone();
    let head = frames(&[], &dictionary, false);
    for (name, archive, before) in [
        ("a.warc", records.concat(), Vec::new()),
        ("a.warc.gz", compressed(&records), Vec::new()),
        ("a.warc.zst", frames(&records, &[], false), Vec::new()),
        ("b.warc.zst", frames(&records, &dictionary, false), head),
    ] {
        let trial = Trial::new().with(name, &archive);
        assert_eq!(trial.run().captures, 4, "{name}");
        let rows = trial.rows(Table::Files);
        let source = trial.folder.path().join(name);
        for row in &rows {
            assert_eq!(row["source"], source.to_str().unwrap());
            assert_eq!(row["row"], Value::Null);
            let alone = [before.clone(), cut(&archive, row)].concat();
            let again = Trial::new().with(name, &alone);
            let summary = again.run();
            assert_eq!((summary.records, summary.captures), (1, 1), "{name} {row}");
            assert!(summary.failed.is_empty(), "{name} {row}");
            let found = &again.rows(Table::Files)[0];
            assert_eq!(found["url"], row["url"], "{name}");
            if row["redirect"].is_null() {
                assert_eq!(found["digest"], row["digest"], "{name}");
            } else {
                // The record of a redirect, not the one that it leads to, which has a row too.
                assert_eq!(found["state"], "redirect-not-followed");
                let is_target = |other: &&Value| other["url"] == row["redirect"];
                let target = rows.iter().find(is_target).unwrap();
                assert_eq!(target["digest"], row["digest"]);
            }
        }
        if name == "a.warc" {
            // The records follow each other without a gap.
            let end = |row: &Value| number(row, "offset") + number(row, "length");
            let mut places: Vec<_> = rows
                .iter()
                .map(|row| (number(row, "offset"), end(row)))
                .collect();
            places.sort_unstable();
            assert!(
                places.is_sorted_by(|one, next| one.1 == next.0),
                "{places:?}"
            );
            assert!(
                rows.iter()
                    .all(|row| cut(&archive, row).starts_with(b"WARC/1.0"))
            );
        }
    }
}

/// Records that are compressed together have no length of their own.
#[test]
fn records_that_share_a_member_have_its_offset() {
    let records = records();
    let first = member(&records[0]);
    let archive = [first.clone(), member(&records[1..].concat())].concat();
    let trial = Trial::new().with("a.warc.gz", &archive);
    trial.run();
    let mut places: Vec<(Value, Value)> = trial
        .rows(Table::Files)
        .iter()
        .map(|row| (row["offset"].clone(), row["length"].clone()))
        .collect();
    places.sort_by_key(|(offset, _)| offset.as_u64());
    let shared = (json!(first.len()), Value::Null);
    let alone = (json!(0), json!(first.len()));
    assert_eq!(places, [alone, shared.clone(), shared.clone(), shared]);
}

#[test]
fn lines_rows_and_files_have_places() {
    let line = r#"{"url": "https://a.example/robots.txt", "status": 200, "body": "User-agent: *"}"#;
    let bad = r#"{"url": "https://b.example/robots.txt", "status": 99}"#;
    let text = format!("{line}\n\nno object\n{line}\n{bad}\n");
    let trial = Trial::new()
        .with("a.jsonl", text.as_bytes())
        .with("c.example", ROBOTS);
    trial.run();
    let rows = trial.rows(Table::Files);
    for row in &rows[..2] {
        assert_eq!(cut(text.as_bytes(), row), format!("{line}\n").as_bytes());
    }
    let place = |row: &Value| ["offset", "length", "row"].map(|name| row[name].clone());
    assert_eq!(place(&rows[2]), [Value::Null, Value::Null, Value::Null]);
    assert!(rows[2]["source"].as_str().unwrap().ends_with("c.example"));
    let errors = trial.rows(Table::Errors);
    let found: Vec<_> = errors
        .iter()
        .map(|row| (&row["code"], number(row, "offset"), &row["url"]))
        .collect();
    let after = text.find("no object").unwrap();
    let last = text.find(bad).unwrap();
    let url = json!("https://b.example/robots.txt");
    assert_eq!(
        found,
        [
            (&json!("json"), after, &Value::Null),
            (&json!("http-status"), last, &url)
        ]
    );
    // The table of another survey as input: its rows are counted.
    let mut first = Trial::new().with("a.jsonl", text.as_bytes());
    first.survey.format = Format::Parquet;
    first.run();
    let bytes = fs::read(first.path(Table::Files)).unwrap();
    let second = Trial::new().with("a.parquet", &bytes);
    second.run();
    assert_eq!(second.cells(Table::Files, "row"), [0, 1]);
    assert_eq!(
        second.cells(Table::Files, "offset"),
        [Value::Null, Value::Null]
    );
}

/// What could not be read is named with its site, so that nobody has to guess whom a survey lacks.
#[test]
fn errors_name_the_url() {
    let url = |site: &str| format!("https://{site}.example/robots.txt");
    let mut broken = member(&response(&url("broken"), "200 OK", ROBOTS));
    let checksum = broken.len() - 8;
    broken[checksum] ^= 0xff;
    let mut archive = member(&response(&url("early"), "99 Early", b""));
    let at = archive.len();
    archive.extend(&broken);
    archive.extend(member(&response(&url("fine"), "200 OK", ROBOTS)));
    let cut = member(&response(&url("cut"), "200 OK", &ROBOTS.repeat(50)));
    let cut_at = archive.len();
    archive.extend(&cut[..cut.len() - 20]);
    let trial = Trial::new().with("a.warc.gz", &archive);
    trial.run();
    let errors = trial.rows(Table::Errors);
    let found: Vec<_> = errors
        .iter()
        .map(|row| {
            (
                row["code"].as_str().unwrap(),
                number(row, "offset"),
                row["url"].clone(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("http-status", 0, json!(url("early"))),
            // Nothing of a small member that is damaged is used, not even its head.
            ("gzip-damaged", at, Value::Null),
            ("gzip-cut", cut_at, json!(url("cut"))),
        ]
    );
    assert_eq!(trial.cells(Table::Files, "host"), ["fine.example"]);
}

/// In every format, and for each table by itself in Parquet.
#[test]
fn tables_say_how_they_were_made() {
    let mut methods = Vec::new();
    for format in [Format::Parquet, Format::Csv, Format::Jsonl] {
        let mut trial = Trial::new()
            .with("in/a.example", b"User-agent: *\n")
            .with("b.warc", &records().concat());
        trial.survey.format = format;
        trial.survey.options.literal = true;
        trial.run();
        let text = if format == Format::Parquet {
            let tables = trial.survey.options.tables.iter();
            let mut texts: Vec<String> = tables
                .map(|table| metadata(File::open(trial.path(*table)).unwrap()))
                .collect();
            texts.dedup();
            assert_eq!(texts.len(), 1);
            texts.remove(0)
        } else {
            fs::read_to_string(trial.survey.folder.join("method.json")).unwrap()
        };
        methods.push(serde_json::from_str::<Value>(&text).unwrap());
    }
    let size = records().concat().len();
    let lines = format!("14 a.example\n{size} b.warc\n");
    let digest = ring::digest::digest(&ring::digest::SHA256, lines.as_bytes());
    let digest: String = digest
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert!(methods[0]["known_robots"].as_str() > Some("2026-01-01"));
    let expected = json!({
        "abide": env!("CARGO_PKG_VERSION"),
        "tables_version": 1,
        "known_robots": methods[0]["known_robots"],
        "robots": ["GPTBot", "CCBot", "*"],
        "asked": [],
        "purposes": [],
        "paths": ["/"],
        "profile": "careful",
        "literal": true,
        "verified": false,
        "what_if": [],
        "tables": [
            "files", "robots", "groups", "agents", "rules", "sitemaps", "directives", "acap",
            "preferences", "errors",
        ],
        "inputs": {"files": 2, "bytes": 14 + size, "sha256": digest},
    });
    for method in methods {
        assert_eq!(method, expected);
    }
}

fn metadata(file: File) -> String {
    let reader = SerializedFileReader::new(file).unwrap();
    let about = reader.metadata().file_metadata().key_value_metadata();
    let mut facts = about.unwrap().iter();
    let method = facts
        .find(|fact| fact.key == "abide.survey.method")
        .unwrap();
    method.value.clone().unwrap()
}

/// The report has it, from any format, and says so if there is nothing.
#[cfg(feature = "report")]
#[test]
fn a_report_says_how_the_survey_was_made() {
    use abide_survey::report::{Document, Numbers, ReportError, Settings};

    for format in [Format::Parquet, Format::Csv, Format::Jsonl] {
        let mut trial = Trial::new().with("a.warc", &records().concat());
        trial.survey.format = format;
        trial.run();
        let read = || Numbers::read(&trial.survey.folder, &Settings::default());
        let numbers = read().unwrap();
        let page = Document::new(&numbers, None).html().unwrap();
        let method = numbers.method.unwrap();
        assert_eq!(method.inputs.files, 1);
        assert!(page.contains(&method.inputs.sha256) && page.contains("id=\"method\""));
        if format == Format::Parquet {
            continue;
        }
        let path = trial.survey.folder.join("method.json");
        fs::write(&path, "{").unwrap();
        assert!(matches!(read(), Err(ReportError::Unreadable { .. })));
        fs::remove_file(path).unwrap();
        let numbers = read().unwrap();
        let page = Document::new(&numbers, None).html().unwrap();
        assert!(numbers.method.is_none() && page.contains("do not say how"));
    }
}
