//! Parquet files with the columns `url`, `status`, `headers`, `body` and `date`.

use super::json_lines::head_lines;
use super::response::Response;
use super::{Item, Sink, pages};
use crate::capture::{self, RecordPlace};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Schema, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::RowGroupMetaData;
use std::fs::File;
use std::ops::Range;
use std::path::Path;

/// The columns that are read.
const COLUMNS: [&str; 5] = ["url", "status", "headers", "body", "date"];
/// The bytes that a page may take, packed and unpacked together, to be read by several threads.
/// This is also about what the rows of a batch take.
const PAGE: u64 = 16 << 20;
/// The bytes that a page may take to be read at all. `DuckDB` writes pages of 100 MiB.
const MAX_PAGE_BYTES: u64 = 144 << 20;
/// The largest number of rows that are read at a time.
const MAX_ROWS: u64 = 256;
/// The largest number of fields of a response that are read.
const MAX_FIELDS: usize = 10_000;

/// The number of row groups. An error says in one sentence why the table cannot be used.
pub(crate) fn groups(path: &Path) -> Result<usize, String> {
    let builder = builder(path)?;
    check(builder.schema())?;
    Ok(builder.metadata().num_row_groups())
}

/// Checks that rows with this schema can be read. An error says in one sentence why not.
pub(crate) fn check(schema: &Schema) -> Result<(), String> {
    let names: Vec<&str> = schema
        .fields()
        .iter()
        .map(|field| field.name().as_str())
        .collect();
    let has = |name: &str| names.contains(&name);
    if !has("url") || !(has("body") || has("status")) {
        return Err(format!(
            "a table needs the column url, and body or status; this one has {}",
            names.join(", ")
        ));
    }
    for name in COLUMNS {
        let Ok(field) = schema.field_with_name(name) else {
            continue;
        };
        if !is_read(name, field.data_type()) {
            return Err(format!(
                "the column {name} has the type {}, which abide does not read there",
                field.data_type()
            ));
        }
    }
    Ok(())
}

/// Whether a row group is so large that only one may be in memory. An error is left to `read`.
pub(crate) fn is_large(path: &Path, group: usize) -> bool {
    let size = builder(path).map(|builder| largest_page(path, &builder, group));
    matches!(size, Ok(Ok(size)) if size > PAGE)
}

/// The bytes that the largest page of a row group takes.
fn largest_page(path: &Path, builder: &Builder, group: usize) -> Result<u64, String> {
    let Some(group) = builder.metadata().row_groups().get(group) else {
        return Ok(0);
    };
    let columns = group.columns().iter().filter(|column| {
        let parts = column.column_path().parts();
        parts
            .first()
            .is_some_and(|name| COLUMNS.contains(&name.as_str()))
    });
    let ranges: Vec<Range<u64>> = columns
        .map(|column| {
            let (start, length) = column.byte_range();
            start..start.saturating_add(length)
        })
        .collect();
    pages::largest(path, &ranges).map_err(|error| error.to_string())
}

/// Reads a row group. Places count the rows of the file.
pub(crate) fn read(
    path: &Path,
    group: usize,
    takes_pages: bool,
    sink: &mut Sink<'_>,
) -> Result<(), String> {
    let builder = builder(path)?;
    let largest = largest_page(path, &builder, group)?;
    if largest > MAX_PAGE_BYTES {
        let rows = builder.metadata().row_groups().get(group);
        return Err(format!(
            "a page of row group {group}, with {} rows, takes {} MiB, and {} can be read; write the table with smaller pages",
            rows.map_or(0, RowGroupMetaData::num_rows),
            largest >> 20,
            MAX_PAGE_BYTES >> 20
        ));
    }
    let groups = builder.metadata().row_groups();
    let before = groups.get(..group).unwrap_or_default();
    let mut row = before
        .iter()
        .map(|group| u64::try_from(group.num_rows()).unwrap_or(0))
        .sum();
    let roots = builder
        .parquet_schema()
        .root_schema()
        .get_fields()
        .iter()
        .enumerate();
    let wanted: Vec<usize> = roots
        .filter(|(_, field)| COLUMNS.contains(&field.name()))
        .map(|(at, _)| at)
        .collect();
    let mask = ProjectionMask::roots(builder.parquet_schema(), wanted);
    // No cell is longer than its page, but each row may repeat the longest cell of a dictionary.
    let at_a_time = (PAGE / largest.max(1)).clamp(1, MAX_ROWS);
    let reader = builder
        .with_row_groups(vec![group])
        .with_projection(mask)
        .with_batch_size(usize::try_from(at_a_time).unwrap_or(1))
        .build();
    for rows in reader.map_err(|error| error.to_string())? {
        let rows = rows.map_err(|error| error.to_string())?;
        for at in 0..rows.num_rows() {
            let record = RecordPlace::at_row(row);
            if !response(&rows, at).item(&record, &|| format!("row {row}"), takes_pages, sink) {
                return Ok(());
            }
            row += 1;
        }
        if !sink(Item::Reached(row)) {
            return Ok(());
        }
    }
    Ok(())
}

/// The row groups with these rows, which are sorted.
pub(crate) fn groups_of(path: &Path, rows: &[u64]) -> Result<Vec<usize>, String> {
    let builder = builder(path)?;
    let mut first = 0;
    let mut found = Vec::new();
    for (number, group) in builder.metadata().row_groups().iter().enumerate() {
        let next = first + u64::try_from(group.num_rows()).unwrap_or(0);
        let before = rows.partition_point(|row| *row < first);
        if rows.get(before).is_some_and(|row| *row < next) {
            found.push(number);
        }
        first = next;
    }
    Ok(found)
}

