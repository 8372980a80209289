//! The tables of a survey, read row by row.

mod comma;
mod json_lines;
mod parquet;

use super::ReportError;
use crate::method::{self, Method};
use crate::output::Format;
use crate::schema::{CellValue, Column, Instant, Kind, Table, Text};
use abide::Named;
use abide::explain::{quoted, visible};
use std::io;
use std::path::{Path, PathBuf};

/// The tables that a folder has.
#[derive(Debug)]
pub(super) struct Tables {
    found: Vec<Stored>,
}

/// One table in its folder.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    table: Table,
    format: Format,
    /// The folder.
    pub(super) path: PathBuf,
    /// The files in it, of which there is at least one, in the order of the rows.
    files: Vec<PathBuf>,
}

impl Tables {
    /// Finds the tables in `folder`.
    pub(super) fn find(folder: &Path) -> Result<Self, ReportError> {
        let entries = std::fs::read_dir(folder).map_err(|source| ReportError::Folder {
            path: folder.to_owned(),
            source,
        })?;
        drop(entries);
        let mut found = Vec::new();
        for &table in Table::ALL {
            found.extend(stored(folder, table)?);
        }
        if found.is_empty() {
            return Err(ReportError::NoTables {
                path: folder.to_owned(),
            });
        }
        Ok(Self { found })
    }

    /// A table, if the folder has it.
    pub(super) fn get(&self, table: Table) -> Option<&Stored> {
        self.found.iter().find(|stored| stored.table == table)
    }
}

/// The files of a table in `folder`.
fn stored(folder: &Path, table: Table) -> Result<Option<Stored>, ReportError> {
    let path = folder.join(table.name());
    let Ok(entries) = std::fs::read_dir(&path) else {
        return Ok(None);
    };
    let files = entries.filter_map(|entry| {
        let path = entry.ok()?.path();
        // As other readers do: files whose names begin with these are of no table.
        let is_other = path.file_name()?.to_str()?.starts_with(['.', '_']);
        let format: Format = Named::by_name(path.extension()?.to_str()?)?;
        (!is_other && path.is_file()).then_some((path, format))
    });
    let mut files: Vec<(PathBuf, Format)> = files.collect();
    files.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    let Some((first, format)) = files.first().cloned() else {
        return Ok(None);
    };
    if let Some((second, _)) = files.iter().find(|file| file.1 != format) {
        let name = |path: &Path| visible(path.file_name().unwrap_or_default().as_encoded_bytes());
        return Err(ReportError::Twice {
            first: name(&first),
            second: name(second),
            path,
        });
    }
    Ok(Some(Stored {
        table,
        format,
        path,
        files: files.into_iter().map(|file| file.0).collect(),
    }))
}

impl Stored {
    /// Calls `each` for every row, with the cells of the columns `names` in this order; `rows!`
    /// reads them. Holds one batch of rows in memory.
    pub(super) fn rows(
        &self,
        names: &[&'static str],
        each: &mut dyn FnMut(&Row<'_>) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        let columns: Vec<Column> = names.iter().filter_map(|name| self.column(name)).collect();
        debug_assert_eq!(columns.len(), names.len(), "the schema has these columns");
        for file in &self.files {
            match self.format {
                Format::Parquet => parquet::rows(file, &columns, each)?,
                Format::Csv => comma::rows(file, &columns, each)?,
                Format::Jsonl => json_lines::rows(file, &columns, each)?,
            }
        }
        Ok(())
    }

    /// How the survey was made, if the table says so.
    pub(super) fn method(&self) -> Result<Option<Method>, ReportError> {
        let text = match (self.format, self.files.first()) {
            (Format::Parquet, Some(first)) => parquet::metadata(first, method::METADATA_KEY)?,
            _ => beside(&self.path.with_file_name(method::FILE))?,
        };
        let read = text.map(|text| serde_json::from_str(&text));
        read.transpose()
            .map_err(|error| unreadable(&self.path, format!("how it was made: {error}")))
    }

    fn column(&self, name: &str) -> Option<Column> {
        let columns = self.table.columns().iter();
        columns.copied().find(|column| column.name == name)
    }
}

/// The text of a file that need not be there.
fn beside(path: &Path) -> Result<Option<String>, ReportError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(path, error)),
    }
}

/// One row: the cells of the columns that were asked for.
#[derive(Debug)]
pub(super) struct Row<'a> {
    path: &'a Path,
    place: Place,
    cells: &'a [CellValue<'a>],
}

