//! Decisions about the rows of a table, each with a robots.txt, a URL and an agent of its own.

use crate::error::{invalid_option, words, wrong_type};
use crate::input::Text;
use crate::options::Request;
use abide::explain::why;
use abide::{Outcome, Target};
use abide_fetch::BodyHash;
use abide_json::Compiled;
use arrow_array::builder::{BooleanBuilder, Float64Builder, StringBuilder, UInt32Builder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{DataType, Field, Fields};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{to_array_pycapsules, to_schema_pycapsule};
use pyo3_arrow::input::AnyArray;
use std::collections::HashMap;
use std::sync::Arc;

/// How many bytes of files and compiled rules are kept at a time.
const MOST_BYTES: usize = 256 << 20;

/// A column of texts, or the same text for every row.
enum Texts {
    One(Text),
    Column {
        values: ArrayRef,
        /// Of a dictionary: the value of each row.
        keys: Option<(ArrayRef, Vec<usize>)>,
    },
    /// Missing in every row.
    Missing,
}

impl Texts {
    fn read(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<Self> {
        if value.is_none() {
            return Ok(Self::Missing);
        }
        if let Some(text) = Text::of(value)? {
            return Ok(Self::One(text));
        }
        let column: AnyArray = value
            .extract()
            .map_err(|_| wrong_type(argument, "a column, a str or bytes", value))?;
        let (chunks, field) = column.into_chunked_array()?.into_inner();
        let array = match chunks.as_slice() {
            [only] => Arc::clone(only),
            [] => arrow_array::new_empty_array(field.data_type()),
            several => {
                let several: Vec<&dyn Array> = several.iter().map(AsRef::as_ref).collect();
                arrow_select::concat::concat(&several)
                    .map_err(|error| invalid_option(value.py(), argument, &error.to_string()))?
            }
        };
        let (values, keys) = match array.data_type() {
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let values = Arc::clone(dictionary.values());
                // Normalized keys of an empty dictionary would have no bound.
                let of_row = if values.is_empty() {
                    vec![0; array.len()]
                } else {
                    dictionary.normalized_keys()
                };
                (values, Some((Arc::clone(&array), of_row)))
            }
            _ => (array, None),
        };
        if matches!(
            values.data_type(),
            DataType::Utf8
                | DataType::LargeUtf8
                | DataType::Utf8View
                | DataType::Binary
                | DataType::LargeBinary
                | DataType::BinaryView
                | DataType::Null
        ) {
            Ok(Self::Column { values, keys })
        } else {
            let found = values.data_type();
            let message = format!("expected text, but found a column of {found}");
            Err(invalid_option(value.py(), argument, &message))
        }
    }

    /// The number of rows; `None` if every number is right.
    fn len(&self) -> Option<usize> {
        match self {
            Self::Column { values, keys } => Some(match keys {
                Some((keys, _)) => keys.len(),
                None => values.len(),
            }),
            _ => None,
        }
    }

    fn get(&self, row: usize) -> Option<&[u8]> {
        let (values, at) = match self {
            Self::One(text) => return Some(text.as_bytes()),
            Self::Missing => return None,
            Self::Column { values, keys: None } => (values, row),
            Self::Column {
                values,
                keys: Some((keys, of_row)),
            } => {
                if keys.is_null(row) {
                    return None;
                }
                (values, of_row[row])
            }
        };
        if values.is_empty() || values.is_null(at) {
            return None;
        }
        Some(match values.data_type() {
            DataType::Utf8 => values.as_string::<i32>().value(at).as_bytes(),
            DataType::LargeUtf8 => values.as_string::<i64>().value(at).as_bytes(),
            DataType::Utf8View => values.as_string_view().value(at).as_bytes(),
            DataType::Binary => values.as_binary::<i32>().value(at),
            DataType::LargeBinary => values.as_binary::<i64>().value(at),
            DataType::BinaryView => values.as_binary_view().value(at),
            _ => return None,
        })
    }
}

type Result<T> = std::result::Result<T, String>;

/// Compiled files. Equal files are compiled once for each agent.
struct Policies {
    template: Request,
    known: HashMap<(Option<BodyHash>, Vec<u8>), Result<Arc<Compiled>>>,
    bytes: usize,
    /// The file of the last row and its hash, because rows of one site often follow each other.
    last: Option<(*const u8, usize, BodyHash)>,
}

impl Policies {
    fn get(&mut self, body: Option<&[u8]>, agent: &[u8]) -> Result<Arc<Compiled>> {
        let hash = body.map(|body| match self.last {
            Some((start, len, hash)) if start == body.as_ptr() && len == body.len() => hash,
            _ => {
                let hash = BodyHash::of(body);
                self.last = Some((body.as_ptr(), body.len(), hash));
                hash
            }
        });
        let key = (hash, agent.to_vec());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let compiled = self.compile(body, agent);
        let rules = compiled
            .as_ref()
            .map_or(0, |one| one.policy().compiled_size());
        self.bytes += body.map_or(0, <[u8]>::len) + rules;
        if self.bytes > MOST_BYTES {
            self.known.clear();
            self.bytes = 0;
        }
        self.known.insert(key, compiled.clone());
        compiled
    }

    fn compile(&self, body: Option<&[u8]>, agent: &[u8]) -> Result<Arc<Compiled>> {
        let agent = std::str::from_utf8(agent).map_err(|error| format!("agent: {error}"))?;
        let request = Request::about_name(&self.template, agent)
            .map_err(|error| format!("agent: {error}"))?;
        let body = body.map(Arc::from);
        let compiled = Compiled::new(&request, body.as_ref());
        compiled.map(Arc::new).map_err(|error| words(&error))
    }
}

/// The columns of the answers.
#[derive(Default)]
struct Answers {
    allowed: BooleanBuilder,
    outcome: StringBuilder,
    line: UInt32Builder,
    statement: StringBuilder,
    reason: StringBuilder,
    crawl_delay: Float64Builder,
    error: StringBuilder,
}

impl Answers {
    fn add(
        &mut self,
        policies: &mut Policies,
        robots: Option<&[u8]>,
        url: Option<&[u8]>,
        agent: Option<&[u8]>,
    ) {
        if let Err(error) = self.decide(policies, robots, url, agent) {
            self.allowed.append_null();
            self.outcome.append_null();
            self.line.append_null();
            self.statement.append_null();
            self.reason.append_null();
            self.crawl_delay.append_null();
            self.error.append_value(error);
        }
    }

    /// Adds a row, or nothing on an error.
    fn decide(
        &mut self,
        policies: &mut Policies,
        robots: Option<&[u8]>,
        url: Option<&[u8]>,
        agent: Option<&[u8]>,
    ) -> Result<()> {
        let url = url.ok_or("url: there is none")?;
        let agent = agent.ok_or("agent: there is none")?;
        let url = std::str::from_utf8(url).map_err(|error| format!("url: {error}"))?;
        let target = Target::new(url).map_err(|error| format!("url: {error}"))?;
        let compiled = policies.get(robots, agent)?;
        let decision = compiled.policy().decide(&target);
        let crawl = decision.usages.crawl();
        let decided = crawl.evidence.first();
        let statement = decided.filter(|one| !one.statement.is_empty());
        self.allowed
            .append_value(crawl.outcome == Outcome::Permitted);
        self.outcome.append_value(crawl.outcome.name());
        self.line
            .append_option(decided.and_then(|one| one.place).map(|place| place.line));
        self.statement
            .append_option(statement.map(|one| String::from_utf8_lossy(&one.statement)));
        self.reason.append_option(decided.map(why));
        let delay = decision.crawl_delay;
        self.crawl_delay
            .append_option(delay.map(|(delay, _)| delay.duration().as_secs_f64()));
        self.error.append_null();
        Ok(())
    }

    fn finish(mut self) -> StructArray {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.allowed.finish()),
            Arc::new(self.outcome.finish()),
            Arc::new(self.line.finish()),
            Arc::new(self.statement.finish()),
            Arc::new(self.reason.finish()),
            Arc::new(self.crawl_delay.finish()),
            Arc::new(self.error.finish()),
        ];
        let rows = columns[0].len();
        // The columns have the types of the fields and the same length.
        StructArray::try_new_with_length(fields(), columns, None, rows)
            .unwrap_or_else(|_| StructArray::new_null(fields(), rows))
    }
}

