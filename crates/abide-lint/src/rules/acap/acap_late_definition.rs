//! `acap-late-definition`: reports a diagnostic of the engine.

use crate::acap::moves::moved_up;
use crate::acap::{AcapField, fields, fix};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapLateDefinition,
    include_str!("acap_late_definition.md"),
)
.with_fix(fix_for);

/// Moves all late definitions at once, because one may need another; the finding for the first one
/// has the fix.
pub(super) fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let record = fields(file).find(AcapField::is_crawler)?.line;
    let mut late = fields(file)
        .filter(|field| field.is_definition() && field.line.number > record.number)
        .map(|field| field.line);
    let first = late.next()?;
    if diagnostic.line != Some(first.number) {
        return None;
    }
    let late: Vec<_> = std::iter::once(first).chain(late).collect();
    let title = "move the definitions above the records";
    fix(Safety::Unsafe, title, moved_up(file, &late, record))
}
