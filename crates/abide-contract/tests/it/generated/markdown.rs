//! Tables of members, between markers in the guides.

use super::schema::{Definitions, Shape, shape};
use serde_json::Value;
use std::fmt::Write;

const BEGIN: &str = "<!-- members: ";
const END: &str = "<!-- /members -->";
/// Longer enumerations are not listed.
const MAX_VALUES: usize = 9;

/// The page with current tables, and how many there are.
pub(crate) fn with_tables(page: &str, definitions: &Definitions) -> (String, usize) {
    let mut text = String::new();
    let mut rest = page;
    let mut count = 0;
    while let Some((before, marked)) = rest.split_once(BEGIN) {
        let (name, old) = marked.split_once(" -->").expect("a marker ends");
        let (_, after) = old.split_once(END).expect("a table ends");
        text.push_str(before);
        let table = table(definitions, name);
        let _ = write!(text, "{BEGIN}{name} -->\n{table}{END}");
        rest = after;
        count += 1;
    }
    text.push_str(rest);
    (text, count)
}

/// `Decision`, whose members are there unless the table says so, or `Request (optional)`.
fn table(definitions: &Definitions, marked: &str) -> String {
    let (name, are_required) = match marked.strip_suffix(" (optional)") {
        Some(name) => (name, false),
        None => (marked, true),
    };
    let Shape::Object(members) = shape(definitions.named(name)) else {
        panic!("{name} has no members");
    };
    let mut table = "| member | type | meaning |\n|---|---|---|\n".to_owned();
    for (name, value, is_required) in members {
        let kind = kind(definitions, value);
        let exception = match (is_required, are_required) {
            (false, true) => ", optional",
            (true, false) => ", required",
            _ => "",
        };
        let meaning = meaning(definitions, value);
        let _ = writeln!(table, "| `{name}` | {kind}{exception} | {meaning} |");
    }
    table
}

/// What the member means, and the names that it can have if they are few.
fn meaning(definitions: &Definitions, schema: &Value) -> String {
    let own = schema["description"].as_str();
    let named = match shape(schema) {
        Shape::Named(name) => definitions.named(name)["description"].as_str(),
        _ => None,
    };
    let mut text = own.or(named).unwrap_or_default().replace('|', "\\|");
    if let Shape::OneOf(values) = definitions.resolved(schema)
        && values.len() <= MAX_VALUES
        && !values
            .iter()
            .any(|value| text.contains(&format!("`{value}`")))
    {
        let values = values.iter().map(|value| format!("`{value}`"));
        let values = values.collect::<Vec<_>>().join(", ");
        text = match text.trim_end_matches('.') {
            "" => values,
            text => format!("{text}: {values}"),
        };
    }
    text
}

fn kind(definitions: &Definitions, schema: &Value) -> String {
    match definitions.resolved(schema) {
        Shape::OneOf(_) => "string".to_owned(),
        Shape::Any(choices) => {
            let choices = choices.into_iter().map(|choice| kind(definitions, choice));
            choices.collect::<Vec<_>>().join(" or ")
        }
        Shape::Plain(kinds) => kinds.join(" or "),
        Shape::List(entry, _) => match &*kind(definitions, entry) {
            "any JSON" => "list".to_owned(),
            entry => format!("list of {}", plural(entry)),
        },
        Shape::Object(_) | Shape::Map(_) => "object".to_owned(),
        Shape::Named(_) | Shape::Anything => "any JSON".to_owned(),
    }
}

/// Several of them: `strings or objects`, `lists of strings`.
fn plural(kinds: &str) -> String {
    let each = kinds.split(" or ").map(|kind| match kind.split_once(' ') {
        Some((first, rest)) => format!("{first}s {rest}"),
        None => format!("{kind}s"),
    });
    each.collect::<Vec<_>>().join(" or ")
}
