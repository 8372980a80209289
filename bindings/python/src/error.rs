//! Exceptions. Their classes are written in Python (`abide_robots.errors`).

use abide_contract::RequestError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

static INVALID_URL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static INVALID_OPTION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static FORMAT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static NO_TURN: PyOnceLock<Py<PyType>> = PyOnceLock::new();
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

/// The error of a request in words of Python: `acap.mode: expected …`.
pub(crate) fn words(error: &RequestError) -> String {
    match error.place() {
        "" => error.reason().to_owned(),
        place => format!("{place}: {}", error.reason()),
    }
}

/// The error of a request, as an exception about the argument that its pointer leads to, with its
/// code and pointer. A `TypeError` if it is the argument itself, or an entry of its list, that has
/// another type.
pub(crate) fn of_request(py: Python<'_>, error: &RequestError, url: Option<&str>) -> PyErr {
    let mut place = error.pointer().split('/').skip(1);
    let argument = place.next().unwrap_or("options");
    let made = if error.code() == "invalid-url" {
        invalid_url(py, error.reason(), url, None)
    } else if error.is_wrong_type() && place.all(|inside| inside.parse::<usize>().is_ok()) {
        PyTypeError::new_err(format!("argument '{argument}': {}", error.reason()))
    } else {
        invalid_option(py, argument, &words(error))
    };
    let value = made.value(py);
    let noted = value
        .setattr("code", error.code())
        .and_then(|()| value.setattr("pointer", error.pointer()));
    noted.map_or_else(|failed| failed, |()| made.clone_ref(py))
}

/// `FormatError`, with the line if one is to blame.
pub(crate) fn format(py: Python<'_>, message: &str, line: Option<u32>) -> PyErr {
    raise(py, &FORMAT, "FormatError", (message, line))
}

/// `NoTurnError`.
pub(crate) fn no_turn(py: Python<'_>, message: &str) -> PyErr {
    raise(py, &NO_TURN, "NoTurnError", (message,))
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
