//! The vectors as JSON, for peers that read no TOML: one vector a line, each with the `document`,
//! the `section` and the `level` of its requirement.

use crate::spec::{Document, Requirement, requirements};
use crate::vectors::folder;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use toml::Table;

/// The members that a line has besides those of the vector.
const ADDED: [&str; 4] = ["table", "document", "section", "level"];

/// The tables of one file of vectors.
///
/// # Panics
/// Panics if the file cannot be read.
#[must_use]
pub fn tables(name: &str) -> Table {
    let path = folder().join(format!("{name}.toml"));
    let text = fs::read_to_string(&path);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{name}.toml: {error}"))
}

/// The JSON of one file of vectors.
///
/// # Panics
/// Panics if `tables` holds anything but vectors.
///
/// # Errors
/// Names each vector whose requirement `docs/spec` does not define.
pub fn write(tables: &Table) -> Result<String, String> {
    let (mut lines, mut unknown) = (Vec::new(), String::new());
    for (kind, vectors) in sorted(tables) {
        for vector in vectors.as_array().expect("an array of tables") {
            let vector = vector.as_table().expect("a table");
            let text = |member: &str| vector[member].as_str().expect("a text").to_owned();
            if let Some(record) = requirements().get(&text("id")) {
                lines.push(line(kind, record, vector));
            } else {
                let (id, name) = (text("id"), text("name"));
                let _ = writeln!(unknown, "{name}: docs/spec does not define {id}");
            }
        }
    }
    if unknown.is_empty() {
        Ok(format!("[\n{}\n]\n", lines.join(",\n")))
    } else {
        Err(unknown)
    }
}

/// One vector: what people look for first, then its other members by name.
fn line(kind: &str, record: &Requirement, vector: &Table) -> String {
    let document = Document::of(&record.id).name;
    let first = [
        ("id", record.id.as_str()),
        ("name", vector["name"].as_str().expect("a text")),
        ("table", kind),
        ("document", document),
        ("section", &record.section),
        ("level", record.level.name()),
    ];
    let first = first.map(|(name, text)| format!("{}:{}", quoted(name), quoted(text)));
    let others = sorted(vector);
    let others = others
        .into_iter()
        .filter(|(name, _)| !matches!(*name, "id" | "name"));
    let others = others.map(|(name, value)| format!("{}:{}", quoted(name), json(value)));
    let members: Vec<String> = first.into_iter().chain(others).collect();
    format!("{{{}}}", members.join(","))
}

/// The members of a table by name. The table itself may keep the order of its file.
fn sorted(table: &Table) -> BTreeMap<&str, &toml::Value> {
    let members = table.iter();
    members
        .map(|(name, value)| (name.as_str(), value))
        .collect()
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn json(value: &toml::Value) -> String {
    match value {
        toml::Value::Array(values) => {
            let values: Vec<String> = values.iter().map(json).collect();
            format!("[{}]", values.join(","))
        }
        toml::Value::Table(table) => {
            let members = sorted(table).into_iter();
            let members = members.map(|(name, value)| format!("{}:{}", quoted(name), json(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        toml::Value::String(text) => quoted(text),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => Value::from(*number).to_string(),
        toml::Value::Boolean(stated) => stated.to_string(),
        toml::Value::Datetime(_) => panic!("JSON has no dates: {value}"),
    }
}

/// The tables that the JSON of a file stands for, without what [`write()`] added.
///
/// # Panics
/// Panics if the text is not such JSON.
#[must_use]
pub fn read(text: &str) -> Table {
    let vectors: Vec<Map<String, Value>> = serde_json::from_str(text).expect("a list of objects");
    let mut tables = Table::new();
    for mut vector in vectors {
        let kind = vector["table"].as_str().expect("a table").to_owned();
        vector.retain(|name, _| !ADDED.contains(&name.as_str()));
        let vector = toml::Value::try_from(vector).expect("no null");
        let of_kind = tables
            .entry(kind)
            .or_insert_with(|| toml::Value::Array(Vec::new()));
        of_kind.as_array_mut().expect("an array").push(vector);
    }
    tables
}
