//! Arguments as a request of the decision contract (`docs/json.md`), member by member.

use crate::error::{invalid_option, invalid_url, wrong_type};
use crate::input::{Text, headers};
use crate::json::dumps;
use abide_contract::text::line;
use abide_known_robots::{Robot, is_user_agent_line};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyList, PyTuple};

/// Options of a client and of robots.txt, named like the members of a request.
pub(crate) type Options<'a> = [(&'static str, Option<&'a Bound<'a, PyAny>>)];

/// A request under construction.
#[derive(Clone)]
pub(crate) struct Request {
    /// Its members, separated by commas.
    json: String,
    /// Whether the agent came from a whole `User-Agent` line.
    is_line: bool,
    /// Whether the options say which names are accepted.
    says_names: bool,
}

impl Request {
    /// A request about a client that is named later, whose URL does not matter.
    pub(crate) fn template() -> Self {
        Self {
            json: r#""url":"/""#.to_owned(),
            is_line: false,
            says_names: false,
        }
    }

    /// A request about a client, whose URL does not matter.
    pub(crate) fn about(agent: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut request = Self::template();
        request.agent(agent)?;
        Ok(request)
    }

    /// A request about a page, whose client does not matter.
    pub(crate) fn page(url: &str) -> Self {
        let mut request = Self {
            json: r#""agent":"*""#.to_owned(),
            is_line: false,
            says_names: false,
        };
        request.member("url", &line(&url));
        request
    }

    /// The request as JSON.
    pub(crate) fn finished(mut self) -> Vec<u8> {
        // What a robot sends need not be a name of RFC 9309.
        if self.is_line {
            self.admit_any_name();
        }
        format!("{{{}}}", self.json).into_bytes()
    }

    /// Accepts names that RFC 9309 does not allow, unless the options say something about it.
    pub(crate) fn admit_any_name(&mut self) {
        if !self.says_names {
            self.member("nonstandard_token", "true");
            self.says_names = true;
        }
    }

    fn member(&mut self, name: &str, json: &str) {
        self.json.push_str(",\"");
        self.json.push_str(name);
        self.json.push_str("\":");
        self.json.push_str(json);
    }

    /// Adds the agent: a name, names in order of preference, or a whole `User-Agent` line.
    pub(crate) fn agent(&mut self, agent: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = agent.py();
        let names = match Text::of(agent)? {
            Some(text) => vec![utf8(py, &text, "agent")?.to_owned()],
            None => strings(agent, "agent", "a str or a list of str")?,
        };
        match names.as_slice() {
            [only] => self.agent_named(only),
            several => self.member("agent", &line(&several)),
        }
        Ok(())
    }

    /// Adds the agent with this name, or that sends this line.
    pub(crate) fn agent_named(&mut self, name: &str) {
        // No name has blanks.
        self.is_line = is_user_agent_line(name) || name.trim().contains(' ');
        self.member("agent", &line(&name));
    }

    /// Adds the agent that sends this `User-Agent`.
    pub(crate) fn agent_of_line(&mut self, user_agent: &str) -> Result<(), String> {
        let robot = Robot::named(user_agent).map_err(|error| error.to_string())?;
        self.is_line = true;
        let json = match robot.names() {
            [] if robot.user_agent_line().is_some() => {
                let message = "expected a robot's name in the User-Agent line, but found none; give \"agent\" too";
                return Err(message.to_owned());
            }
            [] => line(&"*"),
            names => line(&names),
        };
        self.member("agent", &json);
        Ok(())
    }

    /// Adds the options of a client and of robots.txt.
    pub(crate) fn options(&mut self, options: &Options<'_>) -> PyResult<()> {
        for (name, value) in options {
            let Some(value) = value.filter(|value| !value.is_none()) else {
                continue;
            };
            let json = match *name {
                "purposes" => line(&strings(value, name, "a list of str")?),
                "nonstandard_token" => {
                    self.says_names = true;
                    boolean(value, name)?.to_string()
                }
                "known_robots" => boolean(value, name)?.to_string(),
                "robots_status" | "robots_limit" => whole_number(value, name)?,
                "profile" => {
                    let text = string(value, name)?;
                    known(value.py(), name, &text, &["careful", "google"])?;
                    text
                }
                "robots_error" | "robots_location" => string(value, name)?,
                _ => dumps(value, name)?,
            };
            self.member(name, &json);
        }
        Ok(())
    }

    /// Adds the status of the robots.txt.
    pub(crate) fn robots_status(&mut self, status: i64) {
        self.member("robots_status", &status.to_string());
    }

