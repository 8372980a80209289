//! Answers as rows of a table: one for each URL and robot.

mod columns;
mod human;
#[cfg(feature = "survey")]
mod parquet;
mod text;

pub(crate) use columns::{Cell, Column, columns, write_list};
#[cfg(feature = "survey")]
pub(crate) use parquet::{Batches, Writer};

use abide::explain;
use abide::syntax::ForeignBody;
use abide::verdict::{Reason, Source};
use abide::{Evidence, Outcome, UsageDecision};
use abide_lint::table::deciding_line;
use clap::ValueEnum;
use serde_json::Value;

/// The format of a table, and of the answers of `abide batch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// One decision object per line; with --fields the row
    Jsonl,
    /// A table in CSV (RFC 4180)
    Csv,
    /// A table in Apache Parquet
    Parquet,
    /// A list for people
    Human,
}

/// What a table looks like.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) format: RowFormat,
    pub(crate) columns: Vec<Column>,
    /// Whether the columns were chosen.
    pub(crate) is_chosen: bool,
    /// The width of the widest robot, for people.
    pub(crate) robot_width: usize,
    /// The width of the widest usage, for people.
    pub(crate) usage_width: usize,
}

/// A row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'r> {
    /// The number of the line of input, from 1.
    pub(crate) input_line: u64,
    pub(crate) url: &'r str,
    pub(crate) robot: &'r str,
    pub(crate) usage: &'r str,
    pub(crate) said: Result<&'r Brief, &'r Problem>,
    /// The decision, if a column needs it.
    pub(crate) whole: Option<&'r Value>,
}

/// An answer in brief.
#[derive(Clone, Debug)]
pub(crate) struct Brief {
    pub(crate) outcome: Outcome,
    /// Number of the deciding line, if a line decides.
    pub(crate) line: Option<u32>,
    /// The deciding statement as written.
    pub(crate) rule: Option<String>,
    /// The name through which its group applies.
    pub(crate) group: Option<String>,
    /// Why, as decision objects say it, if no line decides: `unreachable (HTTP status 503)`.
    pub(crate) reason: Option<String>,
    /// Why, in words, if no line decides.
    pub(crate) why: String,
    /// The code of the finding that the file is no robots.txt, if that is why.
    pub(crate) foreign: Option<&'static str>,
}

/// Why a line has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// One of the codes of the decision contract.
    pub(crate) code: &'static str,
    /// What is wrong, and what to do.
    pub(crate) message: String,
}

impl Brief {
    /// The answer for one usage.
    pub(crate) fn new(said: &UsageDecision<'_>) -> Self {
        let mut evidence = said.evidence.iter();
        // A preference in a group that does not apply decides nothing.
        let decided = evidence.find(|one| one.reason != Reason::OtherGroup);
        let by_statement = decided.filter(|decided| {
            !matches!(decided.source, Source::Default | Source::Fetch)
                && !decided.statement.is_empty()
        });
        let statement =
            |statement: &[u8]| -> String { String::from_utf8_lossy(statement).into_owned() };
        Self {
            outcome: said.outcome,
            line: deciding_line(said),
            rule: by_statement.map(|decided| statement(decided.statement)),
            group: decided
                .and_then(|decided| decided.selected_by.as_ref())
                .map(|group| group.by.token().to_owned()),
            reason: decided.filter(|_| by_statement.is_none()).map(reason),
            why: decided.map_or_else(String::new, explain::why),
            foreign: None,
        }
    }

    /// This answer by a file that is no robots.txt: that is why no group decides.
    pub(crate) fn of_body(mut self, body: Option<ForeignBody>) -> Self {
        if let Some(body) = body.filter(|_| self.is_by_no_group()) {
            self.reason = Some(body.code().name().to_owned());
            self.why = format!("robots.txt is {body}");
            self.foreign = Some(body.code().name());
        }
        self
    }

    fn is_by_no_group(&self) -> bool {
        self.reason.as_deref() == Some(Reason::NoGroup.name())
    }

    /// The answer about crawling in a decision as JSON.
    pub(crate) fn of_json(decision: &Value) -> Self {
        let crawl = &decision["usages"]["crawl"];
        let decided = &crawl["evidence"][0];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let by_statement = !matches!(decided["source"].as_str(), Some("default" | "fetch"))
            && decided["statement"].is_string();
        let outcomes = [
            Outcome::Permitted,
            Outcome::Prohibited,
            Outcome::Conditional,
            Outcome::Unknown,
        ];
        let named = outcomes
            .into_iter()
            .find(|outcome| Some(outcome.name()) == crawl["outcome"].as_str());
        let brief = Self {
            outcome: named.unwrap_or_default(),
            line: decided["line"]
                .as_u64()
                .filter(|_| by_statement)
                .and_then(|line| u32::try_from(line).ok()),
            rule: text(&decided["statement"]).filter(|_| by_statement),
            group: text(&decided["selected_by"]["token"]),
            reason: text(&decided["reason"])
                .filter(|_| !by_statement)
                .map(|name| with_cause(&name, decided["cause"].as_str())),
            why: text(&decided["reason"]).unwrap_or_default(),
            foreign: None,
        };
        brief.of_body(foreign_body(decision))
    }
}

/// What the robots.txt of a decision as JSON is, if it is none.
fn foreign_body(decision: &Value) -> Option<ForeignBody> {
    let found = decision["diagnostics"].as_array()?;
    let codes = found.iter().filter_map(|one| one["code"].as_str());
    let named = |code: &str| {
        ForeignBody::ALL
            .iter()
            .copied()
            .find(|body| body.code().name() == code)
    };
    codes.into_iter().find_map(named)
}

/// A reason and what caused it.
fn reason(decided: &Evidence<'_>) -> String {
    let cause = decided.cause.map(|cause| cause.to_string());
    with_cause(decided.reason.name(), cause.as_deref())
}

fn with_cause(reason: &str, cause: Option<&str>) -> String {
    match cause {
        Some(cause) => format!("{reason} ({cause})"),
        None => reason.to_owned(),
    }
}

impl Layout {
    /// Whether a column needs the decision.
    pub(crate) fn needs_decision(&self) -> bool {
        let is_path = |column: &Column| matches!(column, Column::Path { .. });
        self.columns.iter().any(is_path)
    }

    /// Whether a column is about AI preferences.
    pub(crate) fn asks_preferences(&self) -> bool {
        self.columns.iter().any(|column| match column {
            Column::Path { path, .. } => {
                let mut steps = path.split('.');
                match (steps.next(), steps.next()) {
                    (Some("preferences"), _) => true,
                    (Some("usages"), Some(usage)) => {
                        matches!(usage, "train" | "ai-input" | "search")
                    }
                    _ => false,
                }
            }
            _ => false,
        })
    }
}
