//! Says in plain words why JSON is not what was expected: which member is wrong, what it should be,
//! and what it is.

use serde::Deserialize;
use serde_json::error::Category;
use std::borrow::Cow;

/// The longest part of a text that a message repeats, in bytes.
const MOST_SHOWN: usize = 100;

/// Why JSON cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum JsonError {
    /// It is not JSON.
    Syntax(String),
    /// It is JSON of another form.
    Form {
        /// The member that is wrong, such as `acap.names[1]`. `None` for the whole.
        member: Option<String>,
        /// What is wrong with it.
        message: String,
    },
}

impl JsonError {
    /// Why `json` could not be read as a `T`, as `error` says in the words of the parser.
    pub(crate) fn explain<'de, T: Deserialize<'de>>(
        json: &'de [u8],
        error: &serde_json::Error,
    ) -> Self {
        let said = error.to_string();
        let said = said
            .rsplit_once(" at line ")
            .map_or(&*said, |(said, _)| said);
        if error.classify() != Category::Data {
            return Self::Syntax(syntax(said, error, json));
        }
        // Finding the member takes longer than reading, so only what is wrong is read again.
        let again = serde_path_to_error::deserialize::<_, T>(
            &mut serde_json::Deserializer::from_slice(json),
        );
        let path = again.err().map(|error| error.path().to_string());
        form(said, path.filter(|path| path != "."))
    }
}

/// What is wrong with text that is not JSON.
fn syntax(said: &str, error: &serde_json::Error, json: &[u8]) -> String {
    if json.starts_with(b"\xEF\xBB\xBF") {
        return "it begins with a byte order mark; send UTF-8 without one".to_owned();
    }
    let start = json.get(..2).unwrap_or(json);
    if start.contains(&0) || matches!(start, b"\xFF\xFE" | b"\xFE\xFF") {
        return "it is UTF-16; send UTF-8".to_owned();
    }
    if error.is_eof() {
        return match said.strip_prefix("EOF while parsing ") {
            Some("a value") => "it ends where a value is expected".to_owned(),
            Some(inside) => format!("it ends inside {inside}"),
            None => "it ends too early".to_owned(),
        };
    }
    let said = said.replace('`', "\"");
    // A request is one line, as a rule.
    match (error.line(), error.column()) {
        (1, column) => format!("{said} at column {column}"),
        (line, column) => format!("{said} at line {line}, column {column}"),
    }
}

/// What is wrong with JSON of another form.
fn form(said: &str, member: Option<String>) -> JsonError {
    let member = member.map(|member| cut(&member).into_owned());
    let of_whole = |message| JsonError::Form {
        member: None,
        message,
    };
    let below = |name: &str| match &member {
        Some(object) => format!("{object}.{}", cut(name)),
        None => cut(name).into_owned(),
    };
    let named = |start: &str| {
        let rest = said.strip_prefix(start)?;
        rest.strip_suffix('`')
    };
    if let Some(name) = named("missing field `") {
        return of_whole(format!("the member {:?} is missing", below(name)));
    }
    if let Some(name) = named("duplicate field `") {
        return of_whole(format!("the member {:?} occurs twice", below(name)));
    }
    if let Some(rest) = said.strip_prefix("unknown field `")
        && let Some((name, known)) = rest.rsplit_once("`, expected ")
    {
        // The path ends with the name.
        let name = member.as_deref().map_or_else(|| cut(name), Cow::Borrowed);
        let known = known.replace('`', "");
        return of_whole(format!("unknown member {name:?}; expected {known}"));
    }
    let kinds = ["invalid type: ", "invalid value: ", "invalid length "];
    let mismatch = kinds.into_iter().find_map(|kind| {
        let (found, expected) = said.strip_prefix(kind)?.rsplit_once(", expected ")?;
        let found = match kind {
            "invalid length " => format!("a list of {found}"),
            _ => plain_found(found),
        };
        Some(format!("expected {}, but found {found}", plain(expected)))
    });
    JsonError::Form {
        member,
        message: mismatch.unwrap_or_else(|| said.to_owned()),
    }
}

/// What was expected, without the words of Rust.
fn plain(expected: &str) -> &str {
    match expected {
        "a tuple of size 2" => "a pair [name, value]",
        "a sequence" => "a list",
        "a map" => "an object",
        "a boolean" => "true or false",
        struct_name if struct_name.starts_with("struct ") => "an object",
        other => other,
    }
}

/// What was found, without the words of Rust.
fn plain_found(found: &str) -> String {
    match found {
        "sequence" => return "a list".to_owned(),
        "map" => return "an object".to_owned(),
        "unit" => return "null".to_owned(),
        _ => {}
    }
    if let Some(text) = found.strip_prefix("string ") {
        return format!("the text {}", cut(text));
    }
    let Some((kind, value)) = found.split_once(' ') else {
        return found.to_owned();
    };
    let value = value.trim_matches('`');
    match kind {
        "integer" => format!("the number {value}"),
        "floating" => format!("the number {}", value.trim_start_matches("point `")),
        "boolean" => value.to_owned(),
        _ => found.to_owned(),
    }
}

/// The beginning of a long text.
pub(crate) fn cut(text: &str) -> Cow<'_, str> {
    if text.len() <= MOST_SHOWN {
        return Cow::Borrowed(text);
    }
    let end = text.floor_char_boundary(MOST_SHOWN);
    Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default()))
}
