//! `typo`: the engine finds it.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(Code::Typo, include_str!("typo.md")).with_fix(fix_for);

fn fix_for(file: &File<'_>, told: &Diagnostic) -> Option<Fix> {
    let field = file.line(told.line?)?.field()?;
    let key = field.kind.name()?;
    let title = format!("write {key}");
    Some(Fix::replace(Safety::Safe, title, field.key, key))
}
