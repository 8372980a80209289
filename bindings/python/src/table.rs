//! Decisions about the rows of a table, each with a robots.txt, a URL and an agent of its own.

use crate::column::BooleanColumn;
use crate::error::invalid_option;
use crate::kept_policies::KeptPolicies;
use crate::options::{Members, one_or_more};
use crate::policy::client;
use crate::texts::{Numbers, Texts};
use abide::explain::why;
use abide::{Decision, Outcome, Policy, Target};
use abide_analysis::ShortAnswer;
use arrow_array::builder::{BooleanBuilder, Float64Builder, StringBuilder, UInt32Builder};
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{Field, Fields};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{to_array_pycapsules, to_schema_pycapsule};
use std::sync::{Arc, Mutex, PoisonError};

type Result<T> = std::result::Result<T, String>;

/// A row of the input.
struct InputRow<'q> {
    robots: Option<&'q [u8]>,
    /// Whether the file is where it is until all rows are answered, and those of other rows may be
    /// there too.
    stays: bool,
    status: Option<i64>,
    url: Option<&'q [u8]>,
    agent: Option<&'q [u8]>,
}

impl<'q> InputRow<'q> {
    /// The rules and the URL, if both can be read.
    fn read(&self, policies: &mut KeptPolicies) -> Result<(Arc<Policy>, &'q str, Target<'q>)> {
        let url = self.url.ok_or("url: there is none")?;
        let agent = self.agent.ok_or("agent: there is none")?;
        let url = std::str::from_utf8(url).map_err(|error| format!("url: {error}"))?;
        let target = Target::new(url).map_err(|error| format!("url: {error}"))?;
        let policy = policies.get(self.robots, self.stays, self.status, agent)?;
        Ok((policy, url, target))
    }
}

/// A column of the answers.
enum AnswerColumn {
    Allowed(BooleanBuilder),
    Outcome(StringBuilder),
    Line(UInt32Builder),
    Statement(StringBuilder),
    Reason(StringBuilder),
    CrawlDelay(Float64Builder),
    Error(StringBuilder),
}

/// The names of all columns, in their order.
const COLUMNS: [&str; 7] = [
    "allowed",
    "outcome",
    "line",
    "statement",
    "reason",
    "crawl_delay",
    "error",
];

impl AnswerColumn {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "allowed" => Self::Allowed(BooleanBuilder::new()),
            "outcome" => Self::Outcome(StringBuilder::new()),
            "line" => Self::Line(UInt32Builder::new()),
            "statement" => Self::Statement(StringBuilder::new()),
            "reason" => Self::Reason(StringBuilder::new()),
            "crawl_delay" => Self::CrawlDelay(Float64Builder::new()),
            "error" => Self::Error(StringBuilder::new()),
            _ => return None,
        })
    }

    /// Whether only a decision with its evidence has it.
    const fn needs_decision(&self) -> bool {
        matches!(
            self,
            Self::Outcome(_) | Self::Line(_) | Self::Statement(_) | Self::Reason(_)
        )
    }

    /// Adds a row. An error leaves everything else empty.
    fn add(&mut self, answer: &Result<Answer<'_>>) {
        let error = answer.as_ref().err();
        let answer = answer.as_ref().ok();
        let decision = answer.and_then(|answer| answer.decision.as_ref());
        let crawl = decision.map(|decision| decision.usages.crawl());
        let decided_by = || ShortAnswer::new(crawl?).decided_by;
        match self {
            Self::Allowed(column) => column.append_option(answer.map(|answer| answer.allowed)),
            Self::Outcome(column) => {
                column.append_option(crawl.map(|crawl| crawl.outcome.name()));
            }
            Self::Line(column) => column.append_option(decided_by().and_then(|by| by.line)),
            Self::Statement(column) => {
                let by = decided_by().filter(|by| !by.statement.is_empty());
                column.append_option(
                    by.map(|by| String::from_utf8_lossy(&by.statement).into_owned()),
                );
            }
            Self::Reason(column) => {
                column.append_option(crawl.and_then(|crawl| crawl.evidence.first()).map(why));
            }
            Self::CrawlDelay(column) => {
                let delay = answer.and_then(|answer| answer.policy.crawl_delay());
                column.append_option(delay.map(|(delay, _)| delay.duration().as_secs_f64()));
            }
            Self::Error(column) => column.append_option(error),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Allowed(column) => Arc::new(column.finish()),
            Self::Line(column) => Arc::new(column.finish()),
            Self::CrawlDelay(column) => Arc::new(column.finish()),
            Self::Outcome(column)
            | Self::Statement(column)
            | Self::Reason(column)
            | Self::Error(column) => Arc::new(column.finish()),
        }
    }
}

