//! Tables in CSV (RFC 4180).

use super::{Place, Row, parsed, unreadable, without_column};
use crate::report::ReportError;
use crate::schema::{CellValue, Column, Kind};
use abide_contract::csv::read_text;
use csv::{Reader, ReaderBuilder, StringRecord};
use std::cell::Cell as Shared;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

/// The longest row, in bytes. A quotation mark that is never closed would make the rest of a file
/// one row.
const MAX_ROW_BYTES: u64 = 64 << 20;

pub(super) fn rows(
    path: &Path,
    columns: &[Column],
    each: &mut dyn FnMut(&Row<'_>) -> Result<(), ReportError>,
) -> Result<(), ReportError> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    let left = Rc::new(Shared::new(MAX_ROW_BYTES));
    let mut reader = ReaderBuilder::new().from_reader(Bounded {
        file,
        left: Rc::clone(&left),
    });
    let positions = positions(path, columns, &mut reader)?;
    let mut record = StringRecord::new();
    loop {
        left.set(MAX_ROW_BYTES);
        match reader.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => return Err(unreadable(path, reason(&error))),
        }
        let place = Place::Row(record.position().map_or(0, csv::Position::record));
        let mut cells: Vec<CellValue<'_>> = Vec::with_capacity(columns.len());
        for (column, at) in columns.iter().zip(&positions) {
            let text = record.get(*at).unwrap_or_default();
            let text = match column.kind {
                Kind::Text => read_text(text),
                _ => text,
            };
            cells.push(parsed(text, column, path, place)?);
        }
        let cells = &cells;
        each(&Row { path, place, cells })?;
    }
}

/// Why a row cannot be read. The line is left out: the reader counts it wrong if lines end in CR
/// LF.
fn reason(error: &csv::Error) -> String {
    let row = error.position().map_or(0, csv::Position::record);
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("row {row} has {len} cells, and the rows before have {expected_len}"),
        csv::ErrorKind::Utf8 { .. } => format!("row {row} is not UTF-8"),
        _ => error.to_string(),
    }
}

/// Where the columns are, by the header.
fn positions(
    path: &Path,
    columns: &[Column],
    reader: &mut Reader<impl Read>,
) -> Result<Vec<usize>, ReportError> {
    let header = reader.headers().map_err(|error| unreadable(path, error))?;
    let position = |column: &Column| {
        let at = header.iter().position(|name| name == column.name);
        at.ok_or_else(|| without_column(path, column.name))
    };
    columns.iter().map(position).collect()
}

/// A file of which one row may only read so much.
struct Bounded {
    file: File,
    /// The bytes that the row may still read.
    left: Rc<Shared<u64>>,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        match self.left.get().checked_sub(count as u64) {
            Some(left) => self.left.set(left),
            None => return Err(io::Error::other("a row is longer than 64 MiB")),
        }
        Ok(count)
    }
}
