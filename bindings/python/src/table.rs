//! Decisions about the rows of a table, each with a robots.txt, a URL and an agent of its own.

use crate::error::{invalid_option, words, wrong_type};
use crate::input::Text;
use crate::options::Members;
use crate::policy::client;
use abide::explain::why;
use abide::syntax::Inspect;
use abide::{Outcome, Target};
use abide_analysis::ShortAnswer;
use abide_contract::CompiledRobots;
use abide_fetch::BodyHash;
use arrow_array::builder::{BooleanBuilder, Float64Builder, StringBuilder, UInt32Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, UInt16Type};
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{DataType, Field, Fields};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{to_array_pycapsules, to_schema_pycapsule};
use pyo3_arrow::input::AnyArray;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many bytes of files and compiled rules are kept at a time.
const MAX_KEPT_BYTES: usize = 256 << 20;

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
        let array = column(value, argument, "a column, a str or bytes")?;
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

/// A column of statuses, or the same one for every row.
enum Statuses {
    One(i64),
    Column(ArrayRef),
    /// Missing in every row.
    Missing,
}

impl Statuses {
    fn read(value: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(value) = value.filter(|value| !value.is_none()) else {
            return Ok(Self::Missing);
        };
        if let Ok(status) = value.extract() {
            return Ok(Self::One(status));
        }
        let column = column(value, "robots_status", "a column or an int")?;
        match column.data_type() {
            DataType::Int16 | DataType::UInt16 | DataType::Int32 | DataType::Int64 => {
                Ok(Self::Column(column))
            }
            found => {
                let message = format!("expected int64, int32, int16 or uint16, but found {found}");
                Err(invalid_option(value.py(), "robots_status", &message))
            }
        }
    }

    fn len(&self) -> Option<usize> {
        match self {
            Self::Column(column) => Some(column.len()),
            _ => None,
        }
    }

    fn get(&self, row: usize) -> Option<i64> {
        let column = match self {
            Self::One(status) => return Some(*status),
            Self::Missing => return None,
            Self::Column(column) => column,
        };
        if column.is_null(row) {
            return None;
        }
        Some(match column.data_type() {
            DataType::Int16 => column.as_primitive::<Int16Type>().value(row).into(),
            DataType::UInt16 => column.as_primitive::<UInt16Type>().value(row).into(),
            DataType::Int32 => column.as_primitive::<Int32Type>().value(row).into(),
            _ => column.as_primitive::<Int64Type>().value(row),
        })
    }
}

/// The values of a column, in one array.
fn column(value: &Bound<'_, PyAny>, argument: &str, expected: &str) -> PyResult<ArrayRef> {
    let column: AnyArray = value
        .extract()
        .map_err(|_| wrong_type(argument, expected, value))?;
    let (chunks, field) = column.into_chunked_array()?.into_inner();
    match chunks.as_slice() {
        [only] => Ok(Arc::clone(only)),
        [] => Ok(arrow_array::new_empty_array(field.data_type())),
        several => {
            let several: Vec<&dyn Array> = several.iter().map(AsRef::as_ref).collect();
            arrow_select::concat::concat(&several)
                .map_err(|error| invalid_option(value.py(), argument, &error.to_string()))
        }
    }
}

type Result<T> = std::result::Result<T, String>;

/// A file by its hash, the status of its response, and the agent.
type Asked = (Option<BodyHash>, Option<i64>, Vec<u8>);

/// Compiled files. Equal files are compiled once for each agent.
struct Policies {
    template: Members,
    known: HashMap<Asked, Result<Arc<CompiledRobots>>>,
    bytes: usize,
    /// Where the file of the last row is, its length and its hash, because rows of one site often
    /// follow each other. Holds only while the rows stay where they are.
    last: Option<(usize, usize, BodyHash)>,
}

impl Policies {
    fn new(template: Members) -> Self {
        Self {
            template,
            known: HashMap::new(),
            bytes: 0,
            last: None,
        }
    }

