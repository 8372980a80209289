//! `content-usage-unparsable`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::Fix;
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentUsageUnparsable,
    include_str!("content_usage_unparsable.md"),
)
.with_fix(fix_for);

/// The first edit after which the statement can be read: no comma at the end, no spaces around `=`,
/// commas instead of `;`, or commas instead of spaces.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let at = file.preference_of(diagnostic)?;
    let statement = at.stated.statement;
    let text = std::str::from_utf8(statement).ok()?;
    let is_blank = |c: char| matches!(c, ' ' | '\t');
    let without_comma = text.trim_end_matches(|c: char| c == ',' || is_blank(c));
    let sides: Vec<_> = text.split('=').collect();
    let last = sides.len().saturating_sub(1);
    let sides = sides.iter().enumerate().map(|(side, text)| {
        let text = if side > 0 {
            text.trim_start_matches(is_blank)
        } else {
            text
        };
        if side < last {
            text.trim_end_matches(is_blank)
        } else {
            text
        }
    });
    let words = text.split(is_blank).filter(|word| !word.is_empty());
    let candidates = [
        ("remove the comma", without_comma.to_owned()),
        (
            "remove the spaces around \"=\"",
            sides.collect::<Vec<_>>().join("="),
        ),
        ("separate the words with commas", text.replace(';', ",")),
        (
            "separate the words with commas",
            words.collect::<Vec<_>>().join(", "),
        ),
    ];
    let mut fixes = candidates
        .into_iter()
        .filter_map(|(title, statement)| at.rewritten(title, statement.into_bytes()));
    fixes.next()
}
