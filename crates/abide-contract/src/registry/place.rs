//! Which line of a file a JSON Pointer leads to.

use serde_json::value::RawValue;
use std::collections::BTreeMap;
use toml::de::{DeTable, DeValue};

/// Where the entries of a file are.
pub(super) enum Places<'t> {
    Toml(&'t str),
    Json(&'t str),
    Table {
        /// The member that has the entries.
        member: &'static str,
        /// The line of each entry.
        lines: Vec<usize>,
        /// The members of an entry, with the columns that they are in.
        columns: &'static [(&'static str, &'static str)],
    },
}

impl Places<'_> {
    /// The line of what is at `pointer`, or of what it would be in, and the column of a table.
    pub(super) fn find(&self, pointer: &str) -> (Option<usize>, Option<&'static str>) {
        let segments = pointer.split('/').skip(1);
        let segments = segments.map(|segment| segment.replace("~1", "/").replace("~0", "~"));
        let segments: Vec<String> = segments.collect();
        match self {
            Self::Toml(text) => (in_toml(text, &segments), None),
            Self::Json(text) => (in_json(text, &segments), None),
            Self::Table {
                member,
                lines,
                columns,
            } => {
                let [of, number, rest @ ..] = segments.as_slice() else {
                    return (None, None);
                };
                let number: Option<usize> = number.parse().ok().filter(|_| of == member);
                let line = number.and_then(|number| lines.get(number)).copied();
                let own = rest.first();
                let column = columns
                    .iter()
                    .find(|(name, _)| Some(*name) == own.map(String::as_str));
                (line, column.map(|(_, column)| *column))
            }
        }
    }
}

/// The number of the line with the byte at `offset`, from 1.
pub(super) fn line_at(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().iter().take(offset);
    before.filter(|byte| **byte == b'\n').count() + 1
}

fn in_toml(text: &str, segments: &[String]) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    let (first, rest) = segments.split_first()?;
    let (key, mut value) = table.get_ref().get_key_value(first.as_str())?;
    let mut at = key.span().start;
    for segment in rest {
        match value.get_ref() {
            DeValue::Table(table) => {
                let Some((key, inner)) = table.get_key_value(segment.as_str()) else {
                    break;
                };
                at = key.span().start;
                value = inner;
            }
            DeValue::Array(list) => {
                let Some(inner) = segment.parse().ok().and_then(|at: usize| list.get(at)) else {
                    break;
                };
                at = inner.span().start;
                value = inner;
            }
            _ => break,
        }
    }
    Some(line_at(text, at))
}

fn in_json(text: &str, segments: &[String]) -> Option<usize> {
    let mut value: &RawValue = serde_json::from_str(text).ok()?;
    for segment in segments {
        let json = value.get();
        let inner = if json.starts_with('[') {
            let list: Vec<&RawValue> = serde_json::from_str(json).ok()?;
            segment
                .parse()
                .ok()
                .and_then(|at: usize| list.get(at).copied())
        } else if json.starts_with('{') {
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(json).ok()?;
            members.get(segment).copied()
        } else {
            None
        };
        let Some(inner) = inner else {
            break;
        };
        value = inner;
    }
    // A raw value borrows from the text.
    let offset = value
        .get()
        .as_ptr()
        .addr()
        .checked_sub(text.as_ptr().addr())?;
    Some(line_at(text, offset))
}
