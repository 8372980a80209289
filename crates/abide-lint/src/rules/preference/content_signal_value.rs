//! `content-signal-value`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::preference_lines;
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentSignalValue,
    include_str!("content_signal_value.md"),
)
.with_fix(fix_for);

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let value = if preference_lines::meant_by(diagnostic.span.of(file.text()))? {
        "yes"
    } else {
        "no"
    };
    // The word `use` has levels.
    let text = file.text().get(..diagnostic.span.start as usize)?;
    let key = text.trim_ascii_end().strip_suffix(b"=")?.trim_ascii_end();
    if key.to_ascii_lowercase().ends_with(b"use") {
        return None;
    }
    let title = format!("write {value}");
    Some(Fix::replace(Safety::Unsafe, title, diagnostic.span, value))
}
