//! Python: a typed dictionary for each object, a `Literal` for each enumeration.

use super::schema::{Definitions, Shape, shape};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;

const HEAD: &str = "\
\"\"\"Types of answers, made from the schemas of the contract by
``crates/abide-contract/tests/it/generated``; do not edit. Not imported when a program runs.\"\"\"

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict
";

/// Names that are no names of members in a class.
const KEYWORDS: [&str; 3] = ["from", "class", "import"];

pub(crate) fn types(definitions: &Definitions) -> String {
    let mut text = HEAD.to_owned();
    let mut is_after_class = false;
    for (name, schema) in definitions.iter() {
        let description = schema["description"].as_str();
        let own = shape(schema);
        let is_class = matches!(&own, Shape::Object(members) if !has_keyword(members));
        text.push_str(if is_class || is_after_class {
            "\n\n"
        } else {
            "\n"
        });
        is_after_class = is_class;
        match own {
            Shape::Object(members) if !is_class => {
                let _ = writeln!(text, "{name} = TypedDict(\n    \"{name}\",\n    {{");
                for (name, value, is_required) in members {
                    let _ = writeln!(
                        text,
                        "        \"{name}\": \"{}\",",
                        member(value, is_required)
                    );
                }
                text.push_str("    },\n)\n");
                document(&mut text, description);
            }
            Shape::Object(members) => {
                let _ = writeln!(text, "class {name}(TypedDict):");
                if let Some(description) = description {
                    let _ = writeln!(text, "    \"\"\"{}\"\"\"\n", rest(description));
                }
                for (name, value, is_required) in members {
                    let _ = writeln!(text, "    {name}: {}", member(value, is_required));
                    if let Some(description) = value["description"].as_str() {
                        let _ = writeln!(text, "    \"\"\"{}\"\"\"", rest(description));
                    }
                }
            }
            Shape::OneOf(values) => {
                let values = values.iter().map(|value| format!("    \"{value}\",\n"));
                let values: String = values.collect();
                let _ = writeln!(text, "{name}: TypeAlias = Literal[\n{values}]");
                document(&mut text, description);
            }
            _ => {
                let own = of(schema).replace('"', "'");
                let own: Vec<_> = own.split_whitespace().collect();
                let own = own.join(" ").replace("[ ", "[").replace(", ]", "]");
                let _ = writeln!(text, "{name}: TypeAlias = \"{own}\"");
                document(&mut text, description);
            }
        }
    }
    text
}

/// Whether no class can have these members.
fn has_keyword(members: &[(&str, &Value, bool)]) -> bool {
    members.iter().any(|(name, ..)| KEYWORDS.contains(name))
}

fn document(text: &mut String, description: Option<&str>) {
    if let Some(description) = description {
        let _ = writeln!(text, "\"\"\"{}\"\"\"", rest(description));
    }
}

/// Markdown's code as reStructuredText writes it.
fn rest(description: &str) -> String {
    description.replace('`', "``")
}

fn member(value: &Value, is_required: bool) -> String {
    let own = of(value);
    if is_required {
        own
    } else {
        format!("NotRequired[{own}]")
    }
}

fn of(schema: &Value) -> String {
    match shape(schema) {
        Shape::Named(name) => name.to_owned(),
        Shape::OneOf(values) => {
            let values = values.iter().map(|value| format!("        \"{value}\",\n"));
            format!("Literal[\n{}    ]", values.collect::<String>())
        }
        Shape::Any(choices) => {
            let choices = choices.into_iter().map(of);
            choices.collect::<Vec<_>>().join(" | ")
        }
        // No class is written within another.
        Shape::Object(members) => {
            let kinds: BTreeSet<_> = members.iter().map(|(_, value, _)| of(value)).collect();
            let kinds: Vec<_> = kinds.into_iter().collect();
            format!("dict[str, {}]", kinds.join(" | "))
        }
        Shape::Map(value) => format!("dict[str, {}]", of(value)),
        Shape::List(entry, _) => format!("list[{}]", of(entry)),
        Shape::Plain(kinds) => {
            let kinds = kinds.into_iter().map(|kind| match kind {
                "string" => "str",
                "integer" => "int",
                "number" => "float",
                "boolean" => "bool",
                "null" => "None",
                _ => "dict[str, object]",
            });
            kinds.collect::<Vec<_>>().join(" | ")
        }
        Shape::Anything => "object".to_owned(),
    }
}
