//! Tables in files.

use crate::method;
use crate::schema::{self, CellValue, Kind, Table};
use abide_contract::csv::CsvRow;
use arrow_array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The format of the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Format {
    /// Apache Parquet, compressed with zstd.
    #[default]
    Parquet,
    /// Comma-separated values with a header line (RFC 4180).
    Csv,
    /// One JSON object per line.
    Jsonl,
}

// Files have the names as extensions.
abide::named!(Format, [Parquet = "parquet", Csv = "csv", Jsonl = "jsonl"]);

/// The folder in the folder of the tables that has the parts of a survey until it is complete.
pub(crate) const STATE_FOLDER: &str = ".abide-survey";
/// The journal, in this folder.
pub(crate) const JOURNAL: &str = "journal.jsonl";

/// What an entry of the journal says about the tables.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct End {
    /// Whether they are complete.
    #[serde(default)]
    pub(crate) is_published: bool,
}

/// The largest number of rows of a row group.
const MAX_GROUP_ROWS: usize = 1 << 16;
/// A row group with about this many bytes in memory is written.
const GROUP_BYTES: usize = 8 << 20;

/// How much of a table may be in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileSize {
    pub(crate) bytes: u64,
    /// Row groups; none in text.
    pub(crate) groups: usize,
}

impl FileSize {
    /// A file is made of smaller ones, so it takes as much space again for a moment.
    pub(crate) const MAX_FILE: Self = Self {
        bytes: 256 << 20,
        // Readers keep about 10 KB of memory for each, and Parquet allows 32,767.
        groups: 4_096,
    };

    pub(crate) const fn plus(self, other: Self) -> Self {
        Self {
            bytes: self.bytes + other.bytes,
            groups: self.groups + other.groups,
        }
    }

    pub(crate) const fn fits(self, most: Self) -> bool {
        self.bytes <= most.bytes && self.groups <= most.groups
    }

    /// The size of a part; `None` if it is not there.
    pub(crate) fn of(part: &Path, format: Format) -> io::Result<Option<Self>> {
        let file = match File::open(part) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let bytes = file.metadata()?.len();
        let groups = match format {
            Format::Parquet => {
                let reader = SerializedFileReader::new(file).map_err(io_error)?;
                reader.metadata().num_row_groups()
            }
            Format::Csv | Format::Jsonl => 0,
        };
        Ok(Some(Self { bytes, groups }))
    }
}

/// Writes some rows of a table into a file of their own.
pub(crate) struct PartWriter(Kinds);

enum Kinds {
    Parquet(Box<ArrowWriter<File>>),
    Csv(BufWriter<Counted>),
    Jsonl(BufWriter<Counted>),
}