/// The answer to a row.
struct Answer<'p> {
    allowed: bool,
    policy: &'p Policy,
    /// If some column needs it.
    decision: Option<Decision<'p>>,
}

/// The columns of the answers that somebody asked for.
struct Answers {
    names: Vec<&'static str>,
    columns: Vec<AnswerColumn>,
    decides: bool,
}

impl Answers {
    fn new(names: &[&'static str]) -> Self {
        let columns = names.iter().filter_map(|name| AnswerColumn::named(name));
        let columns: Vec<AnswerColumn> = columns.collect();
        Self {
            names: names.to_vec(),
            decides: columns.iter().any(AnswerColumn::needs_decision),
            columns,
        }
    }

    fn add(&mut self, policies: &mut KeptPolicies, row: &InputRow<'_>) {
        let read = row.read(policies);
        let answer = match &read {
            Err(error) => Err(error.clone()),
            Ok((policy, _, target)) if self.decides => {
                let decision = policy.decide(target);
                Ok(Answer {
                    allowed: decision.usages.crawl().outcome == Outcome::Permitted,
                    policy,
                    decision: Some(decision),
                })
            }
            Ok((policy, url, _)) => Ok(Answer {
                allowed: policy.allows(url),
                policy,
                decision: None,
            }),
        };
        for column in &mut self.columns {
            column.add(&answer);
        }
    }

    fn finish(mut self) -> StructArray {
        let columns: Vec<ArrayRef> = self.columns.iter_mut().map(AnswerColumn::finish).collect();
        let fields = self.names.iter().zip(&columns);
        let fields =
            fields.map(|(name, column)| Field::new(*name, column.data_type().clone(), true));
        StructArray::new(fields.collect::<Fields>(), columns, None)
    }
}

fn unfit(found: &str) -> String {
    let known = COLUMNS.join(", ");
    format!("expected some of {known}, but found {found}")
}

/// The columns that are asked for: all, or these names.
fn columns_named(py: Python<'_>, asked: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<&'static str>> {
    let Some(asked) = asked.filter(|asked| !asked.is_none()) else {
        return Ok(COLUMNS.to_vec());
    };
    let mut names = Vec::new();
    for name in one_or_more(asked, "columns")? {
        let found = match COLUMNS.iter().find(|known| **known == name) {
            Some(known) if !names.contains(known) => {
                names.push(*known);
                continue;
            }
            Some(_) => format!("{name:?} twice"),
            None => format!("{name:?}"),
        };
        return Err(invalid_option(py, "columns", &unfit(&found)));
    }
    if names.is_empty() {
        return Err(invalid_option(py, "columns", &unfit("none")));
    }
    Ok(names)
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

/// Decides about rows: tables, or batch by batch. Files are kept compiled from one call to the
/// next. Several threads may ask at a time, each with files of its own.
#[pyclass(module = "abide_robots._native", frozen)]
pub(crate) struct RowDecider {
    template: Members,
    columns: Vec<&'static str>,
    /// What no thread uses at the moment.
    idle: Mutex<Vec<KeptPolicies>>,
}

/// The columns of the rows.
struct InputRows {
    robots: Texts,
    statuses: Numbers,
    url: Texts,
    agent: Texts,
    len: usize,
}

impl InputRows {
    fn read(
        py: Python<'_>,
        robots: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
        agent: &Bound<'_, PyAny>,
        robots_status: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (robots, url, agent) = (
            Texts::read(robots, "robots")?,
            Texts::read(url, "url")?,
            Texts::read(agent, "agent")?,
        );
        let statuses = Numbers::read(robots_status, "robots_status")?;
        let lengths = [
            ("robots", robots.len()),
            ("robots_status", statuses.len()),
            ("url", url.len()),
            ("agent", agent.len()),
        ];
        let mut columns = lengths
            .into_iter()
            .filter_map(|(argument, length)| Some((argument, length?)));
        let (first, len) = columns.next().unwrap_or(("", 1));
        for (argument, length) in columns {
            if length != len {
                let message = format!("found {length} rows, but {first} has {len}");
                return Err(invalid_option(py, argument, &message));
            }
        }
        Ok(Self {
            robots,
            statuses,
            url,
            agent,
            len,
        })
    }

    fn iter(&self) -> impl Iterator<Item = InputRow<'_>> {
        let stays = self.robots.shares();
        (0..self.len).map(move |row| InputRow {
            robots: self.robots.get(row),
            stays,
            status: self.statuses.get(row),
            url: self.url.get(row),
            agent: self.agent.get(row),
        })
    }
}

impl RowDecider {
    /// Asks with policies that no other thread uses.
    fn with_policies<T>(&self, ask: impl FnOnce(&mut KeptPolicies) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let policies = idle().pop();
        let mut policies = policies.unwrap_or_else(|| KeptPolicies::new(self.template.clone()));
        let answers = ask(&mut policies);
        policies.move_on();
        idle().push(policies);
        answers
    }
}

#[pymethods]
impl RowDecider {
    #[new]
    #[pyo3(signature = (columns=None, **options))]
    fn construct(
        py: Python<'_>,
        columns: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        Ok(Self {
            template: template(py, options)?,
            columns: columns_named(py, columns)?,
            idle: Mutex::default(),
        })
    }

    /// Whether the robot of each row may crawl its URL; null if the row cannot be read.
    #[pyo3(signature = (robots, url, agent, robots_status=None))]
    fn allows(
        &self,
        py: Python<'_>,
        robots: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
        agent: &Bound<'_, PyAny>,
        robots_status: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<BooleanColumn> {
        let rows = InputRows::read(py, robots, url, agent, robots_status)?;
        Ok(py.detach(|| {
            self.with_policies(|policies| {
                let mut answers = BooleanBuilder::with_capacity(rows.len);
                for row in rows.iter() {
                    let read = row.read(policies).ok();
                    answers.append_option(read.map(|(policy, url, _)| policy.allows(url)));
                }
                BooleanColumn::of(answers.finish())
            })
        }))
    }

    /// The columns that were asked for, about each row.
    #[pyo3(signature = (robots, url, agent, robots_status=None))]
    fn decide(
        &self,
        py: Python<'_>,
        robots: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
        agent: &Bound<'_, PyAny>,
        robots_status: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<DecisionColumn> {
        let rows = InputRows::read(py, robots, url, agent, robots_status)?;
        Ok(py.detach(|| {
            self.with_policies(|policies| {
                let mut answers = Answers::new(&self.columns);
                for row in rows.iter() {
                    answers.add(policies, &row);
                }
                DecisionColumn {
                    values: answers.finish(),
                }
            })
        }))
    }
}

/// Decides about rows that are sorted by site: first the robots.txt of a site, then its URLs. A
/// file is kept until the next one begins, so it need not be in every row.
#[pyclass(module = "abide_robots._native", frozen)]
pub(crate) struct SortedDecider {
    state: Mutex<Sorted>,
}

/// Where the rows are.
struct Sorted {
    policies: KeptPolicies,
    columns: Vec<&'static str>,
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
        self.body = None;
        self.status = None;
        true
    }

    fn decide(&mut self, rows: &SortedRows) -> DecisionColumn {
        let mut answers = Answers::new(&self.columns);
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
                stays: false,
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
    share: Numbers,
    rank: Numbers,
    robots: Texts,
    status: Numbers,
    url: Texts,
    agent: Texts,
}

#[pymethods]
impl SortedDecider {
    #[new]
    #[pyo3(signature = (columns=None, **options))]
    fn construct(
        py: Python<'_>,
        columns: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let state = Sorted {
            policies: KeptPolicies::new(template(py, options)?),
            columns: columns_named(py, columns)?,
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
        let rank = Numbers::read(Some(rank), "rank")?;
        let rows = SortedRows {
            len: rank.len().unwrap_or_default(),
            site: Texts::read(site, "site")?,
            share: Numbers::read(Some(share), "share")?,
            rank,
            robots: Texts::read(robots, "robots")?,
            status: Numbers::read(Some(robots_status), "robots_status")?,
            url: Texts::read(url, "url")?,
            agent: Texts::read(agent, "agent")?,
        };
        Ok(py.detach(|| {
            let state = self.state.lock();
            state.unwrap_or_else(PoisonError::into_inner).decide(&rows)
        }))
    }
}
