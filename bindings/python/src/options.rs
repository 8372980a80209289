//! Arguments as a request of the decision contract (`docs/json.md`). The contract says which values
//! its members can have.

use crate::error::{invalid_option, invalid_url, of_request, wrong_type};
use crate::input::{Text, headers, text};
use crate::json::to_python;
use abide_contract::{Circumstances, PageQuestion, Request, RequestError};
use abide_known_robots::{Robot, is_user_agent_line};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyTuple, PyTzInfo};
use serde::Deserialize;
use serde_json::{Map, Number, Value};
use std::time::Duration;

/// How deep values are nested, at most. Those that contain themselves have no end.
const MAX_DEPTH: usize = 128;

/// Members of a request. They borrow nothing from Python, so that they can be kept.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Members(Map<String, Value>);

impl Members {
    /// The arguments that are given, by their names.
    pub(crate) fn of(arguments: &[(&str, Option<&Bound<'_, PyAny>>)]) -> PyResult<Self> {
        let mut members = Self::default();
        for (name, value) in arguments {
            if let Some(value) = value {
                members.read(name, value)?;
            }
        }
        Ok(members)
    }

    /// The keyword arguments that are given.
    pub(crate) fn of_keywords(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut members = Self::default();
        for (name, value) in arguments.into_iter().flatten() {
            members.read(&name.extract::<String>()?, &value)?;
        }
        Ok(members)
    }

    /// Adds the value of an argument, if there is one.
    pub(crate) fn read(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if value.is_none() {
            return Ok(());
        }
        let value = match name {
            "headers" => {
                let fields = headers(value)?.into_iter();
                fields.map(|(name, value)| vec![name, value]).collect()
            }
            // A DOM has no encoding of its own.
            "rendered_html" => String::from_utf8_lossy(text(value, name)?.as_bytes()).into(),
            _ => plain(value, name, 0)?,
        };
        self.insert(name, value);
        Ok(())
    }

    pub(crate) fn insert(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    /// Accepts names that RFC 9309 does not allow, unless the members say something about it.
    pub(crate) fn admit_any_name(&mut self) {
        let known = self.0.entry("nonstandard_token");
        known.or_insert(true.into());
    }

    /// Adds the agent: a name, names in order of preference, or a whole `User-Agent` line.
    pub(crate) fn agent(&mut self, agent: &Bound<'_, PyAny>) -> PyResult<()> {
        let agent = match plain(agent, "agent", 0)? {
            Value::Array(mut names) if names.len() == 1 => names.remove(0),
            agent => agent,
        };
        self.agent_named(agent);
        Ok(())
    }

    /// Adds the agent with this name, or that sends this line.
    pub(crate) fn agent_named(&mut self, agent: impl Into<Value>) {
        let agent = agent.into();
        // No name has blanks.
        let is_line = |name: &str| is_user_agent_line(name) || name.trim().contains(' ');
        // What a robot sends need not be a name of RFC 9309.
        if agent.as_str().is_some_and(is_line) {
            self.admit_any_name();
        }
        self.insert("agent", agent);
    }

    /// Adds the agent that sends this `User-Agent`.
    pub(crate) fn agent_of_line(&mut self, user_agent: &str) -> Result<(), String> {
        let robot = Robot::named(user_agent).map_err(|error| error.to_string())?;
        self.admit_any_name();
        match robot.names() {
            [] if robot.user_agent_line().is_some() => {
                let message = "expected a robot's name in the User-Agent line, but found none; give \"agent\" too";
                return Err(message.to_owned());
            }
            [] => self.insert("agent", "*"),
            names => self.insert("agent", names),
        }
        Ok(())
    }

    /// The request about the agent, whose URL does not matter.
    pub(crate) fn request(&self) -> Result<Request<'static>, RequestError> {
        let mut members = self.clone();
        members.insert("url", "/");
        Request::read_from(members.0)
    }

    /// The request of a tool that has these members.
    pub(crate) fn read_as<T: for<'de> Deserialize<'de>>(&self) -> Result<T, RequestError> {
        abide_contract::read_from(self.0.clone())
    }

    /// The members as keyword arguments.
    pub(crate) fn keywords<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0)
    }

    /// About how many bytes they take.
    pub(crate) fn size(&self) -> usize {
        let sizes = self.0.iter();
        let sizes = sizes.map(|(name, value)| name.len() + value.to_string().len());
        sizes.sum()
    }
}

/// What is known of a page.
pub(crate) struct Page {
    circumstances: Circumstances<'static>,
    /// The bytes of its source.
    html: Option<Text>,
    /// Whether the documents beside robots.txt are given.
    pub(crate) has_documents: bool,
}