    fn get(
        &mut self,
        body: Option<&[u8]>,
        status: Option<i64>,
        agent: &[u8],
    ) -> Result<Arc<CompiledRobots>> {
        let hash = body.map(|body| match self.last {
            Some((start, len, hash)) if start == body.as_ptr().addr() && len == body.len() => hash,
            _ => {
                let hash = BodyHash::of(body);
                self.last = Some((body.as_ptr().addr(), body.len(), hash));
                hash
            }
        });
        let key = (hash, status, agent.to_vec());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let compiled = self.compile(body, status, agent);
        let rules = compiled
            .as_ref()
            .map_or(0, |one| Inspect::of(one.policy()).compiled_size());
        self.bytes += body.map_or(0, <[u8]>::len) + rules;
        if self.bytes > MAX_KEPT_BYTES {
            self.known.clear();
            self.bytes = 0;
        }
        self.known.insert(key, compiled.clone());
        compiled
    }

    fn compile(
        &self,
        body: Option<&[u8]>,
        status: Option<i64>,
        agent: &[u8],
    ) -> Result<Arc<CompiledRobots>> {
        let agent = std::str::from_utf8(agent).map_err(|error| format!("agent: {error}"))?;
        let mut members = self.template.clone();
        members.agent_named(agent);
        if let Some(status) = status {
            members.insert("robots_status", status);
        }
        let body = body.map(Arc::from);
        let request = members.request();
        let compiled = request.and_then(|request| CompiledRobots::new(&request, body.as_ref()));
        compiled.map(Arc::new).map_err(|error| words(&error))
    }
}

/// A row of the input.
struct InputRow<'q> {
    robots: Option<&'q [u8]>,
    status: Option<i64>,
    url: Option<&'q [u8]>,
    agent: Option<&'q [u8]>,
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

/// The answer to a row.
struct Answer {
    short: ShortAnswer,
    /// Why, in words.
    reason: Option<String>,
    /// In seconds.
    crawl_delay: Option<f64>,
}

impl Answer {
    fn of(policies: &mut Policies, question: &InputRow<'_>) -> Result<Self> {
        let url = question.url.ok_or("url: there is none")?;
        let agent = question.agent.ok_or("agent: there is none")?;
        let url = std::str::from_utf8(url).map_err(|error| format!("url: {error}"))?;
        let target = Target::new(url).map_err(|error| format!("url: {error}"))?;
        let compiled = policies.get(question.robots, question.status, agent)?;
        let decision = compiled.policy().decide(&target);
        let crawl = decision.usages.crawl();
        let delay = decision.crawl_delay;
        Ok(Self {
            short: ShortAnswer::new(crawl),
            reason: crawl.evidence.first().map(why),
            crawl_delay: delay.map(|(delay, _)| delay.duration().as_secs_f64()),
        })
    }
}

