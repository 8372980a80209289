//! `content-signal-case`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentSignalCase,
    include_str!("content_signal_case.md"),
)
.with_fix(fix_for);

/// Words and values compare without regard to case, so the lower case says the same.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let written = diagnostic.span.of(file.text());
    let lower = written.to_ascii_lowercase();
    let title = "write it in lower case";
    let is_other = lower != written;
    is_other.then(|| Fix::replace(Safety::Safe, title, diagnostic.span, lower))
}
