//! Exceptions. Their classes are written in Python (`abide_robots.errors`).

use abide_contract::RequestError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

static INVALID_URL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static INVALID_OPTION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static FORMAT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static STORE: PyOnceLock<Py<PyType>> = PyOnceLock::new();

fn raise<A>(py: Python<'_>, class: &PyOnceLock<Py<PyType>>, name: &str, values: A) -> PyErr
where
    A: for<'py> pyo3::call::PyCallArgs<'py>,
{
    let class = class.import(py, "abide_robots.errors", name);
    match class.and_then(|class| class.call1(values)) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// `InvalidUrlError`. `index` is the position in a list.
pub(crate) fn invalid_url(
    py: Python<'_>,
    message: &str,
    url: Option<&str>,
    index: Option<usize>,
) -> PyErr {
    let message = match (url, index) {
        (Some(url), Some(index)) => {
            let url = abide::explain::visible_url(url);
            format!("urls[{index}]: {message}: {url}")
        }
        (Some(url), None) => {
            let url = abide::explain::visible_url(url);
            format!("url: {message}: {url}")
        }
        _ => message.to_owned(),
    };
    raise(py, &INVALID_URL, "InvalidUrlError", (message, url, index))
}

/// `InvalidOptionError` about an argument.
pub(crate) fn invalid_option(py: Python<'_>, argument: &str, message: &str) -> PyErr {
    let message = if message.contains(argument) {
        message.to_owned()
    } else {
        format!("{argument}: {message}")
    };
    raise(
        py,
        &INVALID_OPTION,
        "InvalidOptionError",
        (message, argument),
    )
}

/// The member that an error of a request is about, if it names one, and what is wrong:
/// `in "acap.mode": expected …`.
fn place_and_message(message: &str) -> Option<(&str, &str)> {
    message.strip_prefix("in \"")?.split_once("\": ")
}

/// The error of a request in words of Python: `acap.mode: expected …`.
pub(crate) fn words(error: &RequestError) -> String {
    let message = error.to_string();
    if let Some((place, what)) = place_and_message(&message) {
        format!("{place}: {what}")
    } else {
        message
    }
}

/// The error of a request, as an exception about the argument that it names.
pub(crate) fn of_request(py: Python<'_>, error: &RequestError, url: Option<&str>) -> PyErr {
    if let RequestError::Url(error) = error {
        return invalid_url(py, &error.to_string(), url, None);
    }
    let message = error.to_string();
    let place = place_and_message(&message).map(|(place, _)| place);
    let argument = match (place, error.code()) {
        (Some(place), _) => place.split('.').next().unwrap_or(place),
        (None, "invalid-agent") => "agent",
        (None, "invalid-robots") => "body",
        _ => "options",
    };
    invalid_option(py, argument, &words(error))
}

/// `FormatError`, with the line if one is to blame.
pub(crate) fn format(py: Python<'_>, message: &str, line: Option<u32>) -> PyErr {
    raise(py, &FORMAT, "FormatError", (message, line))
}

/// `StoreError`.
pub(crate) fn store(py: Python<'_>, message: &str) -> PyErr {
    raise(py, &STORE, "StoreError", (message,))
}

/// A `TypeError` that names the argument.
pub(crate) fn wrong_type(argument: &str, expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let found = found.get_type();
    let found = found.name();
    let found = found
        .as_ref()
        .map_or("something else".into(), |name| name.to_string_lossy());
    PyTypeError::new_err(format!(
        "argument '{argument}': expected {expected}, but found {found}"
    ))
}
