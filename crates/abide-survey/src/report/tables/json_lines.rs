//! Tables in JSON Lines.

use super::{Place, Row, instant, unexpected, unreadable, without_column};
use crate::report::ReportError;
use crate::schema::{CellValue, Column, Kind};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

/// The longest line, in bytes.
const MAX_LINE_BYTES: u64 = 64 << 20;

pub(super) fn rows(
    path: &Path,
    columns: &[Column],
    each: &mut dyn FnMut(&Row<'_>) -> Result<(), ReportError>,
) -> Result<(), ReportError> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = (&mut reader)
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut line);
        let read = read.map_err(|error| unreadable(path, error))?;
        if read == 0 {
            break;
        }
        if read as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n") {
            let why = format!("line {number} is longer than 64 MiB");
            return Err(unreadable(path, why));
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let object: Map<String, Value> = serde_json::from_slice(&line)
            .map_err(|error| unreadable(path, reason(number, &error)))?;
        object_row(path, columns, &object, Place::Line(number), each)?;
    }
    Ok(())
}

/// Why a line is not an object.
fn reason(line: u64, error: &serde_json::Error) -> String {
    let column = error.column();
    let why = error.to_string();
    // The parser sees one line at a time.
    let why = why.split(" at line ").next().unwrap_or_default();
    format!("line {line}, column {column}: {why}")
}

fn object_row(
    path: &Path,
    columns: &[Column],
    object: &Map<String, Value>,
    place: Place,
    each: &mut dyn FnMut(&Row<'_>) -> Result<(), ReportError>,
) -> Result<(), ReportError> {
    let mut cells = Vec::with_capacity(columns.len());
    for column in columns {
        cells.push(match object.get(column.name) {
            Some(value) => cell(value, column, path, place)?,
            None if column.is_nullable => CellValue::Empty,
            None => return Err(without_column(path, column.name)),
        });
    }
    let cells = &cells;
    each(&Row { path, place, cells })
}

fn cell<'a>(
    value: &'a Value,
    column: &Column,
    path: &Path,
    place: Place,
) -> Result<CellValue<'a>, ReportError> {
    let found = match (column.kind, value) {
        (_, Value::Null) if column.is_nullable => Some(CellValue::Empty),
        (Kind::Text, Value::String(text)) => Some(CellValue::Text(text)),
        (Kind::Number, Value::Number(number)) => number.as_i64().map(CellValue::Number),
        (Kind::Flag, Value::Bool(flag)) => Some(CellValue::Flag(*flag)),
        (Kind::Instant, Value::String(text)) => instant(text).map(CellValue::Instant),
        (Kind::Instant, Value::Number(number)) => number.as_i64().map(CellValue::Instant),
        _ => None,
    };
    found.ok_or_else(|| unexpected(&value.to_string(), column, path, place))
}
