//! Many URLs at once: lists, and columns of Arrow.

use crate::error::{invalid_option, invalid_url, wrong_type};
use crate::input::{Text, is_missing};
use crate::policy::Policy;
use abide::Target;
use arrow_array::builder::BooleanBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray};
use arrow_schema::{DataType, Field};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyCapsule, PyList, PyTuple};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{to_array_pycapsules, to_schema_pycapsule};
use pyo3_arrow::input::AnyArray;
use std::sync::Arc;

/// What a URL that cannot be read gives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnError {
    /// No answer.
    Null,
    /// An exception.
    Raise,
}

impl OnError {
    pub(crate) fn named(py: Python<'_>, name: &str) -> PyResult<Self> {
        match name {
            "null" => Ok(Self::Null),
            "raise" => Ok(Self::Raise),
            _ => {
                let message = format!("expected \"null\" or \"raise\", but found {name:?}");
                Err(invalid_option(py, "errors", &message))
            }
        }
    }
}

/// A URL that cannot be read: its place, and what is wrong.
struct BadUrl {
    index: usize,
    url: String,
    message: String,
}

impl BadUrl {
    fn raise(self, py: Python<'_>) -> PyErr {
        invalid_url(py, &self.message, Some(&self.url), Some(self.index))
    }
}

/// The answer about one URL; `None` if it cannot be read.
fn answer(
    policy: &abide::Policy,
    url: &[u8],
    index: usize,
    errors: OnError,
) -> Result<Option<bool>, BadUrl> {
    let message = match std::str::from_utf8(url) {
        Err(error) => error.to_string(),
        Ok(text) => match Target::new(text) {
            Ok(_) => return Ok(Some(policy.allows(text))),
            Err(error) => error.to_string(),
        },
    };
    match errors {
        OnError::Null => Ok(None),
        OnError::Raise => Err(BadUrl {
            index,
            url: String::from_utf8_lossy(url).into_owned(),
            message,
        }),
    }
}

/// The answers about a list or tuple. An item that is `None` has none.
fn answers(
    policy: &Policy,
    urls: &Bound<'_, PyAny>,
    errors: OnError,
) -> PyResult<Vec<Option<bool>>> {
    let py = urls.py();
    let mut texts = Vec::with_capacity(urls.len()?);
    for url in urls.try_iter()? {
        let url = url?;
        let text = Text::of(&url)?;
        if text.is_none() && !is_missing(&url) {
            return Err(wrong_type("urls", "str or bytes in it", &url));
        }
        texts.push(text);
    }
    let engine = policy.engine();
    let answered = py.detach(|| {
        let each = texts.iter().enumerate();
        each.map(|(index, text)| match text {
            Some(text) => answer(engine, text.as_bytes(), index, errors),
            None => Ok(None),
        })
        .collect::<Result<Vec<_>, _>>()
    });
    answered.map_err(|bad| bad.raise(py))
}

pub(crate) fn list<'py>(
    policy: &Policy,
    urls: &Bound<'py, PyAny>,
    errors: OnError,
) -> PyResult<Bound<'py, PyAny>> {
    let answers = answers(policy, urls, errors)?;
    Ok(PyList::new(urls.py(), answers)?.into_any())
}

pub(crate) fn mask<'py>(
    policy: &Policy,
    urls: &Bound<'py, PyAny>,
    errors: OnError,
) -> PyResult<Bound<'py, PyAny>> {
    let answers = answers(policy, urls, errors)?;
    let bytes: Vec<u8> = answers
        .iter()
        .map(|answer| answer.map_or(2, u8::from))
        .collect();
    Ok(PyByteArray::new(urls.py(), &bytes).into_any())
}

