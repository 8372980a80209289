//! Writes JSON that is safe to print: on a terminal, in a log, in a review.

use abide::explain::misleads;
use serde::Serialize;
use std::fmt::Write;

/// Why a value always becomes JSON.
const SERIALISES: &str = "values under string keys serialise, and memory takes them";

/// `value` as one line of JSON.
///
/// # Panics
/// If keys of `value` are not strings, which abide's formats never have.
#[must_use]
pub fn line(value: &impl Serialize) -> String {
    escaped(serde_json::to_string(value).expect(SERIALISES))
}

/// Adds `value` to `lines` as one line of JSON, without copying it.
pub(crate) fn append(lines: &mut Vec<u8>, value: &impl Serialize) {
    let start = lines.len();
    serde_json::to_writer(&mut *lines, value).expect(SERIALISES);
    if lines[start..].iter().any(|byte| *byte >= 0x7F) {
        let json = String::from_utf8(lines.split_off(start)).expect("JSON is UTF-8");
        lines.extend_from_slice(escaped(json).as_bytes());
    }
}

/// `value` as JSON on several indented lines.
///
/// # Panics
/// If keys of `value` are not strings, which abide's formats never have.
#[must_use]
pub fn pretty(value: &impl Serialize) -> String {
    escaped(serde_json::to_string_pretty(value).expect(SERIALISES))
}

/// Escapes DEL, C1 controls, bidirectional marks and other characters that act on a terminal or
/// mislead. JSON itself only requires escapes for the controls below U+0020.
///
/// ```
/// assert_eq!(abide_json::text::escaped("\"a\u{7f}\u{202e}ü\"".to_owned()), r#""a\u007f\u202eü""#);
/// ```
#[must_use]
pub fn escaped(json: String) -> String {
    if json.bytes().all(|byte| byte < 0x7F) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        // Outside strings JSON is ASCII, and a string may have escapes anywhere.
        if character >= '\u{7f}' && misleads(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a String cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }
    escaped
}
