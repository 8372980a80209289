//! The linter, the formatter, the comparison, the matrix and the table of robots. The results are
//! dicts as the commands write them; the classes around them are in Python.

use crate::error::{format, invalid_option, of_request};
use crate::input::{self, headers};
use crate::json::to_python;
use crate::options::one_or_more;
use abide::explain::visible;
use abide::preference::Revision;
use abide::syntax::Text;
use abide::tag::{FieldLine, Response};
use abide::{Limits, Profile, PurposeToken, Robots, Target};
use abide_analysis::Bound as Limit;
use abide_analysis::compare::{self, ChangedUrls, Review};
use abide_analysis::convert::{self as conversion, Form};
use abide_analysis::matrix::{Matrix, MatrixSettings};
use abide_analysis::preferences::{self, SiteQuestion};
use abide_contract::diff::Diff;
use abide_contract::lint::FileFinding;
use abide_contract::matrix::FileMatrix;
use abide_contract::{Purposes, Versioned};
use abide_known_robots::Robot;
use abide_lint::config::{Config, SettingSource};
use abide_lint::finding::Safety;
use abide_lint::format::FormatError;
use abide_lint::{Context, Finding, Linter};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

/// A linter and what it knows of the site, from arguments.
struct LinterSetup {
    linter: Linter,
    context: Context,
    file: String,
}

/// The arguments that `lint` and `fix` share.
struct LintArguments<'a> {
    file: &'a str,
    select: Option<&'a Bound<'a, PyAny>>,
    ignore: Option<&'a Bound<'a, PyAny>>,
    allow_closed: Option<bool>,
    config: Option<&'a str>,
}

impl LintArguments<'_> {
    fn setup(&self, py: Python<'_>) -> PyResult<LinterSetup> {
        let config = self.config.map(Config::read).transpose();
        let config = config.map_err(|error| invalid_option(py, "config", &error.to_string()))?;
        let mut settings = config
            .map(|config| config.settings(self.file))
            .unwrap_or_default();
        let unknown = |argument| {
            move |error: abide_lint::rules::UnknownCodeError| {
                invalid_option(py, argument, &error.to_string())
            }
        };
        if let Some(codes) = self.select {
            let codes = one_or_more(codes, "select")?;
            let codes = codes.iter().map(String::as_str);
            let selected = settings.select(codes, SettingSource::Flag("select"));
            selected.map_err(unknown("select"))?;
        }
        if let Some(codes) = self.ignore {
            let codes = one_or_more(codes, "ignore")?;
            let codes = codes.iter().map(String::as_str);
            let ignored = settings.ignore(codes, SettingSource::Flag("ignore"));
            ignored.map_err(unknown("ignore"))?;
        }
        let linter = settings.linter().map_err(unknown("config"))?;
        let mut context = settings.context(None);
        if let Some(allow) = self.allow_closed {
            context.allow_closed = allow;
        }
        Ok(LinterSetup {
            linter,
            context,
            file: self.file.to_owned(),
        })
    }
}

/// Findings as dicts, as `abide lint --format json` writes them.
fn findings<'py>(
    py: Python<'py>,
    file: &str,
    bytes: &[u8],
    findings: &[Finding],
) -> PyResult<Bound<'py, PyAny>> {
    let text = Text::new(bytes, Limits::default());
    let findings = findings.iter();
    let findings: Vec<_> = findings
        .map(|finding| FileFinding::new(file, text.as_bytes(), finding))
        .collect();
    to_python(py, &findings)
}

/// Findings of a robots.txt, a `tdmrep.json` or an RSL licence, and of a response.
#[pyfunction]
#[pyo3(signature = (body, *, file="robots.txt", select=None, ignore=None, allow_closed=None,
    media_type=None, headers=None, html=None, rendered_html=None, url=None, config=None))]
#[expect(clippy::too_many_arguments, reason = "the options of the command")]
pub(crate) fn lint<'py>(
    py: Python<'py>,
    body: Option<&Bound<'_, PyAny>>,
    file: &str,
    select: Option<&Bound<'_, PyAny>>,
    ignore: Option<&Bound<'_, PyAny>>,
    allow_closed: Option<bool>,
    media_type: Option<String>,
    headers: Option<&Bound<'_, PyAny>>,
    html: Option<&Bound<'_, PyAny>>,
    rendered_html: Option<&Bound<'_, PyAny>>,
    url: Option<&str>,
    config: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let arguments = LintArguments {
        file,
        select,
        ignore,
        allow_closed,
        config,
    };
    let mut setup = arguments.setup(py)?;
    setup.context.media_type = media_type;
    setup.context.url = url.map(str::to_owned);
    let all = PyList::empty(py);
    let body = body.map(|body| input::body(body, "body")).transpose()?;
    if let Some(body) = &body {
        let found = py.detach(|| setup.linter.file(file, body, &setup.context));
        all.call_method1("extend", (findings(py, &setup.file, body, &found)?,))?;
    }
    if headers.is_some() || html.is_some() || rendered_html.is_some() {
        let response = response(headers, html, rendered_html)?;
        let path = url.unwrap_or("/");
        let site = body.as_deref().map(|body| (body, path));
        let found = py.detach(|| setup.linter.response(&response, site));
        all.call_method1("extend", (findings(py, "the response", b"", &found)?,))?;
    }
    Ok(all.into_any())
}

