//! The columns of a table, and their values.

use super::{Brief, Row};
use crate::args::TableArgs;
use abide::explain::visible;
use abide::preference::Vocabulary;
use abide::{Named, Usage};
use abide_analysis::ShortAnswer;
use abide_contract::fields::{self, Kind};
use anyhow::bail;
use serde_json::Value;
use std::borrow::Cow;
use std::io::{self, Write};

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Url,
    Robot,
    Usage,
    Outcome,
    Line,
    Rule,
    Group,
    Reason,
    InputLine,
    Error,
    ErrorCode,
    ErrorMessage,
    /// A path of the decision.
    Path {
        path: String,
        kind: Kind,
    },
}

/// The columns of a row that are not paths of the decision: name, column, what it is.
static OWN: [(&str, Column, Kind, &str); 12] = [
    ("url", Column::Url, Kind::Text, "the URL as it was given"),
    (
        "robot",
        Column::Robot,
        Kind::Text,
        "the robot, as --agent names it",
    ),
    (
        "usage",
        Column::Usage,
        Kind::Text,
        "the usage that the row is about: crawl, or one of --usage and --for",
    ),
    (
        "outcome",
        Column::Outcome,
        Kind::Text,
        "permitted, prohibited, conditional, unspecified or unknown",
    ),
    (
        "line",
        Column::Line,
        Kind::Integer,
        "number of the deciding line, if a line decides",
    ),
    (
        "rule",
        Column::Rule,
        Kind::Text,
        "the deciding line as written",
    ),
    (
        "group",
        Column::Group,
        Kind::Text,
        "the name through which its group applies to the robot, or *",
    ),
    (
        "reason",
        Column::Reason,
        Kind::Text,
        "why, if no line decides: the reason in the decision, and its cause",
    ),
    (
        "error",
        Column::Error,
        Kind::Text,
        "why the line of input has no answer: place, code, and what to do",
    ),
    (
        "error.code",
        Column::ErrorCode,
        Kind::Text,
        "the code alone",
    ),
    (
        "error.message",
        Column::ErrorMessage,
        Kind::Text,
        "what is wrong, and what to do",
    ),
    (
        "input_line",
        Column::InputLine,
        Kind::Integer,
        "number of the line of input, from 1",
    ),
];

/// The columns of a table without `--fields`.
const ROW: [Column; 8] = [
    Column::Url,
    Column::Robot,
    Column::Outcome,
    Column::Line,
    Column::Rule,
    Column::Group,
    Column::Reason,
    Column::Error,
];

/// A value of a row.
#[derive(Debug)]
pub(crate) enum Cell<'r> {
    Empty,
    Text(Cow<'r, str>),
    Number(u64),
    Json(&'r Value),
}

impl<'r> From<&'r str> for Cell<'r> {
    fn from(text: &'r str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl Column {
    /// The name, as headers have it.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Path { path, .. } => path,
            own => own.known().0,
        }
    }

    /// Its row of [`OWN`], which has every column but the paths.
    fn known(&self) -> &'static (&'static str, Self, Kind, &'static str) {
        let mut known = OWN.iter();
        known
            .find(|(_, column, ..)| column == self)
            .expect("OWN lists the column")
    }

    /// What its values are.
    #[cfg(feature = "survey")]
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Path { kind, .. } => *kind,
            own => own.known().2,
        }
    }

    /// Whether rows with the same robot and deciding line have the same value.
    pub(crate) fn is_of_the_answer(&self) -> bool {
        !matches!(self, Self::Url | Self::InputLine | Self::Path { .. })
    }

    /// The value in `row`.
    pub(crate) fn value<'r>(&self, row: &Row<'r>) -> Cell<'r> {
        let text = |text: Option<&'r str>| text.map_or(Cell::Empty, Cell::from);
        let brief = row.answer.ok();
        let answer = brief.map(|brief| &brief.answer);
        let problem = row.answer.err();
        match self {
            Self::Url => row.url.into(),
            Self::Robot => row.robot.into(),
            Self::Usage => row.usage.into(),
            Self::Outcome => text(answer.map(|answer| answer.outcome.name())),
            Self::Line => answer
                .and_then(ShortAnswer::statement_line)
                .map_or(Cell::Empty, |line| Cell::Number(line.into())),
            Self::Rule => match answer.and_then(ShortAnswer::statement) {
                Some(statement) => Cell::Text(String::from_utf8_lossy(statement)),
                None => Cell::Empty,
            },
            Self::Group => {
                let by = answer.and_then(|answer| answer.decided_by.as_ref());
                text(by.and_then(|by| by.group.as_deref()))
            }
            Self::Reason => match brief.and_then(Brief::reason) {
                Some(reason) => Cell::Text(reason.into()),
                None => Cell::Empty,
            },
            Self::InputLine => Cell::Number(row.input_line),
            Self::Error => problem.map_or(Cell::Empty, |problem| {
                let (line, code) = (row.input_line, problem.code);
                Cell::Text(format!("line {line}: {code}: {}", problem.message).into())
            }),
            Self::ErrorCode => problem.map_or(Cell::Empty, |problem| problem.code.into()),
            Self::ErrorMessage => text(problem.map(|problem| problem.message.as_str())),
            Self::Path { path, .. } => {
                let value = row.whole.and_then(|whole| fields::value(whole, path));
                match value {
                    None => Cell::Empty,
                    Some(Value::String(text)) => text.as_str().into(),
                    Some(other) => Cell::Json(other),
                }
            }
        }
    }
}

