//! Columns of texts and numbers that Python hands over, as rows.

use crate::error::{invalid_option, wrong_type};
use crate::input::{self, Text};
use crate::options::is_sequence;
use arrow_array::builder::LargeBinaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, UInt16Type};
use arrow_array::{Array, ArrayRef, Int64Array};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3_arrow::input::AnyArray;
use std::sync::Arc;

/// A column of texts, or the same text for every row.
pub(crate) enum Texts {
    One(Text),
    Column(Chunks),
    /// Missing in every row.
    Missing,
}

/// The pieces of a column, which are not copied.
pub(crate) struct Chunks {
    pieces: Vec<Chunk>,
    /// The number of rows before each piece.
    starts: Vec<usize>,
    len: usize,
}

/// A piece of a column.
struct Chunk {
    values: ArrayRef,
    /// Of a dictionary: the value of each row.
    keys: Option<(ArrayRef, Vec<usize>)>,
}

impl Texts {
    pub(crate) fn read(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<Self> {
        if value.is_none() {
            return Ok(Self::Missing);
        }
        if let Some(text) = one(value, argument)? {
            return Ok(Self::One(text));
        }
        if is_sequence(value) {
            return Ok(Self::Column(Chunks::of(vec![listed(value, argument)?])));
        }
        let expected = "a column, a list, a str or bytes";
        let chunks = chunks(value, argument, expected)?.0.into_iter();
        let chunks: Vec<Chunk> = chunks.map(Chunk::of).collect();
        let wrong = chunks
            .iter()
            .find(|chunk| !is_text(chunk.values.data_type()));
        if let Some(chunk) = wrong {
            let found = chunk.values.data_type();
            let message = format!("expected text, but found a column of {found}");
            return Err(invalid_option(value.py(), argument, &message));
        }
        Ok(Self::Column(Chunks::of(chunks)))
    }

    /// The number of rows; `None` if every number is right.
    pub(crate) fn len(&self) -> Option<usize> {
        match self {
            Self::Column(column) => Some(column.len),
            _ => None,
        }
    }

    pub(crate) fn get(&self, row: usize) -> Option<&[u8]> {
        match self {
            Self::One(text) => Some(text.as_bytes()),
            Self::Missing => None,
            Self::Column(column) => column.get(row),
        }
    }

    /// Whether equal texts of several rows can be at one place in memory.
    pub(crate) fn shares(&self) -> bool {
        let shares = |chunk: &Chunk| {
            let is_view = matches!(
                chunk.values.data_type(),
                DataType::Utf8View | DataType::BinaryView
            );
            is_view || chunk.keys.is_some()
        };
        match self {
            Self::Column(column) => column.pieces.iter().all(shares),
            _ => true,
        }
    }
}

impl Chunks {
    fn of(chunks: Vec<Chunk>) -> Self {
        let mut len = 0;
        let mut starts = Vec::with_capacity(chunks.len());
        for chunk in &chunks {
            starts.push(len);
            len += chunk.len();
        }
        Self {
            pieces: chunks,
            starts,
            len,
        }
    }

    fn get(&self, row: usize) -> Option<&[u8]> {
        if let [only] = self.pieces.as_slice() {
            return only.get(row);
        }
        // The last piece that begins at this row or before; pieces before it may be empty.
        let number = self
            .starts
            .partition_point(|start| *start <= row)
            .checked_sub(1)?;
        self.pieces[number].get(row - self.starts[number])
    }
}

impl Chunk {
    fn of(array: ArrayRef) -> Self {
        if !matches!(array.data_type(), DataType::Dictionary(..)) {
            return Self {
                values: array,
                keys: None,
            };
        }
        let dictionary = array.as_any_dictionary();
        let values = Arc::clone(dictionary.values());
        // Normalized keys of an empty dictionary would have no bound.
        let of_row = if values.is_empty() {
            vec![0; array.len()]
        } else {
            dictionary.normalized_keys()
        };
        Self {
            values,
            keys: Some((array, of_row)),
        }
    }

    fn len(&self) -> usize {
        self.keys
            .as_ref()
            .map_or(self.values.len(), |(keys, _)| keys.len())
    }

