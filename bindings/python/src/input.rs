//! Bytes and text that Python hands over.

use crate::error::wrong_type;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyDict, PyMemoryView, PyString};
use std::str::Utf8Error;
use std::sync::Arc;

/// Text or bytes, without a copy.
pub(crate) enum Text {
    Str(PyBackedStr),
    Bytes(PyBackedBytes),
}

impl Text {
    /// The value of an argument, if it is text or bytes. `None` for anything else.
    pub(crate) fn of(value: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(Some(Self::Str(PyBackedStr::try_from(text.clone())?)));
        }
        if let Ok(view) = value.cast::<PyMemoryView>() {
            // What is behind it can change, and need not be in one piece.
            let copy = view.call_method0("tobytes")?;
            return Ok(Some(Self::Bytes(copy.extract()?)));
        }
        // Also bytearray.
        Ok(value.extract::<PyBackedBytes>().ok().map(Self::Bytes))
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Str(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }

    /// The text. Bytes have to be UTF-8.
    pub(crate) fn as_str(&self) -> Result<&str, Utf8Error> {
        match self {
            Self::Str(text) => Ok(text),
            Self::Bytes(bytes) => std::str::from_utf8(bytes),
        }
    }
}

/// Text or bytes of the argument with this name.
pub(crate) fn text(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<Text> {
    Text::of(value)?.ok_or_else(|| wrong_type(argument, "str or bytes", value))
}

/// Whether a value marks a missing one: `None`, or the NaN of pandas.
pub(crate) fn is_missing(value: &Bound<'_, PyAny>) -> bool {
    value.is_none() || value.extract::<f64>().is_ok_and(f64::is_nan)
}

/// The body of a robots.txt.
pub(crate) fn body(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<Arc<[u8]>> {
    // A str may hold halves of surrogate pairs, which no file has.
    if let Ok(text) = value.cast::<PyString>()
        && text.to_str().is_err()
    {
        let args = ("utf-8", "surrogatepass");
        let bytes = text.call_method1("encode", args)?;
        return Ok(bytes.cast::<PyBytes>()?.as_bytes().into());
    }
    Ok(text(value, argument)?.as_bytes().into())
}

/// Header fields, as pairs: of a mapping (whose values may be lists), or of an iterable of pairs.
pub(crate) fn headers(value: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    let expected = "a mapping or pairs of names and values";
    let items = match value.cast::<PyDict>() {
        Ok(dict) => dict.items().into_any(),
        Err(_) if value.hasattr("items")? => value.call_method0("items")?,
        Err(_) => value.clone(),
    };
    if Text::of(&items)?.is_some() {
        return Err(wrong_type("headers", expected, value));
    }
    let pairs = items
        .try_iter()
        .map_err(|_| wrong_type("headers", expected, value))?;
    let mut fields = Vec::new();
    for pair in pairs {
        let pair = pair?;
        let Ok((name, values)) = pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() else {
            return Err(wrong_type("headers", expected, &pair));
        };
        let name = field_text(&text(&name, "headers")?);
        if let Some(one) = Text::of(&values)? {
            fields.push((name, field_text(&one)));
            continue;
        }
        let several = values
            .try_iter()
            .map_err(|_| wrong_type("headers", expected, &values))?;
        for one in several {
            fields.push((name.clone(), field_text(&text(&one?, "headers")?)));
        }
    }
    Ok(fields)
}

/// The text of a field; bytes that are not UTF-8 are Latin-1, as in HTTP.
fn field_text(text: &Text) -> String {
    match text.as_str() {
        Ok(text) => text.to_owned(),
        Err(_) => text
            .as_bytes()
            .iter()
            .map(|byte| char::from(*byte))
            .collect(),
    }
}