/// The answers about an Arrow array or stream, chunk by chunk. The URLs are not copied.
pub(crate) fn arrow(
    policy: &Policy,
    urls: &Bound<'_, PyAny>,
    errors: OnError,
) -> PyResult<Vec<BooleanColumn>> {
    let py = urls.py();
    let urls: AnyArray = urls
        .extract()
        .map_err(|_| wrong_type("urls", "a column of URLs", urls))?;
    let (chunks, field) = urls.into_chunked_array()?.into_inner();
    if !is_text(field.data_type()) {
        let message = format!("expected text, but found a column of {}", field.data_type());
        return Err(invalid_option(py, "urls", &message));
    }
    let engine = policy.engine();
    let mut columns = Vec::new();
    let mut first = 0;
    for chunk in chunks {
        let answered = py.detach(|| of_array(engine, &chunk, first, errors));
        let values = answered.map_err(|bad| bad.raise(py))?;
        columns.push(BooleanColumn { values });
        first += chunk.len();
    }
    Ok(columns)
}

fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::Null => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

fn of_array(
    policy: &abide::Policy,
    urls: &ArrayRef,
    first: usize,
    errors: OnError,
) -> Result<BooleanArray, BadUrl> {
    macro_rules! each {
        ($array:expr) => {
            of_values(policy, $array.iter(), first, errors)
        };
    }
    match urls.data_type() {
        DataType::Utf8 => each!(urls.as_string::<i32>()),
        DataType::LargeUtf8 => each!(urls.as_string::<i64>()),
        DataType::Utf8View => each!(urls.as_string_view()),
        DataType::Binary => each!(urls.as_binary::<i32>()),
        DataType::LargeBinary => each!(urls.as_binary::<i64>()),
        DataType::BinaryView => each!(urls.as_binary_view()),
        DataType::Dictionary(..) => of_dictionary(policy, urls, first, errors),
        _ => Ok(BooleanArray::new_null(urls.len())),
    }
}

fn of_values<T: AsRef<[u8]>>(
    policy: &abide::Policy,
    urls: impl ExactSizeIterator<Item = Option<T>>,
    first: usize,
    errors: OnError,
) -> Result<BooleanArray, BadUrl> {
    let mut answers = BooleanBuilder::with_capacity(urls.len());
    for (index, url) in urls.enumerate() {
        answers.append_option(match url {
            Some(url) => answer(policy, url.as_ref(), first + index, errors)?,
            None => None,
        });
    }
    Ok(answers.finish())
}

/// Each value of the dictionary is asked about once.
fn of_dictionary(
    policy: &abide::Policy,
    urls: &ArrayRef,
    first: usize,
    errors: OnError,
) -> Result<BooleanArray, BadUrl> {
    let urls = urls.as_any_dictionary();
    // A value that no row has must not raise.
    let answers = of_array(policy, urls.values(), 0, OnError::Null)?;
    let keys = urls.keys();
    let of_key = |(row, key): (usize, usize)| {
        if keys.is_null(row) || urls.values().is_null(key) {
            return Ok(None);
        }
        if answers.is_null(key) && errors == OnError::Raise {
            let value = urls.values().slice(key, 1);
            of_array(policy, &value, first + row, errors)?;
        }
        Ok((!answers.is_null(key)).then(|| answers.value(key)))
    };
    if urls.values().is_empty() {
        return Ok(BooleanArray::new_null(keys.len()));
    }
    let normalized = urls.normalized_keys().into_iter().enumerate();
    normalized.map(of_key).collect()
}

/// A column of answers, which every library that knows Arrow can take.
#[pyclass(module = "abide_robots", frozen)]
pub(crate) struct BooleanColumn {
    values: BooleanArray,
}

impl BooleanColumn {
    pub(crate) fn of(values: BooleanArray) -> Self {
        Self { values }
    }
}

fn field() -> Arc<Field> {
    Arc::new(Field::new("allowed", DataType::Boolean, true))
}

#[pymethods]
impl BooleanColumn {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyTuple>> {
        to_array_pycapsules(py, field(), &self.values, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, field().as_ref())
    }

    fn __len__(&self) -> usize {
        self.values.len()
    }

    /// The answers as a list.
    fn to_list(&self) -> Vec<Option<bool>> {
        self.values.iter().collect()
    }

    fn __repr__(&self) -> String {
        let (allowed, none) = (self.values.true_count(), self.values.null_count());
        format!(
            "<BooleanColumn: {} URLs, {allowed} allowed, {none} without an answer>",
            self.values.len()
        )
    }
}
