//! Tables in Parquet.

use super::{ColumnValue, Place, Row, unreadable, without_column};
use crate::report::ReportError;
use crate::schema::{Column, Kind, METADATA_KEY, VERSION};
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int64Type, TimestampMillisecondType};
use arrow_array::{
    Array, BooleanArray, Int64Array, RecordBatch, StringArray, TimestampMillisecondArray,
};
use arrow_schema::{DataType, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::borrow::Cow;
use std::fs::File;
use std::path::Path;

/// The rows that are in memory at a time.
const BATCH: usize = 4096;

pub(super) fn rows(
    path: &Path,
    columns: &[Column],
    each: &mut dyn FnMut(&Row<'_>) -> Result<(), ReportError>,
) -> Result<(), ReportError> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(file);
    let reader = reader.map_err(|error| unreadable(path, error))?;
    check_version(path, &reader)?;
    for column in columns {
        check_column(path, reader.schema(), column)?;
    }
    let names = columns.iter().map(|column| column.name);
    let mask = ProjectionMask::columns(reader.parquet_schema(), names);
    let batches = reader.with_projection(mask).with_batch_size(BATCH).build();
    let batches = batches.map_err(|error| unreadable(path, error))?;
    let mut number = 0;
    for batch in batches {
        let batch = batch.map_err(|error| unreadable(path, error))?;
        batch_rows(path, columns, &batch, &mut number, each)?;
    }
    Ok(())
}

/// Checks that the file says that it has the schema of this version.
fn check_version(
    path: &Path,
    reader: &ParquetRecordBatchReaderBuilder<File>,
) -> Result<(), ReportError> {
    let entries = reader.metadata().file_metadata().key_value_metadata();
    let entry = entries
        .into_iter()
        .flatten()
        .find(|entry| entry.key == METADATA_KEY);
    let Some(found) = entry.and_then(|entry| entry.value.clone()) else {
        return Err(ReportError::Foreign {
            path: path.to_owned(),
            why: format!("its metadata has no {METADATA_KEY}"),
        });
    };
    if found == VERSION.to_string() {
        Ok(())
    } else {
        let path = path.to_owned();
        Err(ReportError::Version { path, found })
    }
}

/// Checks that the file has the column, with its type.
fn check_column(
    path: &Path,
    schema: &arrow_schema::Schema,
    column: &Column,
) -> Result<(), ReportError> {
    let field = schema.field_with_name(column.name);
    let field = field.map_err(|_| without_column(path, column.name))?;
    let fits = match column.kind {
        Kind::Text => matches!(field.data_type(), DataType::Utf8),
        Kind::Number => matches!(field.data_type(), DataType::Int64),
        Kind::Real => matches!(field.data_type(), DataType::Float64),
        Kind::Flag => matches!(field.data_type(), DataType::Boolean),
        Kind::Instant => matches!(
            field.data_type(),
            DataType::Timestamp(TimeUnit::Millisecond, _)
        ),
    };
    if fits {
        return Ok(());
    }
    Err(ReportError::Foreign {
        path: path.to_owned(),
        why: format!("its column {} is of another type", column.name),
    })
}

/// A column of a batch.
enum Values<'a> {
    Text(&'a StringArray),
    Number(&'a Int64Array),
    Flag(&'a BooleanArray),
    Instant(&'a TimestampMillisecondArray),
}

impl<'a> Values<'a> {
    fn of(batch: &'a RecordBatch, column: &Column) -> Option<Self> {
        let array: &'a dyn Array = batch.column_by_name(column.name)?;
        match column.kind {
            Kind::Text => array.as_string_opt().map(Self::Text),
            Kind::Number => array.as_primitive_opt::<Int64Type>().map(Self::Number),
            Kind::Flag => array.as_boolean_opt().map(Self::Flag),
            Kind::Instant => array
                .as_primitive_opt::<TimestampMillisecondType>()
                .map(Self::Instant),
            Kind::Real => None,
        }
    }

    fn cell(&self, at: usize) -> ColumnValue<'a> {
        match self {
            Self::Text(array) if array.is_valid(at) => {
                ColumnValue::Text(Cow::Borrowed(array.value(at)))
            }
            Self::Number(array) if array.is_valid(at) => ColumnValue::Number(array.value(at)),
            Self::Flag(array) if array.is_valid(at) => ColumnValue::Flag(array.value(at)),
            Self::Instant(array) if array.is_valid(at) => ColumnValue::Instant(array.value(at)),
            _ => ColumnValue::Empty,
        }
    }
}

fn batch_rows(
    path: &Path,
    columns: &[Column],
    batch: &RecordBatch,
    number: &mut u64,
    each: &mut dyn FnMut(&Row<'_>) -> Result<(), ReportError>,
) -> Result<(), ReportError> {
    let mut values = Vec::with_capacity(columns.len());
    for column in columns {
        let found = Values::of(batch, column);
        values.push(found.ok_or_else(|| without_column(path, column.name))?);
    }
    let mut cells = Vec::with_capacity(columns.len());
    for at in 0..batch.num_rows() {
        *number += 1;
        cells.clear();
        cells.extend(values.iter().map(|column| column.cell(at)));
        let place = Place::Row(*number);
        let cells = &cells;
        each(&Row { path, place, cells })?;
    }
    Ok(())
}
