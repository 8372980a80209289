//! `content-signal-separator`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Edit, Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic, Severity, Span};

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentSignalSeparator,
    include_str!("content_signal_separator.md"),
)
.with_fix(fix_for)
.or(Severity::Error);

/// Every `;` of the statement becomes a comma, which separates items for all robots. A space does
/// not separate them, so a comma there changes what the line says.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    if diagnostic.span.of(file.text()) != b";" {
        return Some(Fix::replace(
            Safety::Unsafe,
            "separate the items with a comma",
            diagnostic.span,
            ", ",
        ));
    }
    let statement = file.preference_of(diagnostic)?.statement();
    let text = statement.of(file.text());
    let places = (statement.start..)
        .zip(text)
        .filter(|(_, byte)| **byte == b';');
    let edits = places.map(|(at, _)| Edit {
        span: Span::new(at, at.saturating_add(1)),
        replacement: b",".to_vec(),
    });
    Some(Fix {
        safety: Safety::Safe,
        title: "separate the items with commas".into(),
        edits: edits.collect(),
    })
}