/// A file, and how much was written into it.
struct Counted {
    file: File,
    bytes: u64,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl PartWriter {
    /// `method` says how the survey is made.
    pub(crate) fn create(
        path: &Path,
        table: Table,
        format: Format,
        method: &str,
    ) -> io::Result<Self> {
        let file = File::create(path)?;
        let text = |file| BufWriter::new(Counted { file, bytes: 0 });
        Ok(Self(match format {
            Format::Parquet => {
                let schema = Arc::new(table.schema());
                let writer = ArrowWriter::try_new(file, schema, Some(properties(table, method)));
                Kinds::Parquet(Box::new(writer.map_err(io_error)?))
            }
            Format::Csv => {
                let mut out = text(file);
                out.write_all(csv_header(table).as_bytes())?;
                Kinds::Csv(out)
            }
            Format::Jsonl => Kinds::Jsonl(text(file)),
        }))
    }

    pub(crate) fn write(&mut self, rows: &RecordBatch) -> io::Result<()> {
        match &mut self.0 {
            Kinds::Parquet(writer) => {
                writer.write(rows).map_err(io_error)?;
                if writer.in_progress_size() > GROUP_BYTES {
                    writer.flush().map_err(io_error)?;
                }
                Ok(())
            }
            Kinds::Csv(out) => write_csv(out, rows),
            Kinds::Jsonl(out) => write_jsonl(out, rows),
        }
    }

    /// About how large the file will be.
    pub(crate) fn size(&self) -> FileSize {
        match &self.0 {
            Kinds::Parquet(writer) => FileSize {
                bytes: (writer.bytes_written() + writer.in_progress_size()) as u64,
                groups: writer.flushed_row_groups().len() + 1,
            },
            Kinds::Csv(out) | Kinds::Jsonl(out) => FileSize {
                bytes: out.get_ref().bytes + out.buffer().len() as u64,
                groups: 0,
            },
        }
    }

    /// Completes the file, on the disk.
    pub(crate) fn finish(self) -> io::Result<()> {
        let file = match self.0 {
            Kinds::Parquet(writer) => writer.into_inner().map_err(io_error)?,
            Kinds::Csv(out) | Kinds::Jsonl(out) => out.into_inner()?.file,
        };
        file.sync_data()
    }
}

/// Writes a file on the disk, and replaces what is at `to` at once. `write` writes it to the path
/// that it gets.
pub(crate) fn replace(to: &Path, write: impl FnOnce(&Path) -> io::Result<File>) -> io::Result<()> {
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    replace_by(&to.with_file_name(format!(".{name}.new")), to, write)
}

/// Replaces what is at `to` at once, by what `write` writes to `draft`.
fn replace_by(
    draft: &Path,
    to: &Path,
    write: impl FnOnce(&Path) -> io::Result<File>,
) -> io::Result<()> {
    let written = write(draft).and_then(|file| file.sync_data());
    if let Err(error) = written {
        let _ = fs::remove_file(draft);
        return Err(error);
    }
    changed();
    fs::rename(draft, to)
}

/// Called after each change on the disk that a kill may be the last of.
#[cfg(not(test))]
pub(crate) const fn changed() {}

#[cfg(test)]
pub(crate) fn changed() {
    AT_CHANGE.with_borrow_mut(|at_change| at_change.iter_mut().for_each(|look| look()));
}

/// Calls `look` after every change that this thread makes from now on.
#[cfg(test)]
pub(crate) fn at_every_change(look: Option<Box<dyn FnMut()>>) {
    AT_CHANGE.set(look);
}

#[cfg(test)]
type AtChange = std::cell::RefCell<Option<Box<dyn FnMut()>>>;

#[cfg(test)]
thread_local! {
    static AT_CHANGE: AtChange = const { AtChange::new(None) };
}

/// Where a file of a table is, of those that are counted from 0. They are in the order of their
/// names.
pub(crate) fn file_path(folder: &Path, table: Table, format: Format, number: usize) -> PathBuf {
    let name = format!("part-{number:05}.{}", format.name());
    folder.join(table.name()).join(name)
}

/// Makes these parts of a table a file. They stay, unless there is only one, which is moved or was.
pub(crate) fn place(parts: &[PathBuf], table: Table, format: Format, to: &Path) -> io::Result<()> {
    let Some((first, others)) = parts.split_first() else {
        return Ok(());
    };
    if others.is_empty() {
        return match fs::rename(first, to) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && to.is_file() => Ok(()),
            moved => moved,
        };
    }
    // Some readers take every file in the folder of a table.
    replace_by(&first.with_extension("joined"), to, |draft| match format {
        Format::Parquet => join_parquet(parts, draft),
        Format::Csv => join_text(parts, csv_header(table).len() as u64, draft),
        Format::Jsonl => join_text(parts, 0, draft),
    })
}

/// `header` is the length of what only the first part keeps.
fn join_text(parts: &[PathBuf], header: u64, draft: &Path) -> io::Result<File> {
    let mut out = File::create(draft)?;
    for (number, part) in parts.iter().enumerate() {
        let mut part = File::open(part)?;
        if number > 0 {
            part.seek(SeekFrom::Start(header))?;
        }
        io::copy(&mut part, &mut out)?;
    }
    Ok(out)
}

