//! `content-usage-stale-word`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::Fix;
use crate::preference_lines::write_meant_word;
use crate::rule::Rule;
use abide::preference::Vocabulary;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentUsageStaleWord,
    include_str!("content_usage_stale_word.md"),
)
.with_fix(fix_for);

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    write_meant_word(file, diagnostic, Vocabulary::ContentUsage)
}
