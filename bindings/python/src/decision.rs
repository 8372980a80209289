//! `Decision`: the answer about one page.

use crate::json::loads;
use abide::explain::{self, Layout, place, quoted, visible, why};
use abide::verdict::Source;
use abide::{Evidence, Outcome, Usage};
use abide_contract::{CompiledRobots, PageQuestion, RequestError, RetrievalJson};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use std::fmt::Write;
use std::sync::{Arc, OnceLock};

/// The answer about one page, with the evidence for it. True if the page may be crawled.
///
/// Its attributes are the fields of the decision contract (`docs/json.md`), and a few more for the
/// usual questions.
///
/// >>> import abide_robots
/// >>> policy = abide_robots.Policy("User-agent: *\nDisallow: /x", "ExampleBot")
/// >>> decision = policy.decide("https://example.com/x/y")
/// >>> decision.allowed, decision.line, decision.statement
/// (False, 2, 'Disallow: /x')
/// >>> print(decision)
/// crawl: disallowed
///   decided by  line 2: Disallow: /x
///               the only rule that matches (2 bytes)
///   group       line 1: User-agent: *
#[pyclass(module = "abide_robots", frozen)]
pub(crate) struct Decision {
    allowed: bool,
    line: Option<u32>,
    statement: Option<String>,
    /// What it answers; `None` if it was pickled, which writes it.
    question: Option<Question>,
    /// The decision in JSON and in words, once somebody asked for them.
    written: OnceLock<Written>,
    /// The contract as a dict, once somebody asked for it.
    dict: PyOnceLock<Py<PyDict>>,
}

/// Everything that a decision follows from, so that it can be written later.
pub(crate) struct Question {
    pub(crate) robots: Arc<CompiledRobots>,
    pub(crate) page: PageQuestion,
    /// How the robots.txt was fetched.
    pub(crate) retrieval: Option<Arc<RetrievalJson>>,
}

/// A decision as text.
struct Written {
    /// The decision of the contract, one line of JSON.
    json: String,
    /// The decision in words.
    explanation: String,
    /// Why the page may be crawled or not, in one line.
    reason: String,
}

impl Question {
    fn written(&self) -> Result<Written, RequestError> {
        self.robots.decide(&self.page, |decision| {
            let decided = decision.usages.crawl().evidence.first();
            let json = self
                .robots
                .json(&self.page, decision, self.retrieval.as_deref());
            Written {
                json: json.to_line(),
                explanation: explain::text(self.robots.policy(), decision, Layout::default()),
                reason: decided.map(sentence).unwrap_or_default(),
            }
        })
    }
}

impl Decision {
    /// Decides. Nothing is written before somebody asks for it.
    pub(crate) fn new(question: Question) -> Result<Self, RequestError> {
        let decided = question.robots.decide(&question.page, |decision| {
            let crawl = decision.usages.crawl();
            let decided = crawl.evidence.first();
            (
                crawl.outcome == Outcome::Permitted,
                decided.and_then(|one| one.place).map(|place| place.line),
                decided
                    .filter(|one| !one.statement.is_empty())
                    .map(|one| String::from_utf8_lossy(one.statement).into_owned()),
            )
        });
        let (allowed, line, statement) = decided?;
        Ok(Self {
            allowed,
            line,
            statement,
            question: Some(question),
            written: OnceLock::new(),
            dict: PyOnceLock::new(),
        })
    }

    /// The decision as text.
    fn written(&self) -> &Written {
        self.written.get_or_init(|| {
            let question = self.question.as_ref();
            let written = question.map(Question::written);
            written
                .and_then(Result::ok)
                .expect("a question that was answered, or else what was written")
        })
    }

    fn dict<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyDict>> {
        let dict = self.dict.get_or_try_init(py, || {
            let dict = loads(py, &self.written().json)?.cast_into::<PyDict>()?;
            // Echoed from requests, of which there is none here.
            dict.del_item("id")?;
            Ok::<_, PyErr>(dict.unbind())
        })?;
        Ok(dict.bind(py))
    }

