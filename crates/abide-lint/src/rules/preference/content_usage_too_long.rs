//! `content-usage-too-long`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentUsageTooLong,
    include_str!("content_usage_too_long.md"),
);
