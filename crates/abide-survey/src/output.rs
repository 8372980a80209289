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
use std::io::{self, BufWriter, Write};
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

/// Writes some rows of a table into a file of their own.
pub(crate) struct PartWriter(Kinds);

enum Kinds {
    Parquet(Box<ArrowWriter<File>>),
    Csv(BufWriter<File>),
    Jsonl(BufWriter<File>),
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
        Ok(Self(match format {
            Format::Parquet => {
                let schema = Arc::new(table.schema());
                let writer = ArrowWriter::try_new(file, schema, Some(properties(table, method)));
                Kinds::Parquet(Box::new(writer.map_err(io_error)?))
            }
            Format::Csv => Kinds::Csv(BufWriter::new(file)),
            Format::Jsonl => Kinds::Jsonl(BufWriter::new(file)),
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

    /// Completes the file, on the disk.
    pub(crate) fn finish(self) -> io::Result<()> {
        let file = match self.0 {
            Kinds::Parquet(writer) => writer.into_inner().map_err(io_error)?,
            Kinds::Csv(out) | Kinds::Jsonl(out) => out.into_inner()?,
        };
        file.sync_data()
    }
}

/// Writes a file on the disk, and replaces what is at `to` at once. `write` writes it to the path
/// that it gets.
pub(crate) fn replace(to: &Path, write: impl FnOnce(&Path) -> io::Result<File>) -> io::Result<()> {
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    let draft = to.with_file_name(format!(".{name}.new"));
    let written = write(&draft).and_then(|file| file.sync_data());
    if let Err(error) = written {
        let _ = fs::remove_file(&draft);
        return Err(error);
    }
    fs::rename(&draft, to)
}

/// Joins the parts of a table, of which there is at least one, into one file.
pub(crate) fn join(parts: &[PathBuf], table: Table, format: Format, to: &Path) -> io::Result<()> {
    replace(to, |draft| match format {
        Format::Parquet => join_parquet(parts, draft),
        Format::Csv | Format::Jsonl => join_text(parts, table, format, draft),
    })
}

fn join_text(parts: &[PathBuf], table: Table, format: Format, draft: &Path) -> io::Result<File> {
    let mut out = BufWriter::new(File::create(draft)?);
    if format == Format::Csv {
        let names: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
        write!(out, "{}\r\n", names.join(","))?;
    }
    for part in parts {
        io::copy(&mut File::open(part)?, &mut out)?;
    }
    Ok(out.into_inner()?)
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