    fn member<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.dict(py)?.get_item(name)
    }

    fn outcome_word(&self) -> &'static str {
        if self.allowed {
            "allowed"
        } else {
            "disallowed"
        }
    }
}

/// The deciding evidence in one line: `line 2: "Disallow: /x" (the only rule that matches)`.
fn sentence(decided: &Evidence<'_>) -> String {
    if decided.source == Source::Default || decided.statement.is_empty() {
        return why(decided);
    }
    let place = place(decided);
    format!(
        "{place}: \"{}\", {}",
        quoted(decided.statement),
        why(decided)
    )
}

#[pymethods]
impl Decision {
    /// Builds a decision from what `__reduce__` returned.
    #[classmethod]
    fn _restore(
        _class: &Bound<'_, PyType>,
        json: String,
        explanation: String,
        allowed: bool,
        line: Option<u32>,
        statement: Option<String>,
        reason: String,
    ) -> Self {
        Self {
            allowed,
            line,
            statement,
            question: None,
            written: OnceLock::from(Written {
                json,
                explanation,
                reason,
            }),
            dict: PyOnceLock::new(),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let this = slf.get();
        let restore = slf.get_type().getattr("_restore")?;
        let written = this.written();
        let state = (
            &written.json,
            &written.explanation,
            this.allowed,
            this.line,
            &this.statement,
            &written.reason,
        );
        (restore, state).into_pyobject(slf.py())
    }

    /// Whether the page may be crawled.
    #[getter]
    fn allowed(&self) -> bool {
        self.allowed
    }

    /// The number of the line that decides about crawling, from 1.
    #[getter]
    fn line(&self) -> Option<u32> {
        self.line
    }

    /// The text of what decides about crawling.
    #[getter]
    fn statement(&self) -> Option<&str> {
        self.statement.as_deref()
    }

    /// Why the page may be crawled or not, in one line.
    #[getter]
    fn reason(&self) -> &str {
        &self.written().reason
    }

    /// Returns the outcome for a usage: `permitted`, `conditional`, `prohibited`, `unspecified` or
    /// `unknown`. `train`, `ai-input` and `search` need a policy that asks for preferences.
    ///
    /// >>> import abide_robots
    /// >>> policy = abide_robots.Policy("", "ExampleBot")
    /// >>> page = policy.decide("/", headers={"Robots-Tag": "*;noindex"})
    /// >>> page.outcome("index"), page.outcome()
    /// ('prohibited', 'permitted')
    #[pyo3(signature = (usage="crawl"))]
    fn outcome<'py>(&self, py: Python<'py>, usage: &str) -> PyResult<Bound<'py, PyAny>> {
        let usages = self.dict(py)?.as_any().get_item("usages")?;
        if !usages.contains(usage)? {
            let message = if Usage::PREFERENCES.iter().any(|one| one.name() == usage) {
                format!(
                    "expected a policy that asks for preferences, because \"{usage}\" is one; use Policy(…, preferences={{}})"
                )
            } else {
                let known: Vec<String> = usages
                    .try_iter()?
                    .map(|name| name?.extract())
                    .collect::<PyResult<_>>()?;
                format!(
                    "expected one of {}, but found \"{}\"",
                    known.join(", "),
                    visible(usage.as_bytes())
                )
            };
            return Err(crate::error::invalid_option(py, "usage", &message));
        }
        usages.get_item(usage)?.get_item("outcome")
    }

    /// The decision in words, several lines.
    fn explain(&self) -> &str {
        &self.written().explanation
    }

    /// The decision as a dict, with the fields of the contract.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // A new one each time, which the caller may change.
        let dict = loads(py, &self.written().json)?;
        dict.del_item("id")?;
        Ok(dict)
    }

    /// The decision as one line of JSON.
    fn to_json(&self) -> &str {
        &self.written().json
    }

    /// The version of the contract.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "schema")
    }

    /// The URL that was decided about.
    #[getter]
    fn url<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "url")
    }

    /// The URL of its robots.txt; `None` for a path.
    #[getter]
    fn robots_url<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "robots_url")
    }

    /// How the robots.txt was fetched, if a cache did it.
    #[getter]
    fn retrieval<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "retrieval")
    }

    /// The answer for each usage: outcome, conditions, evidence. `crawl` comes first.
    #[getter]
    fn usages<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "usages")
    }

    /// What each vocabulary of AI preferences says, if the policy asks for them.
    #[getter]
    fn preferences<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "preferences")
    }

    /// The robots tags that bind the robot; a rule without a value is `True`.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "tags")
    }

    /// Rules in robots tags that nobody defines.
    #[getter]
    fn unknown_tag_rules<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "unknown_tag_rules")
    }

    /// The directives for each application of the policy.
    #[getter]
    fn applications<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "applications")
    }

    /// What the file asks to do with single resources.
    #[getter]
    fn action_requests<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "action_requests")
    }

    /// The values of all `Sitemap` lines.
    #[getter]
    fn sitemaps<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "sitemaps")
    }

    /// The delay between requests that the group asks for, in seconds.
    #[getter]
    fn crawl_delay<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "crawl_delay")
    }

    /// The URLs to fetch for a complete answer.
    #[getter]
    fn needs<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "needs")
    }

    /// What is wrong or odd in the file.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "diagnostics")
    }

    /// The robot that was asked about: a name, `*`, or names in order of preference.
    #[getter]
    fn agent<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "agent")
    }

    /// How open points of the specifications were read: `careful` or `google`.
    #[getter]
    fn profile<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "profile")
    }

    /// What is documented about a known robot, if it matters.
    #[getter]
    fn known_robot<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.member(py, "known_robot")
    }

    fn __bool__(&self) -> bool {
        self.allowed
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().written().json == self.written().json)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.written().json.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let url: String = self.dict(py)?.as_any().get_item("url")?.extract()?;
        let url = explain::visible_url(&url);
        Ok(format!(
            "<Decision: {url} is {}, {}>",
            self.outcome_word(),
            self.written().reason
        ))
    }

    fn __str__(&self) -> &str {
        self.written().explanation.trim_end()
    }

    /// A table for notebooks: each usage that something is said about.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let url: String = self.dict(py)?.as_any().get_item("url")?.extract()?;
        let mut html = format!(
            "<p><strong>{}</strong>: {}<br>{}</p>\n<table>\n<tr><th>usage</th><th>outcome</th><th>decided by</th></tr>\n",
            self.outcome_word(),
            escaped(&explain::visible_url(&url)),
            escaped(&self.written().reason),
        );
        let usages = self
            .dict(py)?
            .as_any()
            .get_item("usages")?
            .cast_into::<PyDict>()?;
        for (name, usage_decision) in usages {
            let outcome: String = usage_decision.get_item("outcome")?.extract()?;
            if outcome == "unspecified" {
                continue;
            }
            let decided = usage_decision
                .get_item("evidence")?
                .get_item(0)?
                .cast_into::<PyDict>()?;
            let text = |key: &str| -> PyResult<String> {
                let value = decided.get_item(key)?;
                Ok(value.map_or_else(String::new, |value| value.to_string()))
            };
            let place = match text("line")? {
                line if line.is_empty() => text("source")?,
                line => format!("{}, line {line}", text("source")?),
            };
            let name: String = name.extract()?;
            let statement = visible(text("statement")?.as_bytes());
            // Writing to a string cannot fail.
            let _ = writeln!(
                html,
                "<tr><td>{}</td><td>{}</td><td>{}: <code>{}</code></td></tr>",
                escaped(&name),
                escaped(&outcome),
                escaped(&place),
                escaped(&statement),
            );
        }
        html.push_str("</table>");
        Ok(html)
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
