//! `content-usage-foreign-word`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::preference::Vocabulary;
use abide::syntax::preference_word;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentUsageForeignWord,
    include_str!("content_usage_foreign_word.md"),
)
.with_fix(fix_for);

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let key = std::str::from_utf8(diagnostic.span.of(file.text())).ok()?;
    let word = preference_word(Vocabulary::ContentUsage, &key.to_ascii_lowercase())?;
    let title = format!("write {word}");
    Some(Fix::replace(Safety::Unsafe, title, diagnostic.span, word))
}
