//! `content-usage-dropped-word`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic, Span};

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentUsageDroppedWord,
    include_str!("content_usage_dropped_word.md"),
)
.with_fix(fix_for);

/// The message begins with the words that are to be repeated.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let (words, _) = diagnostic.message.split_once(" on line ")?;
    let words = words.replace(" and ", ", ");
    let end = file.preference_of(diagnostic)?.statement().end;
    let title = format!("add {words}");
    let span = Span::new(end, end);
    Some(Fix::replace(
        Safety::Unsafe,
        title,
        span,
        format!(", {words}"),
    ))
}
