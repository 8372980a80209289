//! The JSON Schemas of what is read and written, made from the types that are read and written.
//! The files in `schema/` are these; a test writes them.

use crate::config::FileSettings;
use crate::conformance::DocumentStatus;
use crate::diff::Diff;
use crate::explain::Explanations;
use crate::fetch::FetchedSite;
use crate::lint::{FileFinding, Statistic};
use crate::matrix::FileMatrix;
use crate::table::UrlTable;
use crate::test::TestReport;
use crate::tools::{ToolAnswer, ToolRequest};
use crate::{DecisionJson, ErrorJson, Request, Versioned};
use abide_analysis::convert::Conversion;
use abide_known_robots::KnownRobot;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// The schema of each file in `schema/` that is made from types, by the name of the file.
#[must_use]
pub fn files() -> Vec<(&'static str, Schema)> {
    vec![
        (
            "conformance.json",
            of::<Vec<Versioned<DocumentStatus>>>("abide conformance --format json"),
        ),
        (
            "convert.json",
            of::<Versioned<Conversion>>("POST /v1/convert of abide serve"),
        ),
        ("decision.json", of::<AnswerJson>("abide decision")),
        ("diff.json", of::<Diff<'_>>("abide diff --format json")),
        (
            "explain.json",
            of::<Explanations<'_>>("abide explain --format json"),
        ),
        (
            "fetch.json",
            of::<Vec<Versioned<FetchedSite>>>("abide fetch --format json"),
        ),
        (
            "known-robots.json",
            of::<Vec<Versioned<KnownRobot>>>("abide robots --format json"),
        ),
        (
            "lint.json",
            of::<Vec<Versioned<FileFinding<'_>>>>("abide lint --format json"),
        ),
        (
            "matrix.json",
            of::<Versioned<FileMatrix<'_>>>("abide matrix --format json"),
        ),
        (
            "request.json",
            made::<Request<'_>>(
                SchemaSettings::draft2020_12().for_deserialize(),
                "abide request",
            ),
        ),
        (
            "settings.json",
            of::<Versioned<FileSettings<'_>>>("abide config --format json"),
        ),
        (
            "statistics.json",
            of::<Vec<Versioned<Statistic>>>("abide lint --statistics --format json"),
        ),
        (
            "tool-answers.json",
            of::<ToolAnswer>("answers of tools of abide serve"),
        ),
        (
            "tool-requests.json",
            made::<ToolRequest>(
                SchemaSettings::draft2020_12().for_deserialize(),
                "requests for tools of abide serve",
            ),
        ),
        (
            "table.json",
            of::<Versioned<UrlTable<'_>>>("POST /v1/table of abide serve"),
        ),
        (
            "test.json",
            of::<Versioned<TestReport<'_>>>("abide test --format json"),
        ),
    ]
}

/// What abide answers: a decision, or an error if the request cannot be read.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only described")]
enum AnswerJson {
    Decision(Box<DecisionJson<'static>>),
    Error(ErrorJson<'static>),
}

/// The schema of a type, with a title that says what writes it.
#[must_use]
pub fn of<T: JsonSchema>(title: &str) -> Schema {
    made::<T>(SchemaSettings::draft2020_12().for_serialize(), title)
}

/// The schema of a type as these settings make it.
fn made<T: JsonSchema>(settings: SchemaSettings, title: &str) -> Schema {
    let settings = settings.with_transform(RecursiveTransform(as_written));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema
}

/// The text of a file with a schema.
///
/// # Panics
/// Only on a bug: a schema always serialises.
#[must_use]
pub fn text(schema: &Schema) -> String {
    serde_json::to_string_pretty(schema).expect("a schema is JSON") + "\n"
}

/// A schema with what its types do not say: a member that can be absent is never null. Lines of doc
/// comments are joined, and their examples, which are Rust, left out.
fn as_written(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let prose = text.split("```").next().unwrap_or_default();
        *text = prose.trim_end().replace('\n', " ");
    }
    let needed = schema.get("required").cloned().unwrap_or_default();
    let is_needed = |name: &str| {
        let mut needed = needed.as_array().into_iter().flatten();
        needed.any(|one| one == name)
    };
    let members = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, member) in members.into_iter().flatten() {
        if !is_needed(name) {
            without_null(member);
        }
    }
}

/// Takes `null` from the types of a schema.
fn without_null(schema: &mut Value) {
    let Some(schema) = schema.as_object_mut() else {
        return;
    };
    // Generators of clients take a member with a default for one that is always there; the
    // description says it.
    schema.remove("default");
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|one| !one.is_null());
    }
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|one| one != "null");
        if let [only] = types.as_mut_slice() {
            let only = only.take();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(any)) = schema.get_mut("anyOf") {
        any.retain(|one| one["type"] != "null");
        if let [Value::Object(only)] = any.as_mut_slice() {
            let only = std::mem::take(only);
            schema.remove("anyOf");
            schema.extend(only);
        }
    }
}