impl Page {
    pub(crate) fn of(
        py: Python<'_>,
        members: Members,
        html: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let has_documents = members.0.contains_key("preferences");
        let circumstances = Circumstances::read_from(members.0);
        Ok(Self {
            circumstances: circumstances.map_err(|error| of_request(py, &error, None))?,
            html: html.map(|html| text(html, "html")).transpose()?,
            has_documents,
        })
    }

    /// The question about this page, which has this URL.
    pub(crate) fn question(&self, url: &str) -> Result<PageQuestion, RequestError> {
        let html = self.html.as_ref().map(Text::as_bytes);
        PageQuestion::new(url.to_owned(), &self.circumstances, html)
    }
}

/// A value of an argument as the contract reads it. Text may be bytes, a list anything that can be
/// iterated, and an instant a `datetime`.
fn plain(value: &Bound<'_, PyAny>, argument: &str, depth: usize) -> PyResult<Value> {
    let py = value.py();
    let wrong = || wrong_type(argument, "only values that JSON has", value);
    if depth > MAX_DEPTH {
        return Err(wrong());
    }
    if value.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().into());
    }
    if value.is_instance_of::<PyInt>() {
        // No member can have a longer number.
        return Ok(value.extract().unwrap_or(i64::MAX).into());
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        let number = Number::from_f64(number.value()).ok_or_else(wrong)?;
        return Ok(Value::Number(number));
    }
    if let Some(text) = Text::of(value)? {
        return Ok(utf8(py, &text, argument)?.into());
    }
    if value.hasattr("astimezone")? {
        return Ok(instant(value, argument)?.into());
    }
    if let Ok(mapping) = value.cast::<PyMapping>() {
        let entries = mapping.items()?;
        let entries = entries.iter().map(|entry| {
            let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = entry.extract()?;
            let name = Text::of(&name)?.ok_or_else(wrong)?;
            let name = utf8(py, &name, argument)?.to_owned();
            Ok((name, plain(&value, argument, depth + 1)?))
        });
        return entries.collect::<PyResult<Map<_, _>>>().map(Value::Object);
    }
    let entries = value.try_iter().map_err(|_| wrong())?;
    let entries = entries.map(|entry| plain(&entry?, argument, depth + 1));
    entries.collect::<PyResult<Vec<_>>>().map(Value::Array)
}

/// An aware `datetime` as RFC 3339 writes it.
fn instant(moment: &Bound<'_, PyAny>, argument: &str) -> PyResult<String> {
    let py = moment.py();
    if moment.getattr("tzinfo")?.is_none() {
        let message = "expected a datetime with a time zone, such as datetime.now(timezone.utc)";
        return Err(invalid_option(py, argument, message));
    }
    let moment = moment.call_method1("astimezone", (PyTzInfo::utc(py)?,))?;
    moment.call_method0("isoformat")?.extract()
}

/// UTF-8 text, or an exception that names the argument.
pub(crate) fn utf8<'t>(py: Python<'_>, text: &'t Text, argument: &str) -> PyResult<&'t str> {
    text.as_str()
        .map_err(|error| invalid_option(py, argument, &format!("expected UTF-8: {error}")))
}

/// The text of a URL, or `InvalidUrlError` for bytes that are not UTF-8.
pub(crate) fn url_text<'t>(py: Python<'_>, text: &'t Text) -> PyResult<&'t str> {
    text.as_str().map_err(|error| {
        let shown = String::from_utf8_lossy(text.as_bytes());
        invalid_url(py, &error.to_string(), Some(&shown), None)
    })
}

/// A list of texts, or one text.
pub(crate) fn one_or_more(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<Vec<String>> {
    let of = |value: &Bound<'_, PyAny>| {
        let text = Text::of(value)?;
        text.map(|text| utf8(value.py(), &text, argument).map(str::to_owned))
            .transpose()
    };
    if let Some(only) = of(value)? {
        return Ok(vec![only]);
    }
    let wrong = |value: &_| wrong_type(argument, "a str or a list of str", value);
    let items = value.try_iter().map_err(|_| wrong(value))?;
    let texts = items.map(|item| {
        let item = item?;
        of(&item)?.ok_or_else(|| wrong(&item))
    });
    texts.collect()
}

pub(crate) fn boolean(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<bool> {
    let value = value
        .cast::<PyBool>()
        .map_err(|_| wrong_type(argument, "a bool", value))?;
    Ok(value.is_true())
}

/// Whether a value is a list or tuple, whose items need no copying.
pub(crate) fn is_sequence(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>()
}

/// A number of seconds from 0.
pub(crate) fn seconds(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<Duration> {
    let Ok(seconds) = value.extract() else {
        return Err(wrong_type(argument, "a number of seconds", value));
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        let message = format!("expected seconds from 0, but found {seconds}");
        invalid_option(value.py(), argument, &message)
    })
}
