//! `missing-colon`: the engine finds it.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule =
    Rule::engine(Code::MissingColon, include_str!("missing_colon.md")).with_fix(fix_for);

fn fix_for(file: &File<'_>, told: &Diagnostic) -> Option<Fix> {
    let key = file.line(told.line?)?.field()?.key;
    let behind = Span::new(key.end, key.end);
    Some(Fix::replace(Safety::Safe, "add the colon", behind, ":"))
}
