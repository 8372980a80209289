//! The JSON Schemas of what is read and written, made from the types that are read and written.
//! The files in `schema/` are these; a test writes them.

use crate::known_robots::KnownRobotJson;
use crate::{DecisionJson, ErrorJson};
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// The schema of each file in `schema/` that is made from types, by the name of the file.
#[must_use]
pub fn files() -> Vec<(&'static str, Schema)> {
    vec![
        ("decision.json", of::<AnswerJson>("abide decision")),
        (
            "known-robots.json",
            of::<Vec<KnownRobotJson>>("abide robots --format json"),
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

/// The schema of a type.
fn of<T: JsonSchema>(title: &str) -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with_transform(RecursiveTransform(plain));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema
}

/// Writes descriptions in one line. And a member that need not be there is left out rather than
/// null, so that clients have one case less.
fn plain(schema: &mut Schema) {
    let Some(members) = schema.as_object_mut() else {
        return;
    };
    if let Some(Value::String(text)) = members.get_mut("description") {
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let required = members.get("required").cloned().unwrap_or_default();
    let required = required.as_array().map_or(&[][..], Vec::as_slice);
    let properties = members.get_mut("properties").and_then(Value::as_object_mut);
    for (name, property) in properties.into_iter().flatten() {
        let is_required = required.iter().any(|one| one.as_str() == Some(name));
        if let Some(property) = property.as_object_mut().filter(|_| !is_required) {
            without_null(property);
        }
    }
}

fn without_null(property: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|one| one != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            property.insert("type".to_owned(), only);
        }
    }
    let Some(Value::Array(mut choices)) = property.remove("anyOf") else {
        return;
    };
    choices.retain(|one| one["type"] != "null");
    match (choices.pop(), choices.is_empty()) {
        (Some(Value::Object(only)), true) => property.extend(only),
        (last, _) => {
            choices.extend(last);
            property.insert("anyOf".to_owned(), choices.into());
        }
    }
}
