//! Rows as Apache Parquet.

use super::{Layout, Row, text};
use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::{Compression, ZstdLevel};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use abide_contract::fields::Kind;
use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use std::io::{self, Write};
use std::sync::Arc;

/// Rows of a row group: it bounds what the writer keeps in memory.
const GROUP: usize = 100_000;
/// The version of the columns in docs/bulk.md.
const VERSION: &str = "1";

/// The Arrow schema of a table.
fn schema(layout: &Layout) -> Arc<Schema> {
    let field = |column: &super::Column| {
        let kind = match column.kind() {
            Kind::Integer => DataType::Int64,
            Kind::Number => DataType::Float64,
            Kind::Flag => DataType::Boolean,
            Kind::Text | Kind::Json => DataType::Utf8,
        };
        // A line that cannot be read has no value in most columns.
        Field::new(column.name(), kind, true)
    };
    Arc::new(Schema::new(
        layout.columns.iter().map(field).collect::<Vec<_>>(),
    ))
}

/// Some rows, as columns.
pub(crate) type Batch = RecordBatch;

/// Collects rows.
pub(crate) struct Batches {
    schema: Arc<Schema>,
    columns: Vec<Values>,
}

enum Values {
    Integer(Int64Builder),
    Number(Float64Builder),
    Flag(BooleanBuilder),
    Text(StringBuilder),
}

impl Batches {
    pub(crate) fn new(layout: &Layout) -> Self {
        let columns = layout.columns.iter().map(|column| match column.kind() {
            Kind::Integer => Values::Integer(Int64Builder::new()),
            Kind::Number => Values::Number(Float64Builder::new()),
            Kind::Flag => Values::Flag(BooleanBuilder::new()),
            Kind::Text | Kind::Json => Values::Text(StringBuilder::new()),
        });
        Self {
            schema: schema(layout),
            columns: columns.collect(),
        }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, layout: &Layout, row: &Row<'_>) {
        for (values, column) in self.columns.iter_mut().zip(&layout.columns) {
            values.push(&column.value(row));
        }
    }

    /// The rows so far.
    pub(crate) fn finish(&mut self) -> io::Result<Batch> {
        let columns = self.columns.iter_mut().map(Values::finish).collect();
        RecordBatch::try_new(Arc::clone(&self.schema), columns).map_err(io::Error::other)
    }
}

impl Values {
    fn push(&mut self, cell: &super::Cell<'_>) {
        use super::Cell;
        let value = match cell {
            Cell::Json(value) => Some(*value),
            _ => None,
        };
        match self {
            Self::Integer(values) => values.append_option(match cell {
                Cell::Number(number) => i64::try_from(*number).ok(),
                _ => value.and_then(serde_json::Value::as_i64),
            }),
            Self::Number(values) => values.append_option(value.and_then(serde_json::Value::as_f64)),
            Self::Flag(values) => values.append_option(value.and_then(serde_json::Value::as_bool)),
            Self::Text(values) => match cell {
                Cell::Empty => values.append_null(),
                cell => values.append_value(text::plain(cell)),
            },
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Integer(values) => Arc::new(values.finish()),
            Self::Number(values) => Arc::new(values.finish()),
            Self::Flag(values) => Arc::new(values.finish()),
            Self::Text(values) => Arc::new(values.finish()),
        }
    }
}

/// Writes a file.
pub(crate) struct Writer(ArrowWriter<Box<dyn Write + Send>>);

impl Writer {
    /// Begins a file. Its metadata has the version of the columns and the profile of the answers.
    pub(crate) fn new(
        out: Box<dyn Write + Send>,
        layout: &Layout,
        profile: Option<&str>,
    ) -> io::Result<Self> {
        let mut facts = vec![KeyValue::new(
            "abide.rows.schema".to_owned(),
            VERSION.to_owned(),
        )];
        let profile = profile.map(str::to_owned);
        facts.extend(profile.map(|name| KeyValue::new("abide.profile".to_owned(), name)));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(GROUP))
            .set_key_value_metadata(Some(facts))
            .build();
        let writer = ArrowWriter::try_new(out, schema(layout), Some(properties));
        writer.map(Self).map_err(into_io)
    }

    /// Adds rows.
    pub(crate) fn write(&mut self, batch: &Batch) -> io::Result<()> {
        self.0.write(batch).map_err(into_io)
    }

    /// Writes the rest and the footer.
    pub(crate) fn finish(self) -> io::Result<()> {
        let mut out = self.0.into_inner().map_err(into_io)?;
        out.flush()
    }
}

/// The error of the output below, if that is the cause: a closed pipe is no failure.
fn into_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(cause) => *cause,
            Err(cause) => io::Error::other(cause),
        },
        other => io::Error::other(other),
    }
}
