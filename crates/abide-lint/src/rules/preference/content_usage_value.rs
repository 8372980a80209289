//! `content-usage-value`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::preference_lines;
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentUsageValue,
    include_str!("content_usage_value.md"),
)
.with_fix(fix_for);

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let value = if preference_lines::meant_by(diagnostic.span.of(file.text()))? {
        "y"
    } else {
        "n"
    };
    let title = format!("write {value}");
    Some(Fix::replace(Safety::Unsafe, title, diagnostic.span, value))
}
