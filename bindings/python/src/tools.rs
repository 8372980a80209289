//! The linter, the formatter, the comparison, the matrix and the table of robots. The results are
//! dicts as the commands write them; the classes around them are in Python, and so are the names of
//! the options. The contract says which there are, and which values they can have.

use crate::error::{format, invalid_option, invalid_url, of_request};
use crate::input;
use crate::json::{loads, to_python};
use crate::options::{Members, one_or_more};
use abide_contract::text::line;
use abide_contract::tools::{
    ConvertRequest, DiffRequest, KnownRobots, LintRequest, MatrixRequest, Work,
};
use abide_contract::{Body, RequestError, codes};
use abide_lint::format::FormatError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde::Deserialize;

/// Options that are a list, or one text.
const LISTS: [&str; 5] = ["agents", "ignore", "purposes", "select", "urls"];

/// What a tool is asked by keywords.
#[derive(Default)]
struct Asked {
    members: Members,
    urls: Vec<String>,
    /// The bytes of a page.
    html: Option<Body>,
}

impl Asked {
    fn by(options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut asked = Self::default();
        for (name, value) in options.into_iter().flatten() {
            let name: String = name.extract()?;
            match &*name {
                _ if value.is_none() => {}
                "html" => asked.html = Some(Body::from(input::text(&value, "html")?.as_bytes())),
                name if LISTS.contains(&name) => {
                    let list = one_or_more(&value, name)?;
                    if name == "urls" {
                        asked.urls.clone_from(&list);
                    }
                    asked.members.insert(name, list);
                }
                name => asked.members.read(name, &value)?,
            }
        }
        Ok(asked)
    }

    /// The request that these members make.
    fn request<T: for<'de> Deserialize<'de>>(&self, py: Python<'_>) -> PyResult<T> {
        let request = self.members.read_as();
        request.map_err(|error| self.refused(py, &error))
    }

    /// The exception for an error, in the words of Python.
    fn refused(&self, py: Python<'_>, error: &RequestError) -> PyErr {
        let place = error.pointer().strip_prefix("/urls/");
        match place.and_then(|at| at.parse::<usize>().ok()) {
            Some(at) if error.code() == codes::INVALID_URL => {
                let url = self.urls.get(at).map(String::as_str);
                invalid_url(py, error.reason(), url, Some(at))
            }
            _ if error.pointer() == "/robots" => {
                let message = "expected a file, or headers or a page with robots tags";
                invalid_option(py, "body", message)
            }
            _ => of_request(py, error, None),
        }
    }

    /// An answer, which is made while other threads run.
    fn answer<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&Work<'_>) -> Result<T, RequestError> + Send,
    ) -> PyResult<T> {
        let answered = py.detach(|| ask(&Work::endless()));
        answered.map_err(|error| self.refused(py, &error))
    }
}

/// The body of a file.
fn file(body: &Bound<'_, PyAny>, argument: &str) -> PyResult<Option<Body>> {
    Ok(Some(input::body(body, argument)?.into()))
}

/// The body of a file, if there is one.
fn optional_file(body: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Body>> {
    body.map_or(Ok(None), |body| file(body, "body"))
}

/// The request to lint a file or a response.
fn lint_request(
    py: Python<'_>,
    body: Option<&Bound<'_, PyAny>>,
    asked: &mut Asked,
) -> PyResult<LintRequest> {
    let mut request: LintRequest = asked.request(py)?;
    request.robots = optional_file(body)?;
    request.html = asked.html.take();
    request.all = true;
    Ok(request)
}

/// Findings of a robots.txt, a `tdmrep.json` or an RSL licence, and of a response.
#[pyfunction]
#[pyo3(signature = (body, **options))]
pub(crate) fn lint<'py>(
    py: Python<'py>,
    body: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut asked = Asked::by(options)?;
    let request = lint_request(py, body, &mut asked)?;
    let found = asked.answer(py, |work| {
        request.answer(work, |linted| line(&linted.findings()))
    })?;
    loads(py, &found)
}

/// Applies fixes: the new file, how many findings were fixed, and the findings that are left.
#[pyfunction]
#[pyo3(signature = (body, **options))]
pub(crate) fn fix<'py>(
    py: Python<'py>,
    body: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Bound<'py, PyBytes>, usize, Bound<'py, PyAny>)> {
    let mut asked = Asked::by(options)?;
    let request = lint_request(py, Some(body), &mut asked)?;
    let (bytes, fixed, left) = asked.answer(py, |work| {
        request.answer(work, |linted| {
            let left = line(&linted.findings());
            (linted.bytes().to_vec(), linted.fixed(), left)
        })
    })?;
    Ok((PyBytes::new(py, &bytes), fixed, loads(py, &left)?))
}

/// The file in the canonical format.
#[pyfunction]
pub(crate) fn fmt<'py>(py: Python<'py>, body: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let body = input::body(body, "body")?;
    let formatted = py.detach(|| abide_lint::format::format(&body));
    match formatted {
        Ok(formatted) => Ok(PyBytes::new(py, formatted.as_bytes())),
        Err(error) => {
            let line = match &error {
                FormatError::Meaning { line } => Some(*line),
                _ => None,
            };
            Err(format(py, &error.to_string(), line))
        }
    }
}

/// What changes for whom from one file to another, as `abide diff --format json` writes it.
#[pyfunction]
#[pyo3(signature = (old, new, **options))]
pub(crate) fn diff<'py>(
    py: Python<'py>,
    old: &Bound<'_, PyAny>,
    new: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut asked = Asked::by(options)?;
    for (side, name) in [("before", "old"), ("after", "new")] {
        asked
            .members
            .insert(side, serde_json::json!({"file": name}));
    }
    let mut request: DiffRequest<{ usize::MAX }> = asked.request(py)?;
    request.before.0.robots = file(old, "old")?;
    request.after.0.robots = file(new, "new")?;
    request.all = true;
    let diff = asked.answer(py, |work| request.answer_given(work, |diff| line(diff)))?;
    loads(py, &diff)
}

/// Which robots may crawl a site, as `abide matrix --format json` writes it.
#[pyfunction]
#[pyo3(signature = (body, **options))]
pub(crate) fn matrix<'py>(
    py: Python<'py>,
    body: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let asked = Asked::by(options)?;
    let mut request: MatrixRequest = asked.request(py)?;
    request.robots = file(body, "body")?;
    let matrix = asked.answer(py, |work| request.answer(work, |matrix| line(matrix)))?;
    loads(py, &matrix)
}

/// A robots.txt, or robots tags, in another form.
#[pyfunction]
#[pyo3(signature = (body, to, **options))]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    body: Option<&Bound<'_, PyAny>>,
    to: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut asked = Asked::by(options)?;
    asked.members.insert("to", to);
    let mut request: ConvertRequest = asked.request(py)?;
    request.robots = optional_file(body)?;
    request.html = asked.html.take();
    let converted = asked.answer(py, |work| request.answer(work, line))?;
    loads(py, &converted)
}

/// The table of known robots.
#[pyfunction]
pub(crate) fn known_robots(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &KnownRobots::of(abide_known_robots::all()).robots())
}
