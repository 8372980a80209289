//! `acap-order`: the engine finds it.

use super::acap_late_definition;
use crate::acap::layout::moved_up;
use crate::acap::{fields, fix, told};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapOrder, include_str!("acap_order.md")).with_fix(fix_for);

/// The field without a value counts anywhere; a definition counts only once it is moved.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = told(file, diagnostic)?;
    if field.is_definition() {
        return acap_late_definition::fix_for(file, diagnostic);
    }
    let first = fields(file).find(|field| field.is_crawler() || field.is_definition())?;
    let title = "move the line above definitions and records";
    let edits = moved_up(file, &[field.line], first.line);
    fix(Safety::Safe, title, edits)
}
