//! Writes JSON that is safe to print: on a terminal, in a log, in a review.

use abide::explain::misleads;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use std::fmt::Write;
use std::io;

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

/// Appends `value` to `lines` as one line of JSON without a line end. One look at the whole line
/// for characters to escape costs less than one at each string.
pub(crate) fn append(lines: &mut Vec<u8>, value: &impl Serialize) {
    let start = lines.len();
    serde_json::to_writer(&mut *lines, value).expect(SERIALISES);
    if !lines[start..].is_ascii() || lines[start..].contains(&0x7F) {
        let line = String::from_utf8(lines.split_off(start)).expect("JSON is UTF-8");
        lines.extend_from_slice(escaped(line).as_bytes());
    }
}

/// Writes `value` as one line of JSON without a line end, piece by piece: an answer can be a
/// hundred times as long as its request.
///
/// # Errors
/// Errors of `out`.
pub(crate) fn write(out: impl io::Write, value: &impl Serialize) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(out, Safe);
    match value.serialize(&mut serializer) {
        Err(error) if !error.is_io() => panic!("{SERIALISES}: {error}"),
        written => Ok(written?),
    }
}

/// Writes JSON as `serde_json` does, but escapes the characters of [`escaped`].
struct Safe;

impl Formatter for Safe {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        if is_safe(fragment) {
            writer.write_all(fragment.as_bytes())
        } else {
            writer.write_all(escaped(fragment.to_owned()).as_bytes())
        }
    }

    /// The `id` of a request is written as it is given.
    fn write_raw_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        self.write_string_fragment(writer, fragment)
    }
}

/// Whether no character of `json` needs an escape.
fn is_safe(json: &str) -> bool {
    // Each looks at several bytes at once, unlike a search for the first byte from 0x7F.
    json.is_ascii() && !json.as_bytes().contains(&0x7F)
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
/// use abide_contract::text::escaped;
/// assert_eq!(escaped("\"a\u{7f}\u{202e}ü\"".to_owned()), r#""a\u007f\u202eü""#);
/// ```
#[must_use]
pub fn escaped(json: String) -> String {
    if is_safe(&json) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_may_mislead_are_found_at_every_place() {
        for length in 0..20 {
            let plain = "~".repeat(length);
            assert!(is_safe(&plain));
            for at in 0..=length {
                for other in ["\u{7f}", "\u{80}", "\u{7ff}", "\u{ffff}", "\u{10ffff}"] {
                    let (before, after) = plain.split_at(at);
                    assert!(!is_safe(&format!("{before}{other}{after}")), "{other:?}");
                }
            }
        }
    }
}
