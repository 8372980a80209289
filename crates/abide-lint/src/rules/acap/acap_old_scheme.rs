//! `acap-old-scheme`: reports a diagnostic of the engine.

use crate::acap::{after, field_of};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapOldScheme, include_str!("acap_old_scheme.md")).with_fix(fix_for);

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = field_of(file, diagnostic)?;
    after(field.value.of(field.text), "acap:")?;
    let start = Span::new(field.value.start, field.value.start);
    let title = "write \"the-acap:\"";
    Some(Fix::replace(Safety::Unsafe, title, start, "the-"))
}
