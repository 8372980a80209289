//! Records one by one, for programs that distribute a survey over processes, or have the records in
//! memory. [`Survey`](crate::Survey) does the rest for files.
//!
//! A record is read into an [`Item`]. Most captures go to a [`Surveyor`](crate::Surveyor) at once.
//! One that has a [`RedirectTrail`] waits until everything was read: its rules are in another
//! record.

pub use crate::input::{FoundCapture, InputProblem, Item, Original};
pub use crate::trail::{MAX_STEPS, RedirectTrail, TrailEnd};

use crate::capture::{self, RecordPlace};
use crate::input::{Packing, sources, table, warc};
use crate::schema::{Cells as _, ErrorCells, Table};
use arrow_array::RecordBatch;
use arrow_schema::Schema;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reads the records of an archive, plain or compressed record by record, and passes them to `sink`
/// until that returns false. A page has its response.
///
/// # Errors
/// An [`io::Error`] if the file cannot be read, or not further. What is wrong with its content is
/// an item.
pub fn read_archive(path: &Path, sink: &mut dyn FnMut(Item) -> bool) -> io::Result<()> {
    warc::read_with_pages(path, packing(path)?, sink)
}

/// Reads the records at these places of an archive again. Responses to requests for other URLs are
/// captures too.
///
/// # Errors
/// An [`io::Error`] if the file cannot be read.
pub fn read_again(
    path: &Path,
    places: &[u64],
    sink: &mut dyn FnMut(Item) -> bool,
) -> io::Result<()> {
    warc::read_again(path, packing(path)?, places.iter().copied(), sink)
}

fn packing(path: &Path) -> io::Result<Packing> {
    let mut start = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut start)?;
    Ok(sources::packing(&start))
}

/// Checks that rows with this schema can be read.
///
/// # Errors
/// Says in one sentence why not.
pub fn check_schema(schema: &Schema) -> Result<(), String> {
    table::check(schema)
}

/// Reads a row with the columns `url`, `status`, `headers`, `body` and `date`. Its place is `row`.
/// With `takes_pages`, responses to requests for other URLs are captures too.
pub fn read_row(
    rows: &RecordBatch,
    at: usize,
    row: u64,
    takes_pages: bool,
    sink: &mut dyn FnMut(Item) -> bool,
) {
    let record = RecordPlace::at_row(row);
    table::response(rows, at).item(&record, &|| format!("row {row}"), takes_pages, sink);
}

/// The URL as clients request it: what redirects and captures are compared by. `None` for text that
/// nobody can request.
#[must_use]
pub fn requested(url: &str) -> Option<String> {
    capture::requested(url)
}

/// Rows of table `errors`, each with the name of its source.
pub fn errors<'t>(problems: impl IntoIterator<Item = (&'t str, &'t InputProblem)>) -> RecordBatch {
    let mut rows = ErrorCells::default();
    for (source, problem) in problems {
        rows.append(&problem.row(source));
    }
    Table::Errors.batch(rows.finish())
}
