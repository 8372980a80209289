//! `acap-order`: reports a diagnostic of the engine.

use super::acap_late_definition;
use crate::acap::moves::moved_up;
use crate::acap::{field_of, fields, fix};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapOrder, include_str!("acap_order.md")).with_fix(fix_for);

/// A field without a value works anywhere; a definition works only after it is moved.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = field_of(file, diagnostic)?;
    if field.is_definition() {
        return acap_late_definition::fix_for(file, diagnostic);
    }
    let first = fields(file).find(|field| field.is_crawler() || field.is_definition())?;
    let title = "move the line above definitions and records";
    let edits = moved_up(file, &[field.line], first.line);
    fix(Safety::Safe, title, edits)
}
