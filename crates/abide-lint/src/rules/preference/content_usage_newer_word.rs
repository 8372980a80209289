//! `content-usage-newer-word`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentUsageNewerWord,
    include_str!("content_usage_newer_word.md"),
);
