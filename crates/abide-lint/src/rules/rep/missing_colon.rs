//! `missing-colon`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(Code::MissingColon, include_str!("missing_colon.md"))
    .with_fix(fix_for)
    .doubting_line();

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let key = file.line(diagnostic.line?)?.field()?.key;
    let behind = Span::new(key.end, key.end);
    Some(Fix::replace(Safety::Safe, "add the colon", behind, ":"))
}
