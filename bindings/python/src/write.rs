//! What `abide::write` writes, from lists that the Python module `write` makes of its arguments.

use crate::error::invalid_option;
use abide::app::DirectiveValue;
use abide::preference::Revision;
use abide::tag::{Scope, StatedRule};
use abide::verdict::Sense;
use abide::write::{
    DirectivesWriter, FieldRules as Rules, GroupWriter, PreferenceWriter, ResponseField,
    RobotsTagWriter, WriteError,
};
use abide::{ProductToken, PurposeToken, Usage};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Rules of robots, by name.
type Tags = Vec<(String, Vec<(String, Option<String>)>)>;
/// Directives of applications, each with the type and the value of it.
type Applications<'py> = Vec<(String, Vec<(String, (String, Bound<'py, PyAny>))>)>;
/// Usages, and whether they are permitted.
type Usages = Vec<(String, bool)>;
/// A path, and what is said on it.
type OnPath<T> = (Option<String>, T);

fn refused(py: Python<'_>, argument: &str) -> impl Fn(WriteError) -> PyErr {
    move |error| invalid_option(py, argument, &error.to_string())
}

fn tags(rules: Tags) -> RobotsTagWriter {
    let mut writer = RobotsTagWriter::new();
    for (name, rules) in rules {
        let scope = match name.as_str() {
            "*" => Scope::Everyone,
            _ => Scope::Token(name),
        };
        for (name, value) in rules {
            writer = writer.with_rule(scope.clone(), StatedRule::new(name, value));
        }
    }
    writer
}

/// The value of a `Robots-Tag` field.
#[pyfunction]
pub(crate) fn write_robots_tag(py: Python<'_>, rules: Tags) -> PyResult<String> {
    tags(rules).robots_tag().map_err(refused(py, "rules"))
}

/// The values of `X-Robots-Tag` fields.
#[pyfunction]
pub(crate) fn write_x_robots_tag(py: Python<'_>, rules: Tags) -> PyResult<Vec<String>> {
    tags(rules).x_robots_tag().map_err(refused(py, "rules"))
}

/// A value of a directive with this type of structured fields.
fn directive(kind: &str, value: &Bound<'_, PyAny>) -> PyResult<DirectiveValue> {
    // No structured field has a longer number.
    let integer = || value.extract().unwrap_or(i64::MAX);
    Ok(match kind {
        "boolean" => DirectiveValue::Boolean(value.extract()?),
        "integer" => DirectiveValue::Integer(integer()),
        "decimal" => DirectiveValue::Decimal(value.extract()?),
        "string" => DirectiveValue::String(value.extract()?),
        "token" => DirectiveValue::Token(value.extract()?),
        "bytes" => DirectiveValue::ByteSequence(value.extract()?),
        "date" => DirectiveValue::Date(integer()),
        "display-string" => DirectiveValue::DisplayString(value.extract()?),
        _ => return Err(PyTypeError::new_err(format!("no such type: {kind}"))),
    })
}

fn directives((path, applications): OnPath<Applications<'_>>) -> PyResult<DirectivesWriter> {
    let mut writer = DirectivesWriter::new();
    if let Some(path) = path {
        writer = writer.with_path(path);
    }
    for (id, stated) in applications {
        writer = writer.with_application(&id);
        for (name, (kind, value)) in stated {
            writer = writer.with_directive(&id, &name, directive(&kind, &value)?);
        }
    }
    Ok(writer)
}

/// The value of an `App-Directives` line.
#[pyfunction]
pub(crate) fn write_app_directives(
    py: Python<'_>,
    applications: Applications<'_>,
    path: Option<String>,
) -> PyResult<String> {
    let writer = directives((path, applications))?;
    writer.value().map_err(refused(py, "applications"))
}

