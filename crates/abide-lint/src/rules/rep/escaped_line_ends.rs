//! `escaped-line-ends`: `\n` in two characters where lines should end.

use crate::file::File;
use crate::finding::{Edit, Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::syntax::{FieldKind, Line};
use abide::{Robots, Severity, Span};

pub(crate) static RULE: Rule = Rule::new(
    "escaped-line-ends",
    Severity::Error,
    include_str!("escaped_line_ends.md"),
    RuleCheck::File(check),
)
.instead_of(&[
    "crawler-misspelt",
    "no-fields",
    "several-fields",
    "ua-invalid-token",
    "unknown-field",
    "unreadable-line",
]);

const ESCAPE: &[u8] = b"\\n";

fn check(file: &File<'_>, found: &mut Findings) {
    for line in file.robots.lines() {
        let escapes = escapes(file.text(), line);
        let Some(first) = escapes.first().filter(|_| goes_on(file.text(), line)) else {
            continue;
        };
        let message = r#""\n" is two characters here and ends no line, so robots read all this as one line; write line ends"#;
        let fix = Fix {
            safety: Safety::Unsafe,
            title: "write line ends".into(),
            edits: escapes
                .iter()
                .map(|span| Edit {
                    span: *span,
                    replacement: b"\n".to_vec(),
                })
                .collect(),
        };
        found.say(Some(line.number), *first, message).fix(fix);
    }
}

/// Where a line has `\n` or `\r\n` in characters.
fn escapes(text: &[u8], line: &Line) -> Vec<Span> {
    let whole = line.span.of(text);
    let found = memchr::memmem::find_iter(whole, ESCAPE);
    let span = |at: usize| {
        let has_return = whole
            .get(..at)
            .is_some_and(|before| before.ends_with(b"\\r"));
        let start = if has_return { at - 2 } else { at };
        let place = |at: usize| {
            line.span
                .start
                .saturating_add(u32::try_from(at).unwrap_or(u32::MAX))
        };
        Span::new(place(start), place(at + ESCAPE.len()))
    };
    found.map(span).collect()
}

/// Whether a field follows such characters: then they were meant to end a line.
fn goes_on(text: &[u8], line: &Line) -> bool {
    let whole = line.span.of(text);
    let ends = memchr::memmem::find_iter(whole, ESCAPE);
    let mut rests = ends.filter_map(|at| whole.get(at + ESCAPE.len()..));
    rests.any(|rest| {
        let end = memchr::memmem::find(rest, b"\\").unwrap_or(rest.len());
        let part = rest.get(..end).unwrap_or_default();
        part.contains(&b':') && is_field(part)
    })
}

/// Whether a text is a field that robots know.
fn is_field(text: &[u8]) -> bool {
    let robots = Robots::parse(text);
    let mut fields = robots.lines().iter().filter_map(Line::field);
    fields.any(|field| field.kind != FieldKind::Other)
}