fn fields() -> Fields {
    Fields::from(vec![
        Field::new("allowed", DataType::Boolean, true),
        Field::new("outcome", DataType::Utf8, true),
        Field::new("line", DataType::UInt32, true),
        Field::new("statement", DataType::Utf8, true),
        Field::new("reason", DataType::Utf8, true),
        Field::new("crawl_delay", DataType::Float64, true),
        Field::new("error", DataType::Utf8, true),
    ])
}

/// A column of decisions, which every library that knows Arrow can take.
#[pyclass(module = "abide_robots", frozen)]
pub(crate) struct DecisionColumn {
    values: StructArray,
}

impl DecisionColumn {
    fn field(&self) -> Arc<Field> {
        Arc::new(Field::new(
            "decision",
            self.values.data_type().clone(),
            true,
        ))
    }
}

#[pymethods]
impl DecisionColumn {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyTuple>> {
        to_array_pycapsules(py, self.field(), &self.values, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, self.field().as_ref())
    }

    fn __len__(&self) -> usize {
        self.values.len()
    }

    fn __repr__(&self) -> String {
        format!("<DecisionColumn: {} decisions>", self.values.len())
    }
}

/// Decides about each row.
#[pyfunction]
#[pyo3(signature = (robots, url, agent, *, purposes=None, acap=None, profile=None,
    nonstandard_token=None, known_robots=None))]
