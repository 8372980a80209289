//! `not-utf8`: reports a diagnostic of the engine.

use crate::escape;
use crate::file::File;
use crate::finding::{Edit, Fix, Safety};
use crate::rule::Rule;
use abide::syntax::Encoding;
use abide::{Code, Diagnostic, Severity};
use abide::{Limits, Span};

pub(crate) static RULE: Rule = Rule::engine(Code::NotUtf8, include_str!("not_utf8.md"))
    .with_fix(fix_for)
    .or(Severity::Error);

fn fix_for(file: &File<'_>, _: &Diagnostic) -> Option<Fix> {
    match file.robots.text().encoding() {
        Encoding::Utf16Le | Encoding::Utf16Be => saved(file),
        _ => escaped(file),
    }
}

/// abide has already converted the text to UTF-8, so the fix writes what was read. Robots that do
/// not convert will then read rules where they now read none. Not possible if a part was not read
/// or would no longer be read, or if a second byte order mark would become the first, which is
/// skipped.
fn saved(file: &File<'_>) -> Option<Fix> {
    let text = file.text();
    let is_same = !file.robots.text().is_truncated()
        && text.len() <= Limits::FLOOR
        && !text.starts_with("\u{feff}".as_bytes());
    is_same.then(|| Fix {
        safety: Safety::Unsafe,
        title: "save the file as UTF-8".into(),
        edits: Vec::new(),
    })
}

/// Writes the bytes in patterns as escapes, which are compared in the same way, and those in
/// comments as the characters of Windows-1252, which nearly all such files have; `None` if other
/// parts of the file are not UTF-8 either.
fn escaped(file: &File<'_>) -> Option<Fix> {
    let text = file.text();
    let is_utf8 = |span: Span| std::str::from_utf8(span.of(text)).is_ok();
    let mut edits = Vec::new();
    for line in file.robots.lines() {
        if is_utf8(line.span) {
            continue;
        }
        let comment = line
            .comment
            .unwrap_or(Span::new(line.span.end, line.span.end));
        let content = Span::new(line.span.start, comment.start);
        if !is_utf8(content) {
            let span = file.robots.rule(line).and(line.field())?.value;
            let before = Span::new(content.start, span.start);
            let behind = Span::new(span.end, content.end);
            if !is_utf8(before) || !is_utf8(behind) {
                return None;
            }
            // `invisible-character` deletes these: as escapes they would stay for good.
            if has_latin_space_at_edge(span.of(text)) {
                continue;
            }
            edits.push(Edit {
                span,
                replacement: with_escapes(span.of(text)),
            });
        }
        if !is_utf8(comment) {
            edits.push(Edit {
                span: comment,
                replacement: with_characters(comment.of(text)),
            });
        }
    }
    (!edits.is_empty()).then(|| Fix {
        safety: Safety::Safe,
        title: "write escapes or characters for bytes that are not UTF-8".into(),
        edits,
    })
}

/// Whether a value that is not UTF-8 begins or ends with the no-break space of Latin-1.
fn has_latin_space_at_edge(value: &[u8]) -> bool {
    value.starts_with(b"\xa0") || value.ends_with(b"\xa0")
}

/// The characters of Windows-1252 from 80 to 9f.
const WINDOWS: &str = "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ";

fn with_characters(comment: &[u8]) -> Vec<u8> {
    let mut written = String::new();
    for chunk in comment.utf8_chunks() {
        written.push_str(chunk.valid());
        let invalid = chunk.invalid().iter();
        written.extend(invalid.map(|&byte| {
            match byte {
                0x80..=0x9f => WINDOWS
                    .chars()
                    .nth(usize::from(byte) - 0x80)
                    .unwrap_or_default(),
                _ => char::from(byte),
            }
        }));
    }
    written.into_bytes()
}

fn with_escapes(value: &[u8]) -> Vec<u8> {
    let mut written = Vec::new();
    for chunk in value.utf8_chunks() {
        written.extend_from_slice(chunk.valid().as_bytes());
        for &byte in chunk.invalid() {
            escape::push(&mut written, byte);
        }
    }
    written
}
