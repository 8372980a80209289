//! `acap-local-in-prohibition`: reports a diagnostic of the engine.

use crate::acap::moves::has_room;
use crate::acap::{definitions, field_of, in_parentheses};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapLocalInProhibition,
    include_str!("acap_local_in_prohibition.md"),
)
.with_fix(fix_for);

/// Writes one line for each usage that the name stands for; abide reads the prohibition that way
/// already.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = field_of(file, diagnostic)?;
    let usage = field.usage()?;
    let name = in_parentheses(usage.of(field.text))?;
    let defined = definitions::above(file, &field);
    let usages = definitions::expanded(&defined, field.text, name)?;
    let before = Span::new(field.key.start, usage.start).of(field.text);
    let behind = Span::new(field.key.end, field.span().end).of(field.text);
    let mut lines = Vec::new();
    for usage in usages {
        if !lines.is_empty() {
            lines.extend_from_slice(field.line_end());
        }
        for part in [before, usage.name().as_bytes(), behind] {
            lines.extend_from_slice(part);
        }
    }
    let title = "prohibit the usages that the name includes";
    has_room(file, lines.len()).then(|| Fix::replace(Safety::Safe, title, field.span(), lines))
}