#[expect(clippy::too_many_arguments, reason = "the members of a request")]
pub(crate) fn decide_rows(
    py: Python<'_>,
    robots: &Bound<'_, PyAny>,
    url: &Bound<'_, PyAny>,
    agent: &Bound<'_, PyAny>,
    purposes: Option<&Bound<'_, PyAny>>,
    acap: Option<&Bound<'_, PyAny>>,
    profile: Option<&Bound<'_, PyAny>>,
    nonstandard_token: Option<&Bound<'_, PyAny>>,
    known_robots: Option<&Bound<'_, PyAny>>,
) -> PyResult<DecisionColumn> {
    let template = Request::template(&[
        ("purposes", purposes),
        ("acap", acap),
        ("profile", profile),
        ("nonstandard_token", nonstandard_token),
        ("known_robots", known_robots),
    ])?;
    // A mistake in an option is an exception, not an error in every row.
    let probe = Request::about_name(&template, "*").map(|request| Compiled::new(&request, None));
    if let Ok(Err(error)) = probe {
        return Err(crate::error::of_request(py, &error, None));
    }
    let (robots, url, agent) = (
        Texts::read(robots, "robots")?,
        Texts::read(url, "url")?,
        Texts::read(agent, "agent")?,
    );
    let lengths = [
        ("robots", robots.len()),
        ("url", url.len()),
        ("agent", agent.len()),
    ];
    let known = lengths.iter().find_map(|(_, length)| *length);
    let rows = known.unwrap_or(1);
    for (argument, length) in lengths {
        if length.is_some_and(|length| length != rows) {
            let message = format!("expected {rows} rows, as in the other columns");
            return Err(invalid_option(py, argument, &message));
        }
    }
    Ok(py.detach(|| {
        let mut policies = Policies {
            template,
            known: HashMap::new(),
            bytes: 0,
            last: None,
        };
        let mut answers = Answers::default();
        for row in 0..rows {
            answers.add(&mut policies, robots.get(row), url.get(row), agent.get(row));
        }
        DecisionColumn {
            values: answers.finish(),
        }
    }))
}
