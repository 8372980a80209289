//! Small surveys, written as `abide survey` writes them.

use abide_contract::csv::CsvRow;
use abide_survey::report::{Numbers, ReportError, Settings, Weights};
use abide_survey::schema::{Column, Kind, METADATA_KEY, Table, VERSION};
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray,
    TimestampMillisecondArray,
};
use parquet::arrow::ArrowWriter;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Format {
    Parquet,
    Csv,
    JsonLines,
}

/// Rows of tables, as JSON; columns that are left out get a value that fits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Survey {
    /// How somebody asked for the robots, which tables as text say beside them.
    pub(crate) asked: Vec<&'static str>,
    rows: BTreeMap<Table, Vec<Map<String, Value>>>,
}

impl Survey {
    /// Adds a row.
    pub(crate) fn row(&mut self, table: Table, cells: &Value) {
        let mut row = Map::new();
        for column in table.columns() {
            let default = match (column.is_nullable, column.kind) {
                (true, _) => Value::Null,
                (_, Kind::Text) => json!(""),
                (_, Kind::Number) => json!(0),
                (_, Kind::Real) => json!(0.0),
                (_, Kind::Flag) => json!(true),
                (_, Kind::Instant) => json!("2026-01-01T00:00:00Z"),
            };
            let given = cells.get(column.name).cloned();
            row.insert(column.name.to_owned(), given.unwrap_or(default));
        }
        for name in cells.as_object().unwrap().keys() {
            assert!(row.contains_key(name), "{}: {name}", table.name());
        }
        self.rows.entry(table).or_default().push(row);
    }

    /// Makes a table that has no rows.
    pub(crate) fn empty(&mut self, table: Table) {
        self.rows.entry(table).or_default();
    }

    /// Leaves a table out.
    pub(crate) fn without(mut self, table: Table) -> Self {
        self.rows.remove(&table);
        self
    }

    /// The rows of a table.
    pub(crate) fn rows(&self, table: Table) -> &[Map<String, Value>] {
        self.rows.get(&table).map_or(&[], Vec::as_slice)
    }

    /// Writes the tables into a new folder.
    pub(crate) fn write(&self, format: Format) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (table, rows) in &self.rows {
            write_table(folder.path(), *table, rows, format);
        }
        if !self.asked.is_empty() {
            let method = json!({"asked": self.asked}).to_string();
            fs::write(folder.path().join("method.json"), method).unwrap();
        }
        folder
    }

    /// The numbers of the survey.
    pub(crate) fn numbers(&self) -> Value {
        self.numbers_with(&Settings::default())
    }

    pub(crate) fn numbers_with(&self, settings: &Settings) -> Value {
        let folder = self.write(Format::JsonLines);
        let numbers = Numbers::read(folder.path(), settings).unwrap();
        serde_json::to_value(numbers).unwrap()
    }
}

/// Settings with these weights.
pub(crate) fn weighted(csv: &str) -> Result<Settings, ReportError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("weights.csv");
    fs::write(&file, csv).unwrap();
    let mut settings = Settings::default();
    settings.weights = Some(Weights::read(&file)?);
    Ok(settings)
}

/// The one of `list` whose member `member` is `name`.
pub(crate) fn one<'v>(list: &'v Value, member: &str, name: &str) -> &'v Value {
    let mut found = list.as_array().unwrap().iter();
    let found = found.find(|one| one[member] == name);
    found.unwrap_or_else(|| panic!("{name} in {list}"))
}

/// Reads a folder with the usual settings.
pub(crate) fn read(folder: &Path) -> Result<Numbers, ReportError> {
    Numbers::read(folder, &Settings::default())
}

/// The file of a table; its folder is there afterwards.
pub(crate) fn file(folder: &Path, table: Table, format: &str) -> PathBuf {
    let folder = folder.join(table.name());
    fs::create_dir_all(&folder).unwrap();
    folder.join(format!("part-00000.{format}"))
}