type Builder = ParquetRecordBatchReaderBuilder<File>;

fn builder(path: &Path) -> Result<Builder, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    // The types are those of Parquet: writers differ in the Arrow types that they wish for.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    ParquetRecordBatchReaderBuilder::try_new_with_options(file, options)
        .map_err(|error| format!("this is no Parquet file that can be read: {error}"))
}

fn is_read(name: &str, kind: &DataType) -> bool {
    use DataType::{LargeList, List, Map, Timestamp};
    let is_text = |kind: &DataType| kind.is_string();
    let is_bytes =
        |kind: &DataType| kind.is_binary() && !matches!(kind, DataType::FixedSizeBinary(_));
    match (name, kind) {
        ("url" | "headers" | "body" | "date", kind) if is_text(kind) => true,
        ("body", kind) if is_bytes(kind) => true,
        ("date", Timestamp(..)) => true,
        ("status", kind) => kind.is_integer(),
        ("headers", Map(entries, _) | List(entries) | LargeList(entries)) => {
            match entries.data_type() {
                DataType::Struct(parts) => {
                    let mut kinds = parts.iter().map(|part| part.data_type());
                    parts.len() == 2 && kinds.all(|kind| is_text(kind) || is_bytes(kind))
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// The response in a row.
pub(crate) fn response(rows: &RecordBatch, at: usize) -> Response {
    let cell = |name: &str| {
        rows.column_by_name(name)
            .filter(|column| !column.is_null(at))
    };
    let date = cell("date");
    let read = date.and_then(|column| instant(column, at));
    Response {
        url: cell("url")
            .and_then(|column| bytes(column, at))
            .map(|url| String::from_utf8_lossy(&url).into_owned()),
        status: cell("status").and_then(|column| integer(column, at)),
        headers: cell("headers")
            .map(|column| headers(column, at))
            .unwrap_or_default(),
        body: cell("body").and_then(|column| bytes(column, at)),
        date: read,
        has_bad_date: date.is_some() && read.is_none(),
    }
}

fn bytes(column: &ArrayRef, at: usize) -> Option<Vec<u8>> {
    Some(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(at).as_bytes().to_vec(),
        DataType::LargeUtf8 => column.as_string::<i64>().value(at).as_bytes().to_vec(),
        DataType::Utf8View => column.as_string_view().value(at).as_bytes().to_vec(),
        DataType::BinaryView => column.as_binary_view().value(at).to_vec(),
        DataType::Binary => column.as_binary::<i32>().value(at).to_vec(),
        DataType::LargeBinary => column.as_binary::<i64>().value(at).to_vec(),
        _ => return None,
    })
}

fn integer(column: &ArrayRef, at: usize) -> Option<i64> {
    Some(match column.data_type() {
        DataType::Int8 => column.as_primitive::<Int8Type>().value(at).into(),
        DataType::Int16 => column.as_primitive::<Int16Type>().value(at).into(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(at).into(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(at),
        DataType::UInt8 => column.as_primitive::<UInt8Type>().value(at).into(),
        DataType::UInt16 => column.as_primitive::<UInt16Type>().value(at).into(),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(at).into(),
        DataType::UInt64 => {
            i64::try_from(column.as_primitive::<UInt64Type>().value(at)).unwrap_or(i64::MAX)
        }
        _ => return None,
    })
}

/// Milliseconds since 1970.
fn instant(column: &ArrayRef, at: usize) -> Option<i64> {
    match column.data_type() {
        DataType::Timestamp(TimeUnit::Second, _) => column
            .as_primitive::<TimestampSecondType>()
            .value(at)
            .checked_mul(1_000),
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            Some(column.as_primitive::<TimestampMillisecondType>().value(at))
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => Some(
            column
                .as_primitive::<TimestampMicrosecondType>()
                .value(at)
                .div_euclid(1_000),
        ),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => Some(
            column
                .as_primitive::<TimestampNanosecondType>()
                .value(at)
                .div_euclid(1_000_000),
        ),
        _ => capture::date(&String::from_utf8_lossy(&bytes(column, at)?)),
    }
}

fn headers(column: &ArrayRef, at: usize) -> Vec<(String, Vec<u8>)> {
    let entries = match column.data_type() {
        DataType::Map(..) => column.as_map().value(at),
        DataType::List(_) => match column.as_list::<i32>().value(at).as_struct_opt() {
            Some(entries) => entries.clone(),
            None => return Vec::new(),
        },
        DataType::LargeList(_) => match column.as_list::<i64>().value(at).as_struct_opt() {
            Some(entries) => entries.clone(),
            None => return Vec::new(),
        },
        _ => {
            let head = bytes(column, at).unwrap_or_default();
            return head_lines(&String::from_utf8_lossy(&head));
        }
    };
    let [names, values] = entries.columns() else {
        return Vec::new();
    };
    let pair = |at| {
        let name = bytes(names, at)?;
        Some((
            String::from_utf8_lossy(&name).into_owned(),
            bytes(values, at)?,
        ))
    };
    (0..entries.len().min(MAX_FIELDS))
        .filter_map(pair)
        .collect()
}
