//! `typo`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(Code::Typo, include_str!("typo.md")).with_fix(fix_for);

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = file.line(diagnostic.line?)?.field()?;
    let key = field.kind.name()?;
    let title = format!("write {key}");
    Some(Fix::replace(Safety::Safe, title, field.key, key))
}