    /// Adds what is known of a page. Returns the bytes of its source.
    pub(crate) fn about_page(&mut self, page: &PageArguments<'_>) -> PyResult<Option<Text>> {
        if let Some(fields) = page.headers {
            self.member("headers", &line(&headers(fields)?));
        }
        if let Some(html) = page.rendered_html {
            let html = crate::input::text(html, "rendered_html")?;
            let html = String::from_utf8_lossy(html.as_bytes());
            self.member("rendered_html", &line(&html));
        }
        for (name, moment) in [
            ("now", page.now),
            ("first_indexed", page.first_indexed),
            ("first_copied", page.first_copied),
        ] {
            if let Some(moment) = moment {
                self.member(name, &instant(moment, name)?);
            }
        }
        if let Some(version) = page.version {
            let text = string(version, "version")?;
            known(version.py(), "version", &text, &["latest", "old"])?;
            self.member("version", &text);
        }
        if let Some(preferences) = page.preferences {
            self.member("preferences", &dumps(preferences, "preferences")?);
        }
        page.html
            .map(|html| crate::input::text(html, "html"))
            .transpose()
    }
}

/// What is known of a page, as it was passed.
#[derive(Clone, Copy, Default)]
pub(crate) struct PageArguments<'a> {
    pub(crate) headers: Option<&'a Bound<'a, PyAny>>,
    pub(crate) html: Option<&'a Bound<'a, PyAny>>,
    pub(crate) rendered_html: Option<&'a Bound<'a, PyAny>>,
    pub(crate) now: Option<&'a Bound<'a, PyAny>>,
    pub(crate) first_indexed: Option<&'a Bound<'a, PyAny>>,
    pub(crate) first_copied: Option<&'a Bound<'a, PyAny>>,
    pub(crate) version: Option<&'a Bound<'a, PyAny>>,
    pub(crate) preferences: Option<&'a Bound<'a, PyAny>>,
}

/// An instant: text as RFC 3339 writes it, or an aware `datetime`.
fn instant(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<String> {
    if value.hasattr("tzinfo")? {
        if value.getattr("tzinfo")?.is_none() {
            let message =
                "expected a datetime with a time zone, such as datetime.now(timezone.utc)";
            return Err(invalid_option(value.py(), argument, message));
        }
        let text: String = value.call_method0("isoformat")?.extract()?;
        return Ok(line(&text));
    }
    let text = Text::of(value)?.ok_or_else(|| {
        wrong_type(
            argument,
            "a datetime or text such as 2026-05-01T12:00:00Z",
            value,
        )
    })?;
    let text = utf8(value.py(), &text, argument)?;
    if let Err(error) = text.parse::<abide::Moment>() {
        return Err(invalid_option(value.py(), argument, &error.to_string()));
    }
    Ok(line(&text))
}

/// Checks a word in JSON. The error of the request would not name the argument.
fn known(py: Python<'_>, argument: &str, json: &str, words: &[&str]) -> PyResult<()> {
    if words.iter().any(|word| json.trim_matches('"') == *word) {
        return Ok(());
    }
    let message = format!("expected {}, but found {json}", words.join(" or "));
    Err(invalid_option(py, argument, &message))
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

/// A list of texts; a single text is none, because its characters are not meant.
pub(crate) fn strings(
    value: &Bound<'_, PyAny>,
    argument: &str,
    expected: &str,
) -> PyResult<Vec<String>> {
    if Text::of(value)?.is_some() {
        return Err(wrong_type(argument, expected, value));
    }
    let items = value
        .try_iter()
        .map_err(|_| wrong_type(argument, expected, value))?;
    let texts = items.map(|item| {
        let item = item?;
        let text = Text::of(&item)?.ok_or_else(|| wrong_type(argument, expected, &item))?;
        utf8(item.py(), &text, argument).map(str::to_owned)
    });
    texts.collect()
}

/// A list of texts, or one text.
pub(crate) fn one_or_more(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<Vec<String>> {
    match Text::of(value)? {
        Some(text) => Ok(vec![utf8(value.py(), &text, argument)?.to_owned()]),
        None => strings(value, argument, "a str or a list of str"),
    }
}

fn string(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<String> {
    let text = Text::of(value)?.ok_or_else(|| wrong_type(argument, "a str", value))?;
    Ok(line(&utf8(value.py(), &text, argument)?))
}

pub(crate) fn boolean(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<bool> {
    let value = value
        .cast::<PyBool>()
        .map_err(|_| wrong_type(argument, "a bool", value))?;
    Ok(value.is_true())
}

fn whole_number(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<String> {
    let is_number = value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>();
    if !is_number {
        return Err(wrong_type(argument, "an int", value));
    }
    // A status is short; a longer number would be an error anyway.
    let number: i64 = value.extract().unwrap_or(-1);
    Ok(number.to_string())
}

/// Whether a value is a list or tuple, whose items need no copying.
pub(crate) fn is_sequence(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>()
}