fn write_table(folder: &Path, table: Table, rows: &[Map<String, Value>], format: Format) {
    match format {
        Format::Parquet => {
            let path = file(folder, table, "parquet");
            write_parquet(&path, table, rows, Some(&VERSION.to_string()));
        }
        Format::Csv => {
            let path = file(folder, table, "csv");
            fs::write(path, as_csv(table, rows)).unwrap();
        }
        Format::JsonLines => {
            let path = file(folder, table, "jsonl");
            let lines: Vec<String> = rows
                .iter()
                .map(|row| format!("{}\n", Value::Object(row.clone())))
                .collect();
            fs::write(path, lines.concat()).unwrap();
        }
    }
}

pub(crate) fn write_parquet(
    path: &Path,
    table: Table,
    rows: &[Map<String, Value>],
    version: Option<&str>,
) {
    let schema = Arc::new(table.schema());
    let columns = table.columns().iter().map(|column| array(column, rows));
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns.collect()).unwrap();
    let metadata =
        version.map(|version| vec![KeyValue::new(METADATA_KEY.to_owned(), version.to_owned())]);
    let properties = WriterProperties::builder().set_key_value_metadata(metadata);
    let file = fs::File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, schema, Some(properties.build())).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn array(column: &Column, rows: &[Map<String, Value>]) -> ArrayRef {
    let cells = rows.iter().map(|row| &row[column.name]);
    match column.kind {
        Kind::Text => Arc::new(cells.map(Value::as_str).collect::<StringArray>()),
        Kind::Number => Arc::new(cells.map(Value::as_i64).collect::<Int64Array>()),
        Kind::Real => Arc::new(cells.map(Value::as_f64).collect::<Float64Array>()),
        Kind::Flag => Arc::new(cells.map(Value::as_bool).collect::<BooleanArray>()),
        Kind::Instant => {
            let instants = cells.map(|cell| cell.as_str().map(milliseconds));
            let array: TimestampMillisecondArray = instants.collect();
            Arc::new(array.with_timezone("UTC"))
        }
    }
}

fn milliseconds(text: &str) -> i64 {
    text.parse::<jiff::Timestamp>().unwrap().as_millisecond()
}

fn as_csv(table: Table, rows: &[Map<String, Value>]) -> Vec<u8> {
    let mut out = Vec::new();
    let names: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
    writeln!(out, "{}\r", names.join(",")).unwrap();
    for row in rows {
        let mut cells = CsvRow::new(&mut out);
        for name in &names {
            let written = match &row[*name] {
                Value::Null => cells.missing(),
                Value::String(text) => cells.text(text),
                other => cells.plain(other),
            };
            written.unwrap();
        }
        cells.end().unwrap();
    }
    out
}

/// One capture with its rows: the state, and what a robot may crawl.
pub(crate) struct Capture<'a> {
    pub(crate) host: &'a str,
    pub(crate) date: Option<&'a str>,
    pub(crate) state: &'a str,
    /// Robot, kind and class.
    pub(crate) robots: &'a [(&'a str, Option<&'a str>, &'a str)],
}

impl Survey {
    /// Adds a capture to the tables `files` and `robots`, and returns its number.
    pub(crate) fn capture(&mut self, capture: &Capture<'_>) -> usize {
        let number = self.rows(Table::Files).len();
        let date = capture.date.map(|day| format!("{day}T12:00:00Z"));
        let status = match capture.state {
            "missing" => json!(404),
            "unreachable" => Value::Null,
            _ => json!(200),
        };
        self.row(
            Table::Files,
            &json!({"capture": number, "host": capture.host, "date": date, "state": capture.state,
                "status": status, "bytes": 100 + number}),
        );
        self.empty(Table::Robots);
        for (robot, kind, class) in capture.robots {
            self.row(
                Table::Robots,
                &json!({"capture": number, "host": capture.host, "date": date, "state": capture.state, "robot": robot,
                    "kind": kind, "path": "/", "outcome": "permitted", "class": class,
                    "own_group": *robot == "GPTBot", "train": "unspecified",
                    "ai_input": "unspecified", "search": "unspecified"}),
            );
        }
        number
    }
}
