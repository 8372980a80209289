//! Parts of structured fields (RFC 9651, 4.1) and of lines.

use super::error::WriteFault;
use crate::app::DirectiveValue;
use crate::structured::{self, Member};
use sfv::{BareItem, Integer, KeyRef, StringRef, TokenRef};

/// A parameter with its separator: `;key`, `;key=value`.
pub(super) fn parameter(key: &str, value: &DirectiveValue) -> Result<String, WriteFault> {
    const EXPECTED: &str = "a name of lower-case letters, digits, '_', '-', '.' and '*' that begins with a letter or '*'";
    if KeyRef::from_str(key).is_err() {
        return Err(WriteFault::unexpected(EXPECTED, key));
    }
    check(value)?;
    Ok(match value {
        DirectiveValue::Boolean(true) => format!(";{key}"),
        value => format!(";{key}={value}"),
    })
}

/// A parameter in a line of robots.txt, where `#` begins a comment. A Display String carries it by
/// its number.
pub(super) fn parameter_in_line(key: &str, value: &DirectiveValue) -> Result<String, WriteFault> {
    let written = parameter(key, value)?;
    match value {
        DirectiveValue::DisplayString(_) => Ok(written.replace('#', "%23")),
        _ => without_comment(&written).map(|()| written),
    }
}

/// Checks that nothing in a part of a line begins a comment.
pub(super) fn without_comment(part: &str) -> Result<(), WriteFault> {
    if part.contains('#') {
        let expected = "a text without '#', which begins a comment in robots.txt";
        return Err(WriteFault::unexpected(expected, part));
    }
    Ok(())
}

/// Checks that structured fields can carry a value.
fn check(value: &DirectiveValue) -> Result<(), WriteFault> {
    let (expected, is_valid) = match value {
        DirectiveValue::Integer(number) | DirectiveValue::Date(number) => (
            "a number of at most 15 digits",
            Integer::try_from(*number).is_ok(),
        ),
        DirectiveValue::Decimal(text) => (
            "a number of at most 12 digits, a point and at most 3 digits",
            is_decimal(text),
        ),
        DirectiveValue::String(text) => (
            "printable ASCII characters",
            StringRef::from_str(text).is_ok(),
        ),
        DirectiveValue::Token(text) => (
            "a Token, which begins with a letter or '*' and has no blank, quote, comma or semicolon",
            TokenRef::from_str(text).is_ok(),
        ),
        _ => return Ok(()),
    };
    if is_valid {
        return Ok(());
    }
    let found = match value {
        DirectiveValue::String(text) => text.clone(),
        other => other.to_string(),
    };
    Err(WriteFault::unexpected(expected, &found))
}

fn is_decimal(text: &str) -> bool {
    let read = structured::read(text.as_bytes());
    matches!(read, Some(Member::Item(BareItem::Decimal(_), rest)) if rest.is_empty())
}

/// Checks a String.
pub(super) fn string(text: &str) -> Result<String, WriteFault> {
    let value = DirectiveValue::String(text.to_owned());
    check(&value)?;
    Ok(value.to_string())
}

/// Checks a pattern before the rest of a line, which begins with `/` and ends with a blank
/// (AMB-APP-9).
pub(super) fn path(path: &str) -> Result<&str, WriteFault> {
    const EXPECTED: &str =
        "a path that begins with '/', without blanks, control characters and '#'";
    let is_path = path.starts_with('/') && is_one_word(path);
    let found = is_path.then_some(path);
    found.ok_or_else(|| WriteFault::unexpected(EXPECTED, path))
}

/// Checks a pattern of a rule. It may begin with `*`, as in the examples of RFC 9309 (AMB-REP-3).
pub(super) fn pattern(pattern: &str) -> Result<&str, WriteFault> {
    const EXPECTED: &str =
        "a pattern that begins with '/' or '*', without blanks, control characters and '#'";
    let is_pattern = pattern.starts_with(['/', '*']) && is_one_word(pattern);
    let found = is_pattern.then_some(pattern);
    found.ok_or_else(|| WriteFault::unexpected(EXPECTED, pattern))
}

/// Whether a text is one word of a line, of which nothing is a comment.
pub(super) fn is_one_word(text: &str) -> bool {
    !text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '#')
}