    fn get(&self, row: usize) -> Option<&[u8]> {
        let (values, at) = match &self.keys {
            None => (&self.values, row),
            Some((keys, _)) if keys.is_null(row) => return None,
            Some((_, of_row)) => (&self.values, of_row[row]),
        };
        if values.is_empty() || values.is_null(at) {
            return None;
        }
        Some(match values.data_type() {
            DataType::Utf8 => values.as_string::<i32>().value(at).as_bytes(),
            DataType::LargeUtf8 => values.as_string::<i64>().value(at).as_bytes(),
            DataType::Utf8View => values.as_string_view().value(at).as_bytes(),
            DataType::Binary => values.as_binary::<i32>().value(at),
            DataType::LargeBinary => values.as_binary::<i64>().value(at),
            DataType::BinaryView => values.as_binary_view().value(at),
            _ => return None,
        })
    }
}

fn is_text(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::Null
    )
}

/// One text. A `str` with halves of surrogate pairs is no text that a file or a URL has.
fn one(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<Option<Text>> {
    if let Ok(text) = value.cast::<PyString>()
        && text.to_str().is_err()
    {
        let message = "expected text, but found half of a surrogate pair";
        return Err(invalid_option(value.py(), argument, message));
    }
    Text::of(value)
}

/// The texts of a list or tuple.
fn listed(values: &Bound<'_, PyAny>, argument: &str) -> PyResult<Chunk> {
    let mut column = LargeBinaryBuilder::new();
    for value in values.try_iter()? {
        let value = value?;
        let text = one(&value, argument)?;
        if text.is_none() && !input::is_missing(&value) {
            return Err(wrong_type(argument, "str or bytes in it", &value));
        }
        column.append_option(text.as_ref().map(Text::as_bytes));
    }
    Ok(Chunk::of(Arc::new(column.finish())))
}

/// A column of numbers, or the same one for every row.
pub(crate) enum Numbers {
    One(i64),
    Column(ArrayRef),
    /// Missing in every row.
    Missing,
}

impl Numbers {
    pub(crate) fn read(value: Option<&Bound<'_, PyAny>>, argument: &str) -> PyResult<Self> {
        let Some(value) = value.filter(|value| !value.is_none()) else {
            return Ok(Self::Missing);
        };
        if let Ok(number) = value.extract() {
            return Ok(Self::One(number));
        }
        if is_sequence(value) {
            let numbers: Vec<Option<i64>> = value
                .extract()
                .map_err(|_| wrong_type(argument, "a column, a list of int or an int", value))?;
            return Ok(Self::Column(Arc::new(Int64Array::from(numbers))));
        }
        let column = column(value, argument, "a column, a list of int or an int")?;
        match column.data_type() {
            DataType::Int16 | DataType::UInt16 | DataType::Int32 | DataType::Int64 => {
                Ok(Self::Column(column))
            }
            found => {
                let message = format!("expected int64, int32, int16 or uint16, but found {found}");
                Err(invalid_option(value.py(), argument, &message))
            }
        }
    }

    pub(crate) fn len(&self) -> Option<usize> {
        match self {
            Self::Column(column) => Some(column.len()),
            _ => None,
        }
    }

    pub(crate) fn get(&self, row: usize) -> Option<i64> {
        let column = match self {
            Self::One(number) => return Some(*number),
            Self::Missing => return None,
            Self::Column(column) => column,
        };
        if column.is_null(row) {
            return None;
        }
        Some(match column.data_type() {
            DataType::Int16 => column.as_primitive::<Int16Type>().value(row).into(),
            DataType::UInt16 => column.as_primitive::<UInt16Type>().value(row).into(),
            DataType::Int32 => column.as_primitive::<Int32Type>().value(row).into(),
            _ => column.as_primitive::<Int64Type>().value(row),
        })
    }
}

/// The pieces of a column, and their type.
fn chunks(
    value: &Bound<'_, PyAny>,
    argument: &str,
    expected: &str,
) -> PyResult<(Vec<ArrayRef>, DataType)> {
    let column: AnyArray = value
        .extract()
        .map_err(|_| wrong_type(argument, expected, value))?;
    let (chunks, field) = column.into_chunked_array()?.into_inner();
    Ok((chunks, field.data_type().clone()))
}

/// The values of a column, in one array.
fn column(value: &Bound<'_, PyAny>, argument: &str, expected: &str) -> PyResult<ArrayRef> {
    let (chunks, data_type) = chunks(value, argument, expected)?;
    match chunks.as_slice() {
        [only] => Ok(Arc::clone(only)),
        [] => Ok(arrow_array::new_empty_array(&data_type)),
        several => {
            let several: Vec<&dyn Array> = several.iter().map(AsRef::as_ref).collect();
            arrow_select::concat::concat(&several)
                .map_err(|error| invalid_option(value.py(), argument, &error.to_string()))
        }
    }
}