/// The columns that `--fields` names. `has_id`: requests have an `id`, which comes first by
/// default; `has_usage`: rows are about several usages.
pub(crate) fn columns(
    args: &TableArgs,
    has_id: bool,
    has_usage: bool,
) -> anyhow::Result<Vec<Column>> {
    if args.fields.is_empty() {
        let mut columns = ROW.to_vec();
        if has_usage {
            // Behind the robot.
            columns.insert(2, Column::Usage);
        }
        if has_id {
            columns.insert(0, path("id", Kind::Json));
        }
        return Ok(columns);
    }
    let mut columns = Vec::new();
    for name in &args.fields {
        let column = column(name.trim())?;
        if columns.contains(&column) {
            bail!("--fields names {} twice", visible(name.as_bytes()));
        }
        columns.push(column);
    }
    Ok(columns)
}

fn path(path: &str, kind: Kind) -> Column {
    let path = path.to_owned();
    Column::Path { path, kind }
}

fn column(name: &str) -> anyhow::Result<Column> {
    if let Some((_, column, ..)) = OWN.iter().find(|known| known.0 == name) {
        return Ok(column.clone());
    }
    match fields::named(name) {
        Some(field) => Ok(path(name, field.kind)),
        None => bail!(
            "--fields has no {}; did you mean {}? --list-fields lists all",
            visible(name.as_bytes()),
            nearest(name)
        ),
    }
}

/// The name that is spelt most like `name`, with its numbers and names in place of placeholders.
fn nearest(name: &str) -> String {
    let given: Vec<&str> = name.split('.').collect();
    let known = OWN.iter().map(|known| known.0.to_owned());
    let paths = fields::ALL.iter().map(|field| instance(field.path, &given));
    let mut best = (f64::MIN, String::new());
    for known in known.chain(paths) {
        let likeness = strsim::jaro_winkler(name, &known);
        if likeness > best.0 {
            best = (likeness, known);
        }
    }
    best.1
}

/// A path with the steps of `given` in the place of placeholders.
fn instance(pattern: &str, given: &[&str]) -> String {
    let likest = |names: &mut dyn Iterator<Item = &'static str>, given: &str| {
        let by_likeness = |a: &&str, b: &&str| {
            strsim::jaro_winkler(a, given).total_cmp(&strsim::jaro_winkler(b, given))
        };
        names.max_by(by_likeness).unwrap_or_default().to_owned()
    };
    let steps = pattern.split('.').enumerate().map(|(at, step)| {
        let own = given.get(at).copied();
        match step {
            "N" => own
                .filter(|own| own.parse::<usize>().is_ok())
                .unwrap_or("0")
                .to_owned(),
            "USAGE" => {
                let mut names = Usage::names();
                likest(&mut names, own.unwrap_or("crawl"))
            }
            "VOCABULARY" => {
                let mut names = Vocabulary::names();
                likest(&mut names, own.unwrap_or("content-usage"))
            }
            other => other.to_owned(),
        }
    });
    steps.collect::<Vec<_>>().join(".")
}

/// Writes everything that `--fields` takes.
pub(crate) fn write_list() -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "Of the row:")?;
    for (name, _, kind, meaning) in &OWN {
        writeln!(out, "  {name:<15}{:<9}{meaning}", kind.name())?;
    }
    writeln!(
        out,
        "\nOf the decision (docs/json.md), where USAGE is a usage such as crawl or train, VOCABULARY \
         is one\nsuch as content-usage, N is a number from 0, and other words in capitals are names \
         of the site:"
    )?;
    for field in fields::ALL.iter() {
        writeln!(out, "  {:<60}{}", field.path, field.kind.name())?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::{Column, Kind, OWN, ROW};
    use abide::Outcome;
    use serde_json::{Map, Value, json};

    /// What a member of a row may be: null where a row may have no such value.
    fn member(column: &Column, kind: Kind, meaning: &str) -> Value {
        let mut schema = match (column, kind) {
            (Column::Url | Column::Robot | Column::Usage, _) => json!({"type": "string"}),
            (Column::Outcome, _) => {
                let names = Outcome::ALL.iter().map(|outcome| json!(outcome.name()));
                json!({"enum": names.chain([Value::Null]).collect::<Vec<_>>()})
            }
            (_, Kind::Integer) => json!({"type": ["integer", "null"], "minimum": 1}),
            _ => json!({"type": ["string", "null"]}),
        };
        let first = meaning.get(..1).unwrap_or_default().to_uppercase();
        let rest = meaning.get(1..).unwrap_or_default();
        schema["description"] = json!(format!("{first}{rest}."));
        schema
    }

    /// `ABIDE_BLESS=1` writes the schema.
    #[test]
    fn the_schema_of_a_row_is_up_to_date() {
        let of_row = |column: &Column| ROW.contains(column) || *column == Column::Usage;
        let own = OWN.iter().filter(|(_, column, ..)| of_row(column));
        let members = own.map(|(name, column, kind, meaning)| {
            ((*name).to_owned(), member(column, *kind, meaning))
        });
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "abide check --urls --format jsonl",
            "description": "One line of `abide check --urls FILE --format jsonl`, with the columns that it has by default. With --fields the members are those that are named.",
            "type": "object",
            "required": ROW.iter().map(Column::name).collect::<Vec<_>>(),
            "additionalProperties": false,
            "properties": members.collect::<Map<_, _>>(),
        });
        let written: Value =
            serde_json::from_str(include_str!("../../../../../schema/row.json")).unwrap();
        // The order of members depends on the features of the build, and means nothing.
        if written != schema {
            let text = serde_json::to_string_pretty(&schema).unwrap();
            abide_testkit::generated::assert_up_to_date("schema/row.json", &(text + "\n"));
        }
    }
}
