//! `content-usage-unknown-word`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentUsageUnknownWord,
    include_str!("content_usage_unknown_word.md"),
);