fn preference(
    py: Python<'_>,
    argument: &str,
    (path, usages): OnPath<Usages>,
    revision: &str,
) -> PyResult<PreferenceWriter> {
    let revision = Revision::named(revision)
        .map_err(|error| invalid_option(py, "revision", &error.to_string()))?;
    let mut writer = PreferenceWriter::content_usage(revision);
    if let Some(path) = path {
        writer = writer.with_path(path);
    }
    for (name, permits) in usages {
        let known = revision.words.iter().find(|(word, _)| *word == name);
        let usage = known.map_or_else(|| name.parse::<Usage>(), |(_, usage)| Ok(*usage));
        let usage = usage.map_err(|error| invalid_option(py, argument, &error.to_string()))?;
        writer = writer.with(usage, permits);
    }
    Ok(writer)
}

/// The value of a `Content-Usage` field or line.
#[pyfunction]
pub(crate) fn write_content_usage(
    py: Python<'_>,
    usages: Usages,
    path: Option<String>,
    revision: &str,
) -> PyResult<String> {
    let writer = preference(py, "usages", (path, usages), revision)?;
    writer.value().map_err(refused(py, "usages"))
}

/// Which fields the responses of a site get, by path.
#[pyclass(frozen, module = "abide_robots._native")]
pub(crate) struct FieldRules(Rules);

/// A pattern, and the values of a field.
type PatternRules = Vec<(String, Vec<String>)>;

#[pymethods]
impl FieldRules {
    #[new]
    fn new(
        py: Python<'_>,
        robots_tag: PatternRules,
        x_robots_tag: PatternRules,
        content_usage: PatternRules,
    ) -> PyResult<Self> {
        let of_fields = [
            ("robots_tag", ResponseField::RobotsTag, robots_tag),
            ("x_robots_tag", ResponseField::XRobotsTag, x_robots_tag),
            ("content_usage", ResponseField::ContentUsage, content_usage),
        ];
        let mut all = Rules::new();
        for (argument, field, rules) in of_fields {
            for (pattern, values) in rules {
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
                let with = all.with(&pattern, field, &values);
                all = with.map_err(refused(py, argument))?;
            }
        }
        Ok(Self(all))
    }

    /// Names and values of the fields for a path with its query.
    fn fields(&self, path: &str) -> Vec<(&str, &str)> {
        let fields = self.0.fields(path);
        fields.map(|(field, value)| (field.name(), value)).collect()
    }
}

/// A group of a robots.txt.
#[pyfunction]
pub(crate) fn write_group(
    py: Python<'_>,
    purposes: Vec<String>,
    robots: Vec<String>,
    rules: Vec<(String, String)>,
    app_directives: Vec<OnPath<Applications<'_>>>,
    content_usage: Vec<OnPath<Usages>>,
    revision: &str,
) -> PyResult<String> {
    let mut group = GroupWriter::new();
    for purpose in purposes {
        let purpose = PurposeToken::new(&purpose);
        let wrong = |error| invalid_option(py, "purposes", &format!("{error}"));
        group = group.for_purpose(&purpose.map_err(wrong)?);
    }
    for robot in robots {
        group = match robot.as_str() {
            "*" => group.for_everyone(),
            robot => {
                let token = ProductToken::nonstandard(robot);
                let wrong = |error| invalid_option(py, "robots", &format!("{error}"));
                group.for_robot(&token.map_err(wrong)?)
            }
        };
    }
    for (sense, pattern) in rules {
        let sense = match sense.to_ascii_lowercase().as_str() {
            "allow" => Sense::Allow,
            "disallow" => Sense::Disallow,
            _ => {
                let message = format!("expected \"allow\" or \"disallow\", but found {sense:?}");
                return Err(invalid_option(py, "rules", &message));
            }
        };
        group = group.with_rule(sense, pattern);
    }
    for stated in app_directives {
        group = group.with_directives(directives(stated)?);
    }
    for stated in content_usage {
        group = group.with_preference(preference(py, "content_usage", stated, revision)?);
    }
    group.text().map_err(refused(py, "group"))
}
