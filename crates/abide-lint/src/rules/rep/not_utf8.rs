//! `not-utf8`: the engine finds it.

use crate::escape;
use crate::file::File;
use crate::finding::{Edit, Fix, Safety};
use crate::rule::Rule;
use abide::syntax::Encoding;
use abide::{Code, Diagnostic};
use abide::{Limits, Span};

pub(crate) static RULE: Rule =
    Rule::engine(Code::NotUtf8, include_str!("not_utf8.md")).with_fix(fix_for);

fn fix_for(file: &File<'_>, _: &Diagnostic) -> Option<Fix> {
    match file.robots.text().encoding() {
        Encoding::Utf16Le | Encoding::Utf16Be => saved(file),
        _ => escaped(file),
    }
}

/// What is read is UTF-8 already, so it only has to be written as it was read; robots that do not transcode will then
/// read rules where they read none. It is not the same where a
/// part was not read, or would not be, or where a second mark would become one that is skipped.
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

/// Patterns with escapes, as which they are compared anyway; `None` where other parts are no UTF-8 either.
fn escaped(file: &File<'_>) -> Option<Fix> {
    let text = file.text();
    let is_utf8 = |span: Span| std::str::from_utf8(span.of(text)).is_ok();
    let mut edits = Vec::new();
    for line in file.robots.lines() {
        if is_utf8(line.span) {
            continue;
        }
        let span = file.robots.rule(line).and(line.field())?.value;
        let before = Span::new(line.span.start, span.start);
        let behind = Span::new(span.end, line.span.end);
        if !is_utf8(before) || !is_utf8(behind) {
            return None;
        }
        edits.push(Edit {
            span,
            replacement: with_escapes(span.of(text)),
        });
    }
    Some(Fix {
        safety: Safety::Safe,
        title: "write escapes for bytes that are not UTF-8".into(),
        edits,
    })
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