/// The response that arguments describe.
fn response(
    fields: Option<&Bound<'_, PyAny>>,
    html: Option<&Bound<'_, PyAny>>,
    rendered_html: Option<&Bound<'_, PyAny>>,
) -> PyResult<Response> {
    let fields = fields.map(headers).transpose()?.unwrap_or_default();
    let fields: Vec<_> = fields
        .into_iter()
        .map(|(name, value)| FieldLine::new(name, value))
        .collect();
    let page = html.map(|html| input::text(html, "html")).transpose()?;
    let rendered = rendered_html.map(|html| input::text(html, "rendered_html"));
    let rendered = rendered.transpose()?;
    let rendered = rendered
        .as_ref()
        .map(|html| String::from_utf8_lossy(html.as_bytes()));
    let page = page.as_ref().map(input::Text::as_bytes);
    Ok(abide_html::response(&fields, page, rendered.as_deref()))
}

/// Applies fixes: the new file, how many findings were fixed, and the findings that are left.
#[pyfunction]
#[pyo3(signature = (body, *, unsafe_fixes=false, file="robots.txt", select=None, ignore=None,
    allow_closed=None, config=None))]
#[expect(clippy::too_many_arguments, reason = "the options of the command")]
pub(crate) fn fix<'py>(
    py: Python<'py>,
    body: &Bound<'_, PyAny>,
    unsafe_fixes: bool,
    file: &str,
    select: Option<&Bound<'_, PyAny>>,
    ignore: Option<&Bound<'_, PyAny>>,
    allow_closed: Option<bool>,
    config: Option<&str>,
) -> PyResult<(Bound<'py, PyBytes>, usize, Bound<'py, PyAny>)> {
    let arguments = LintArguments {
        file,
        select,
        ignore,
        allow_closed,
        config,
    };
    let setup = arguments.setup(py)?;
    let body = input::body(body, "body")?;
    let safety = if unsafe_fixes {
        Safety::Unsafe
    } else {
        Safety::Safe
    };
    let linter = &setup.linter;
    let fixed = py.detach(|| linter.fixed_file(file, &body, &setup.context, safety));
    let left = findings(py, &setup.file, &fixed.bytes, &fixed.findings)?;
    Ok((PyBytes::new(py, &fixed.bytes), fixed.fixed, left))
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
#[pyo3(signature = (old, new, *, agents=None, purposes=None, urls=None, literal=false))]
pub(crate) fn diff<'py>(
    py: Python<'py>,
    old: &Bound<'_, PyAny>,
    new: &Bound<'_, PyAny>,
    agents: Option<&Bound<'_, PyAny>>,
    purposes: Option<&Bound<'_, PyAny>>,
    urls: Option<&Bound<'_, PyAny>>,
    literal: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let old = Robots::parse(input::body(old, "old")?);
    let new = Robots::parse(input::body(new, "new")?);
    let selected = robots(py, agents, literal)?;
    let urls = urls.map(|urls| one_or_more(urls, "urls")).transpose()?;
    let clients = compare::clients_named(&selected, literal, &old, &new)
        .map_err(|error| invalid_option(py, "agents", &error.to_string()))?;
    let purposes = claimed(py, purposes)?;
    let clients = compare::claiming(clients, &purposes);
    let is_everyone = selected.is_empty() && purposes.is_empty();
    let bound = Limit::default;
    let (differences, review) = py.detach(|| {
        let differences = compare::files(&old, &new, &clients, bound());
        let review = Review::new(&old, &new, &differences, is_everyone, bound());
        (differences, review)
    });
    let mut changed = ChangedUrls::new(&old, &new, &differences);
    for (index, url) in urls.iter().flatten().enumerate() {
        let target = Target::new(url).map_err(|error| {
            crate::error::invalid_url(py, &error.to_string(), Some(url), Some(index))
        })?;
        changed.add(&target);
    }
    let changed = urls.is_some().then_some(changed);
    let diff = Diff::new("old", "new", differences, review, changed);
    to_python(py, &diff)
}

