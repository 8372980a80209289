//! JSON between Rust and Python.

use abide_contract::text::line;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use serde::Serialize;

static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

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
