//! All definitions of the schemas, each of which has one name and one meaning.

use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(crate) struct Definitions(BTreeMap<String, Value>);

/// What a schema describes.
pub(crate) enum Shape<'s> {
    /// Another definition.
    Named(&'s str),
    /// One of these texts.
    OneOf(Vec<&'s str>),
    /// One of several kinds of values.
    Any(Vec<&'s Value>),
    /// An object with these members; whether each is always there.
    Object(Vec<(&'s str, &'s Value, bool)>),
    /// An object with any names as members.
    Map(&'s Value),
    /// A list of so many entries of one kind, if their number is fixed.
    List(&'s Value, Option<u64>),
    /// A value of one of these kinds, in the words of JSON Schema.
    Plain(Vec<&'s str>),
    /// Any JSON.
    Anything,
}

impl Definitions {
    /// All definitions of all schemas that are made from types.
    ///
    /// # Panics
    /// If two schemas have different definitions of one name.
    pub(crate) fn read() -> Self {
        let mut all = BTreeMap::new();
        for (file, schema) in abide_contract::schema::files() {
            let mut schema = schema.to_value();
            name_null(&mut schema);
            let own = schema.as_object_mut().unwrap();
            let definitions = own.remove("$defs").unwrap_or_default();
            let definitions = definitions.as_object().cloned().unwrap_or_default();
            let mut definitions: Vec<_> = definitions.into_iter().collect();
            own.remove("$schema");
            own.remove("title");
            if own.contains_key("properties") {
                definitions.push((root_name(file), schema));
            }
            for (name, definition) in definitions {
                let before = all.insert(name.clone(), definition.clone());
                let is_same = before.is_none_or(|before| before == definition);
                assert!(is_same, "{name} has two meanings, one of them in {file}");
            }
        }
        Self(all)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, schema)| (name.as_str(), schema))
    }

    pub(crate) fn named(&self, name: &str) -> &Value {
        let found = self.0.get(name);
        found.unwrap_or_else(|| panic!("no schema defines {name}"))
    }

    /// What `schema` describes, or the definition that it names.
    pub(crate) fn resolved<'s>(&'s self, schema: &'s Value) -> Shape<'s> {
        match shape(schema) {
            Shape::Named(name) => self.resolved(self.named(name)),
            other => other,
        }
    }
}

/// Makes lists and objects that may be null one of two kinds of values.
fn name_null(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            let kinds = members.get("type").and_then(Value::as_array);
            let is_plain = |kind: &Value| kind != "array" && kind != "object";
            if kinds.is_some_and(|kinds| !kinds.iter().all(is_plain)) {
                let mut kinds = members["type"].as_array().unwrap().clone();
                kinds.retain(|kind| kind != "null");
                let description = members.remove("description");
                members.insert("type".to_owned(), kinds.pop().unwrap());
                assert!(kinds.is_empty(), "{members:?}");
                let choices = json!({"anyOf": [std::mem::take(members), {"type": "null"}]});
                members.extend(choices.as_object().unwrap().clone());
                members.extend(description.map(|text| ("description".to_owned(), text)));
            }
            members.values_mut().for_each(name_null);
        }
        Value::Array(entries) => entries.iter_mut().for_each(name_null),
        _ => {}
    }
}

/// The name of what a file describes as a whole: `test-report.json` describes a `TestReport`.
fn root_name(file: &str) -> String {
    let words = file.trim_end_matches(".json").split('-');
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    words.map(capital).collect()
}

pub(crate) fn shape(schema: &Value) -> Shape<'_> {
    if let Some(target) = schema["$ref"].as_str() {
        return Shape::Named(target.trim_start_matches("#/$defs/"));
    }
    if let Some(values) = schema["enum"].as_array() {
        return Shape::OneOf(values.iter().map(|value| value.as_str().unwrap()).collect());
    }
    let choices = schema["anyOf"].as_array();
    if let Some(choices) = choices.or_else(|| schema["oneOf"].as_array()) {
        return Shape::Any(choices.iter().collect());
    }
    if let Some(members) = schema["properties"].as_object() {
        let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
        let member = |(name, value)| {
            let name: &String = name;
            (name.as_str(), value, required.iter().any(|one| one == name))
        };
        return Shape::Object(members.iter().map(member).collect());
    }
    match &schema["type"] {
        Value::String(kind) if kind == "object" && schema["additionalProperties"].is_object() => {
            Shape::Map(&schema["additionalProperties"])
        }
        Value::String(kind) if kind == "array" => {
            let length = schema["maxItems"].as_u64();
            let length = length.filter(|length| schema["minItems"].as_u64() == Some(*length));
            let first = schema.pointer("/prefixItems/0");
            Shape::List(first.unwrap_or(&schema["items"]), length)
        }
        Value::String(kind) => Shape::Plain(vec![kind]),
        Value::Array(kinds) => {
            Shape::Plain(kinds.iter().map(|kind| kind.as_str().unwrap()).collect())
        }
        _ => Shape::Anything,
    }
}

/// The value that all members of an object have, if their names are those of an enumeration, such
/// as the usages.
pub(crate) fn value_of_all<'s>(members: &[(&str, &'s Value, bool)]) -> Option<&'s Value> {
    let (_, first, _) = members.first()?;
    let is_alike = members.iter().all(|(_, value, _)| value == first);
    (is_alike && members.len() > 1).then_some(*first)
}