/// Reads columns of a table by their names in the types of its rows, and calls a closure with them
/// for every row, so that no two columns can be swapped:
/// `rows!(table, CaptureRow { capture } GroupRow { names }, |row| …)`.
macro_rules! rows {
    ($table:expr, $($of:ident { $($name:ident),+ })+, |$row:ident| $each:expr) => {
        $table.rows(&[$($(stringify!($name)),+),+], &mut |$row| {
            let mut cells = $row.cells();
            $(let $of { $($name,)+ .. } = $of {
                $($name: cells.next().and_then(ReadCell::read).unwrap_or_default(),)+
                ..$of::default()
            };)+
            $each
        })
    };
}
pub(super) use rows;

/// A cell that is read; nothing of an empty one.
pub(super) trait ReadCell<'c>: Sized {
    fn read(cell: CellValue<'c>) -> Option<Self>;
}

impl<'c> ReadCell<'c> for Text<'c> {
    fn read(cell: CellValue<'c>) -> Option<Self> {
        match cell {
            CellValue::Text(text) => Some(text.into()),
            _ => None,
        }
    }
}

impl ReadCell<'_> for i64 {
    fn read(cell: CellValue<'_>) -> Option<Self> {
        match cell {
            CellValue::Number(number) => Some(number),
            _ => None,
        }
    }
}

impl ReadCell<'_> for bool {
    fn read(cell: CellValue<'_>) -> Option<Self> {
        match cell {
            CellValue::Flag(flag) => Some(flag),
            _ => None,
        }
    }
}

impl ReadCell<'_> for Instant {
    fn read(cell: CellValue<'_>) -> Option<Self> {
        match cell {
            CellValue::Instant(instant) => Some(Self(instant)),
            _ => None,
        }
    }
}

impl<'c, T: ReadCell<'c>> ReadCell<'c> for Option<T> {
    fn read(cell: CellValue<'c>) -> Option<Self> {
        Some(T::read(cell))
    }
}

/// Where in its file a row is.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// A line, counted from 1.
    Line(u64),
    /// A row, counted from 1.
    Row(u64),
}

impl Place {
    fn shown(self) -> String {
        match self {
            Self::Line(number) => format!("line {number}"),
            Self::Row(number) => format!("row {number}"),
        }
    }
}

impl Row<'_> {
    /// The cells, in the order of the columns.
    pub(super) fn cells(&self) -> impl Iterator<Item = CellValue<'_>> {
        self.cells.iter().copied()
    }

    /// The error of a row that is apart from the other rows of its capture.
    pub(super) fn apart(&self) -> ReportError {
        ReportError::Apart {
            path: self.path.to_owned(),
            place: self.place.shown(),
        }
    }
}

/// Reads the text of a cell, as CSV has it.
fn parsed<'a>(
    text: &'a str,
    column: &Column,
    path: &Path,
    place: Place,
) -> Result<CellValue<'a>, ReportError> {
    if text.is_empty() && (column.is_nullable || column.kind == Kind::Text) {
        return Ok(CellValue::Empty);
    }
    let cell = match column.kind {
        Kind::Text => Some(CellValue::Text(text)),
        Kind::Number => text.parse().ok().map(CellValue::Number),
        Kind::Flag => match text {
            "true" | "yes" => Some(CellValue::Flag(true)),
            "false" | "no" => Some(CellValue::Flag(false)),
            _ => None,
        },
        Kind::Instant => instant(text).map(CellValue::Instant),
        Kind::Real => text.parse().ok().map(CellValue::Real),
    };
    cell.ok_or_else(|| unexpected(&format!("\"{text}\""), column, path, place))
}

/// An instant as RFC 3339 writes it, or a number of milliseconds.
fn instant(text: &str) -> Option<i64> {
    let written = text.parse::<jiff::Timestamp>().ok();
    written
        .map(jiff::Timestamp::as_millisecond)
        .or_else(|| text.parse().ok())
}

/// The error of a cell that does not hold what its column has.
fn unexpected(found: &str, column: &Column, path: &Path, place: Place) -> ReportError {
    ReportError::Cell {
        path: path.to_owned(),
        place: place.shown(),
        column: column.name,
        expected: match column.kind {
            Kind::Text => "text",
            Kind::Number => "a whole number",
            Kind::Real => "a number",
            Kind::Flag => "true or false",
            Kind::Instant => "an instant such as 2026-05-01T12:00:00Z",
        },
        found: match found {
            "\"\"" => "nothing".to_owned(),
            text => visible(quoted(text.as_bytes()).as_bytes()),
        },
    }
}

/// The error of a table without a column.
fn without_column(path: &Path, column: &str) -> ReportError {
    ReportError::Foreign {
        path: path.to_owned(),
        why: format!("it has no column {column}"),
    }
}

/// The error of a file that cannot be read.
fn unreadable(path: &Path, error: impl std::fmt::Display) -> ReportError {
    ReportError::Unreadable {
        path: path.to_owned(),
        message: format!(
            "the table cannot be read: {}; if the survey was interrupted, finish it with abide survey --resume",
            visible(error.to_string().as_bytes())
        ),
    }
}
