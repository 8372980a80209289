//! `content-signal-misspelt`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentSignalMisspelt,
    include_str!("content_signal_misspelt.md"),
)
.with_fix(fix_for);

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = file.line(diagnostic.line?)?.field()?;
    let title = "write Content-Signal";
    let key = "Content-Signal";
    Some(Fix::replace(Safety::Unsafe, title, field.key, key))
}