/// Which robots may crawl a site, as `abide matrix --format json` writes it.
#[pyfunction]
#[pyo3(signature = (body, *, agents=None, purposes=None, literal=false, preferences=None,
                    profile="careful"))]
pub(crate) fn matrix<'py>(
    py: Python<'py>,
    body: &Bound<'_, PyAny>,
    agents: Option<&Bound<'_, PyAny>>,
    purposes: Option<&Bound<'_, PyAny>>,
    literal: bool,
    preferences: Option<bool>,
    profile: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let profile: Profile = profile
        .parse()
        .map_err(|_| invalid_option(py, "profile", &unknown_profile(profile)))?;
    let body = input::body(body, "body")?;
    let selected = robots(py, agents, false)?;
    let purposes = claimed(py, purposes)?;
    let matrix = py.detach(|| {
        let robots = Robots::parse_as(&body, profile, Limits::default());
        let settings = MatrixSettings {
            literal,
            preferences: preferences
                .unwrap_or_else(|| preferences::are_stated(&robots))
                .then(SiteQuestion::default),
            purposes,
        };
        Matrix::of_file(&robots, &selected, &settings, Limit::default())
    });
    let matrix = matrix.map_err(|error| invalid_option(py, "agents", &error.to_string()))?;
    to_python(
        py,
        &FileMatrix::new("robots.txt", profile, literal, &matrix),
    )
}

fn unknown_profile(name: &str) -> String {
    let name = visible(name.as_bytes());
    format!("expected \"careful\" or \"google\", but found \"{name}\"")
}

/// The purposes that an argument lists.
fn claimed(py: Python<'_>, purposes: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<PurposeToken>> {
    let names = purposes.map(|names| one_or_more(names, "purposes"));
    let purposes = Purposes::from(names.transpose()?.unwrap_or_default());
    let tokens = purposes.tokens(None);
    tokens.map_err(|error| of_request(py, &error, None))
}

/// The robots that an argument lists: names, `@` sets, whole `User-Agent` lines.
fn robots(
    py: Python<'_>,
    agents: Option<&Bound<'_, PyAny>>,
    literal: bool,
) -> PyResult<Vec<Robot>> {
    let Some(agents) = agents else {
        return Ok(Vec::new());
    };
    let robots = Robot::lists(&one_or_more(agents, "agents")?)
        .map_err(|error| invalid_option(py, "agents", &error.to_string()))?;
    Ok(if literal {
        robots.into_iter().map(Robot::without_known_facts).collect()
    } else {
        robots
    })
}

/// A robots.txt, or robots tags, in another form.
#[pyfunction]
#[pyo3(signature = (body, to, *, headers=None, html=None, rendered_html=None, revision="08"))]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    body: Option<&Bound<'_, PyAny>>,
    to: &str,
    headers: Option<&Bound<'_, PyAny>>,
    html: Option<&Bound<'_, PyAny>>,
    rendered_html: Option<&Bound<'_, PyAny>>,
    revision: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let form: Form = to.parse().map_err(|_| {
        let names = Form::names().collect::<Vec<_>>().join(", ");
        let name = visible(to.as_bytes());
        invalid_option(
            py,
            "to",
            &format!("expected one of {names}, but found \"{name}\""),
        )
    })?;
    let revision = Revision::named(revision)
        .map_err(|error| invalid_option(py, "revision", &error.to_string()))?;
    let has_page = headers.is_some() || html.is_some() || rendered_html.is_some();
    let converted = match (form, body) {
        (form, Some(body)) if !has_page => {
            let body = input::body(body, "body")?;
            py.detach(|| conversion::robots_txt(&body, form, revision))
        }
        (Form::Tags(form), None) if has_page => {
            let response = response(headers, html, rendered_html)?;
            if response.statements().is_empty() {
                return Err(invalid_option(
                    py,
                    "headers",
                    "there are no robots tags to convert",
                ));
            }
            py.detach(|| conversion::tags(response.statements(), form))
        }
        (Form::File(_), _) => {
            let message = "this form is made from a robots.txt: give it in body, and nothing else";
            return Err(invalid_option(py, "to", message));
        }
        (Form::Tags(_), _) => {
            let message = "this form is made from robots tags or from ACAP records: give headers or a page, or \
                 a robots.txt with records in body";
            return Err(invalid_option(py, "to", message));
        }
    };
    to_python(py, &converted)
}

/// The table of known robots.
#[pyfunction]
pub(crate) fn known_robots(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let rows: Vec<_> = abide_known_robots::all()
        .iter()
        .map(Versioned::new)
        .collect();
    to_python(py, &rows)
}
