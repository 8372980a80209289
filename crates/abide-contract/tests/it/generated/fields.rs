//! The paths of a decision, with the kinds of their values: what `--fields` can select.

use super::schema::{Definitions, Shape, shape, value_of_all};
use serde_json::Value;
use std::fmt::Write;

pub(crate) fn paths(definitions: &Definitions) -> String {
    let mut text = String::new();
    members(definitions, "", definitions.named("Decision"), &mut text);
    text
}

/// Adds the paths below `path`.
fn members(definitions: &Definitions, path: &str, schema: &Value, text: &mut String) {
    let mut add = |name: &str, value: &Value| {
        let path = match path {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        };
        let _ = writeln!(text, "{path} {}", kind(definitions, value));
        members(definitions, &path, value, text);
    };
    match definitions.resolved(schema) {
        Shape::Object(members) => match value_of_all(&members) {
            Some(value) if !path.is_empty() && matches!(shape(value), Shape::Named(_)) => {
                add(placeholder(path), value);
            }
            _ => members.iter().for_each(|(name, value, _)| add(name, value)),
        },
        Shape::Map(value) => add(placeholder(path), value),
        Shape::List(entry, _) => add("N", entry),
        _ => {}
    }
}

/// What takes the place of the names of members, which are those of an enumeration or of a site.
fn placeholder(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("usages") => "USAGE",
        Some("preferences") if path.starts_with("applications.") => "USAGE",
        Some("preferences") => "VOCABULARY",
        Some("words") => "WORD",
        Some("tags") => "RULE",
        Some("applications") => "APPLICATION",
        Some("directives" | "registered" | "overrides" | "may_override") => "DIRECTIVE",
        other => panic!("{other:?} needs a name for its members"),
    }
}

fn kind(definitions: &Definitions, schema: &Value) -> &'static str {
    match definitions.resolved(schema) {
        Shape::OneOf(_) => "text",
        Shape::Plain(kinds) => {
            let mut kinds = kinds.into_iter().filter(|kind| *kind != "null");
            match (kinds.next(), kinds.next()) {
                (Some("string"), None) => "text",
                (Some("integer"), None) => "integer",
                (Some("number"), None) => "number",
                (Some("boolean"), None) => "boolean",
                _ => "JSON",
            }
        }
        _ => "JSON",
    }
}
