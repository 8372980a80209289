//! Tables in Parquet.

use super::{Place, Row, unreadable, without_column};
use crate::report::ReportError;
use crate::schema::{CellValue, Column, Kind, METADATA_KEY, VERSION};
use arrow_array::RecordBatch;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
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

/// What the metadata of a file has under `key`.
pub(super) fn metadata(path: &Path, key: &str) -> Result<Option<String>, ReportError> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(file);
    let reader = reader.map_err(|error| unreadable(path, error))?;
    Ok(entry(&reader, key))
}

fn entry(reader: &ParquetRecordBatchReaderBuilder<File>, key: &str) -> Option<String> {
    let entries = reader.metadata().file_metadata().key_value_metadata()?;
    let entry = entries.iter().find(|entry| entry.key == key)?;
    entry.value.clone()
}

/// Checks that the file says that it has the schema of this version.
fn check_version(
    path: &Path,
    reader: &ParquetRecordBatchReaderBuilder<File>,
) -> Result<(), ReportError> {
    let Some(found) = entry(reader, METADATA_KEY) else {
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
    if Kind::of(field.data_type()) == Some(column.kind) {
        return Ok(());
    }
    Err(ReportError::Foreign {
        path: path.to_owned(),
        why: format!("its column {} is of another type", column.name),
    })
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
        let found = batch.column_by_name(column.name);
        values.push(found.ok_or_else(|| without_column(path, column.name))?);
    }
    let mut cells = Vec::with_capacity(columns.len());
    for at in 0..batch.num_rows() {
        *number += 1;
        cells.clear();
        cells.extend(values.iter().map(|column| CellValue::of(column, at)));
        let place = Place::Row(*number);
        let cells = &cells;
        each(&Row { path, place, cells })?;
    }
    Ok(())
}
