//! `bom`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(Code::Bom, include_str!("bom.md")).with_fix(fix_for);

fn fix_for(file: &File<'_>, _: &Diagnostic) -> Option<Fix> {
    let mark = Span::new(0, u32::try_from(file.robots.text().body()).ok()?);
    Some(Fix::remove(
        Safety::Safe,
        "remove the byte order mark",
        mark,
    ))
}
