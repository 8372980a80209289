//! JSON between Rust and Python.

use crate::error::wrong_type;
use abide_contract::text::line;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use serde::Serialize;

static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static DUMPS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// JSON text as Python values.
pub(crate) fn loads<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    LOADS.import(py, "json", "loads")?.call1((text,))
}

/// A value as Python values.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    value: &impl Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    loads(py, &line(value))
}

/// The value of an argument as JSON text.
pub(crate) fn dumps(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<String> {
    let dumps = DUMPS.import(value.py(), "json", "dumps")?;
    let text = dumps.call1((value,));
    text.and_then(|text| text.extract())
        .map_err(|_| wrong_type(argument, "only values that JSON has", value))
}