impl Answers {
    /// Adds a row. An error leaves everything else empty.
    fn add(&mut self, policies: &mut Policies, question: &InputRow<'_>) {
        let answer = Answer::of(policies, question);
        let error = answer.as_ref().err();
        self.error.append_option(error);
        let answer = answer.as_ref().ok();
        let outcome = answer.map(|answer| answer.short.outcome);
        self.allowed
            .append_option(outcome.map(|outcome| outcome == Outcome::Permitted));
        self.outcome.append_option(outcome.map(Outcome::name));
        let by = answer.and_then(|answer| answer.short.decided_by.as_ref());
        self.line.append_option(by.and_then(|by| by.line));
        let statement = by.map(|by| String::from_utf8_lossy(&by.statement));
        self.statement
            .append_option(statement.filter(|statement| !statement.is_empty()));
        self.reason
            .append_option(answer.and_then(|answer| answer.reason.as_ref()));
        self.crawl_delay
            .append_option(answer.and_then(|answer| answer.crawl_delay));
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

/// The members of a request that hold for every row. A mistake in one is an exception, not an error
/// in every row.
fn template(py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Members> {
    let template = Members::of_keywords(options)?;
    let mut probe = template.clone();
    probe.agent_named("*");
    client(py, &probe)?;
    Ok(template)
}

/// Decides about each row.
#[pyfunction]
#[pyo3(signature = (robots, url, agent, *, robots_status=None, **options))]
pub(crate) fn decide_rows(
    py: Python<'_>,
    robots: &Bound<'_, PyAny>,
    url: &Bound<'_, PyAny>,
    agent: &Bound<'_, PyAny>,
    robots_status: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<DecisionColumn> {
    let template = template(py, options)?;
    let (robots, url, agent) = (
        Texts::read(robots, "robots")?,
        Texts::read(url, "url")?,
        Texts::read(agent, "agent")?,
    );
    let statuses = Statuses::read(robots_status)?;
    let lengths = [
        ("robots", robots.len()),
        ("robots_status", statuses.len()),
        ("url", url.len()),
        ("agent", agent.len()),
    ];
    let mut columns = lengths
        .into_iter()
        .filter_map(|(argument, length)| Some((argument, length?)));
    let (first, rows) = columns.next().unwrap_or(("", 1));
    for (argument, length) in columns {
        if length != rows {
            let message = format!("found {length} rows, but {first} has {rows}");
            return Err(invalid_option(py, argument, &message));
        }
    }
    Ok(py.detach(|| {
        let mut policies = Policies::new(template);
        let mut answers = Answers::default();
        for row in 0..rows {
            let question = InputRow {
                robots: robots.get(row),
                status: statuses.get(row),
                url: url.get(row),
                agent: agent.get(row),
            };
            answers.add(&mut policies, &question);
        }
        DecisionColumn {
            values: answers.finish(),
        }
    }))
}

/// Decides about rows that are sorted by site: first the robots.txt of a site, then its URLs. A
/// file is kept until the next one begins, so it need not be in every row.
#[pyclass(module = "abide_robots._native", frozen)]
pub(crate) struct SortedDecider {
    state: Mutex<Sorted>,
}

/// Where the rows are.
struct Sorted {
    policies: Policies,
    site: Option<(Vec<u8>, i64)>,
    body: Option<Vec<u8>>,
    status: Option<i64>,
}

impl Sorted {
    /// Begins the group of a row, if it is another one.
    fn begin(&mut self, site: &[u8], share: i64) -> bool {
        if matches!(&self.site, Some((known, number)) if known == site && *number == share) {
            return false;
        }
        self.site = Some((site.to_vec(), share));
        // The next file may be where this one was.
        self.policies.last = None;
        self.body = None;
        self.status = None;
        true
    }

    fn decide(&mut self, rows: &SortedRows) -> DecisionColumn {
        let mut answers = Answers::default();
        for row in 0..rows.len {
            let site = rows.site.get(row).unwrap_or_default();
            let is_first = self.begin(site, rows.share.get(row).unwrap_or_default());
            if rows.rank.get(row) == Some(0) {
                // Of several files of a site, the first one counts.
                if is_first {
                    self.body = rows.robots.get(row).map(<[u8]>::to_vec);
                    self.status = rows.status.get(row);
                }
                continue;
            }
            let question = InputRow {
                robots: self.body.as_deref(),
                status: self.status,
                url: rows.url.get(row),
                agent: rows.agent.get(row),
            };
            answers.add(&mut self.policies, &question);
        }
        DecisionColumn {
            values: answers.finish(),
        }
    }
}

/// The columns of sorted rows.
struct SortedRows {
    len: usize,
    site: Texts,
    share: Statuses,
    rank: Statuses,
    robots: Texts,
    status: Statuses,
    url: Texts,
    agent: Texts,
}

#[pymethods]
impl SortedDecider {
    #[new]
    #[pyo3(signature = (**options))]
    fn construct(py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let state = Sorted {
            policies: Policies::new(template(py, options)?),
            site: None,
            body: None,
            status: None,
        };
        Ok(Self {
            state: Mutex::new(state),
        })
    }

    /// The decisions about the rows with a URL, in their order. `rank` is 0 in rows with a file.
    #[expect(clippy::too_many_arguments, reason = "one for each column")]
    fn decide(
        &self,
        py: Python<'_>,
        site: &Bound<'_, PyAny>,
        share: &Bound<'_, PyAny>,
        rank: &Bound<'_, PyAny>,
        robots: &Bound<'_, PyAny>,
        robots_status: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
        agent: &Bound<'_, PyAny>,
    ) -> PyResult<DecisionColumn> {
        let rank = Statuses::read(Some(rank))?;
        let rows = SortedRows {
            len: rank.len().unwrap_or_default(),
            site: Texts::read(site, "site")?,
            share: Statuses::read(Some(share))?,
            rank,
            robots: Texts::read(robots, "robots")?,
            status: Statuses::read(Some(robots_status))?,
            url: Texts::read(url, "url")?,
            agent: Texts::read(agent, "agent")?,
        };
        Ok(py.detach(|| {
            let state = self.state.lock();
            state.unwrap_or_else(PoisonError::into_inner).decide(&rows)
        }))
    }
}
