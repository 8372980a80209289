//! TypeScript: an interface for each object, a union for each enumeration.

use super::schema::{Definitions, Shape, shape};
use serde_json::Value;
use std::fmt::Write;

const HEAD: &str = "\
/** What abide is asked and answers. Made from the schemas by `crates/abide-contract/tests/it/generated`; do not edit. */
";

pub(crate) fn types(definitions: &Definitions) -> String {
    let mut text = HEAD.to_owned();
    for (name, schema) in definitions.iter() {
        text.push('\n');
        comment(&mut text, schema, "");
        match shape(schema) {
            Shape::Object(members) => {
                let _ = writeln!(text, "export interface {name} {{");
                for (name, value, is_required) in members {
                    comment(&mut text, value, "  ");
                    let name = key(name);
                    let mark = if is_required { "" } else { "?" };
                    let _ = writeln!(text, "  {name}{mark}: {};", of(value));
                }
                text.push_str("}\n");
            }
            Shape::OneOf(values) => {
                let _ = writeln!(text, "export type {name} =");
                let values = values.iter().map(|value| format!("  | '{value}'"));
                let _ = writeln!(text, "{};", values.collect::<Vec<_>>().join("\n"));
            }
            _ => {
                let _ = writeln!(text, "export type {name} = {};", of(schema));
            }
        }
    }
    text
}

fn comment(text: &mut String, schema: &Value, indent: &str) {
    if let Some(description) = schema["description"].as_str() {
        let _ = writeln!(text, "{indent}/** {description} */");
    }
}

fn of(schema: &Value) -> String {
    match shape(schema) {
        Shape::Named(name) => name.to_owned(),
        Shape::OneOf(values) => {
            let values = values.iter().map(|value| format!("'{value}'"));
            values.collect::<Vec<_>>().join(" | ")
        }
        Shape::Any(choices) => {
            let choices = choices.into_iter().map(of);
            choices.collect::<Vec<_>>().join(" | ")
        }
        Shape::Object(members) => {
            let members = members.into_iter().map(|(name, value, is_required)| {
                let mark = if is_required { "" } else { "?" };
                format!("{}{mark}: {}", key(name), of(value))
            });
            format!("{{ {} }}", members.collect::<Vec<_>>().join("; "))
        }
        Shape::Map(value) => format!("Record<string, {}>", of(value)),
        Shape::List(entry, Some(length)) => {
            let entries = vec![of(entry); usize::try_from(length).unwrap()];
            format!("[{}]", entries.join(", "))
        }
        Shape::List(entry, None) => match of(entry) {
            several if several.contains(" | ") => format!("({several})[]"),
            one => format!("{one}[]"),
        },
        Shape::Plain(kinds) => {
            let kinds = kinds.into_iter().map(|kind| match kind {
                "integer" => "number",
                other => other,
            });
            kinds.collect::<Vec<_>>().join(" | ")
        }
        Shape::Anything => "unknown".to_owned(),
    }
}

/// The name of a member, in quotes if it is no identifier.
fn key(name: &str) -> String {
    let is_identifier = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_identifier {
        name.to_owned()
    } else {
        format!("'{name}'")
    }
}
