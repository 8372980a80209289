//! `content-usage-word-case`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentUsageWordCase,
    include_str!("content_usage_word_case.md"),
)
.with_fix(fix_for);

/// The statement is invalid as it is, so the fix changes what it says.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let written = diagnostic.span.of(file.text());
    let lower = written.to_ascii_lowercase();
    let title = "write the word in lower case";
    let is_other = lower != written;
    is_other.then(|| Fix::replace(Safety::Unsafe, title, diagnostic.span, lower))
}
