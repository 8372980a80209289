//! Answers as rows of a table: one for each URL and robot.

mod columns;
mod human;
#[cfg(feature = "survey")]
mod parquet;
mod text;

pub(crate) use columns::{Cell, Column, columns, write_list};
#[cfg(feature = "survey")]
pub(crate) use parquet::{Batches, Writer};

use abide::UsageDecision;
use abide::explain;
use abide::syntax::ForeignBody;
use abide::verdict::Reason;
use abide_analysis::{DecidedBy, ShortAnswer};
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
    pub(crate) answer: Result<&'r Brief, &'r Problem>,
    /// The decision, if a column needs it.
    pub(crate) whole: Option<&'r Value>,
}

/// An answer in brief.
#[derive(Clone, Debug)]
pub(crate) struct Brief {
    pub(crate) answer: ShortAnswer,
    /// Why, in words, if no line decides.
    pub(crate) why: String,
    /// The code of the finding that the file is no robots.txt, if that is why no group decides.
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
    /// The answer for one usage, by a file that may be none.
    pub(crate) fn new(decision: &UsageDecision<'_>, body: Option<ForeignBody>) -> Self {
        let why = ShortAnswer::deciding(decision).map_or_else(String::new, explain::why);
        Self::of_body(ShortAnswer::new(decision), why, body)
    }

    /// If the file is no robots.txt, that is why no group decides.
    fn of_body(answer: ShortAnswer, why: String, body: Option<ForeignBody>) -> Self {
        let by = answer.decided_by.as_ref();
        let is_by_no_group = by.is_some_and(|by| by.reason == Reason::NoGroup);
        let body = body.filter(|_| is_by_no_group);
        Self {
            answer,
            why: body.map_or(why, |body| format!("robots.txt is {body}")),
            foreign: body.map(|body| body.code().name()),
        }
    }

    /// The reason as data has it; `None` if a statement decides.
    pub(crate) fn reason(&self) -> Option<String> {
        if self.answer.statement().is_some() {
            return None;
        }
        let by = self.answer.decided_by.as_ref()?;
        Some(
            self.foreign
                .map_or_else(|| by.reason_with_cause(), str::to_owned),
        )
    }

    /// The answer about crawling in a decision as JSON.
    pub(crate) fn of_json(decision: &Value) -> Self {
        let crawl = &decision["usages"]["crawl"];
        let decided = &crawl["evidence"][0];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let by = || {
            Some(DecidedBy {
                source: decided["source"].as_str()?.parse().ok()?,
                reason: decided["reason"].as_str()?.parse().ok()?,
                cause: text(&decided["cause"]),
                line: decided["line"]
                    .as_u64()
                    .and_then(|line| u32::try_from(line).ok()),
                statement: text(&decided["statement"]).unwrap_or_default().into_bytes(),
                group: text(&decided["selected_by"]["token"]),
            })
        };
        let outcome = crawl["outcome"].as_str().unwrap_or_default();
        let answer = ShortAnswer {
            outcome: outcome.parse().unwrap_or_default(),
            conditions: Vec::new(),
            decided_by: by(),
        };
        let why = text(&decided["reason"]).unwrap_or_default();
        Self::of_body(answer, why, foreign_body(decision))
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