fn csv_header(table: Table) -> String {
    let names: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
    format!("{}\r\n", names.join(","))
}

/// Copies the row groups as they are.
fn join_parquet(parts: &[PathBuf], draft: &Path) -> io::Result<File> {
    let mut out: Option<SerializedFileWriter<File>> = None;
    for part in parts {
        let file = File::open(part)?;
        let reader = SerializedFileReader::new(file.try_clone()?).map_err(io_error)?;
        let about = reader.metadata().file_metadata();
        let out = if let Some(out) = &mut out {
            out
        } else {
            let schema = about.schema_descr().root_schema_ptr();
            let known = about.key_value_metadata().cloned();
            let properties = writer_properties().set_key_value_metadata(known).build();
            let created =
                SerializedFileWriter::new(File::create(draft)?, schema, Arc::new(properties));
            out.insert(created.map_err(io_error)?)
        };
        for group in reader.metadata().row_groups() {
            let mut joined = out.next_row_group().map_err(io_error)?;
            for column in group.columns() {
                let close = ColumnCloseResult {
                    bytes_written: u64::try_from(column.compressed_size()).unwrap_or(0),
                    rows_written: u64::try_from(group.num_rows()).unwrap_or(0),
                    metadata: column.clone(),
                    bloom_filter: None,
                    column_index: None,
                    offset_index: None,
                };
                joined.append_column(&file, close).map_err(io_error)?;
            }
            joined.close().map_err(io_error)?;
        }
    }
    let out = out.ok_or_else(|| io::Error::other("there are no parts"))?;
    out.into_inner().map_err(io_error)
}

fn writer_properties() -> parquet::file::properties::WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(MAX_GROUP_ROWS))
        .set_created_by(format!("abide-survey {}", env!("CARGO_PKG_VERSION")))
}

fn properties(table: Table, method: &str) -> WriterProperties {
    let version = schema::VERSION.to_string();
    let facts = [
        (schema::METADATA_KEY, version.as_str()),
        (method::METADATA_KEY, method),
    ];
    let facts = facts.map(|(key, value)| KeyValue::new(key.to_owned(), value.to_owned()));
    let properties = writer_properties().set_key_value_metadata(Some(facts.into()));
    // The rows are not sorted by any text, so its range in a row group would help no reader.
    let columns = table.columns().iter();
    let texts = columns.filter(|column| column.kind == Kind::Text);
    let properties = texts.fold(properties, |properties, column| {
        let path = ColumnPath::from(column.name);
        properties.set_column_statistics_enabled(path, EnabledStatistics::None)
    });
    properties.build()
}

fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(inner) => *inner,
            Err(inner) => io::Error::other(inner),
        },
        other => io::Error::other(other),
    }
}

fn write_csv(out: &mut impl Write, rows: &RecordBatch) -> io::Result<()> {
    for row in 0..rows.num_rows() {
        let mut written = CsvRow::new(out);
        for column in rows.columns() {
            match CellValue::of(column, row) {
                CellValue::Empty => written.missing()?,
                CellValue::Text(text) => written.text(text)?,
                other => written.plain(other)?,
            }
        }
        written.end()?;
    }
    Ok(())
}

fn write_jsonl(out: &mut impl Write, rows: &RecordBatch) -> io::Result<()> {
    let schema = rows.schema();
    for row in 0..rows.num_rows() {
        for (at, (field, column)) in schema.fields().iter().zip(rows.columns()).enumerate() {
            let before = if at == 0 { '{' } else { ',' };
            write!(out, "{before}\"{}\":", field.name())?;
            match CellValue::of(column, row) {
                CellValue::Empty => out.write_all(b"null")?,
                CellValue::Text(text) => serde_json::to_writer(&mut *out, text)?,
                instant @ CellValue::Instant(_) => write!(out, "\"{instant}\"")?,
                other => write!(out, "{other}")?,
            }
        }
        out.write_all(b"}\n")?;
    }
    Ok(())
}
