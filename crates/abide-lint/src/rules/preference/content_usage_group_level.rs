//! `content-usage-group-level`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentUsageGroupLevel,
    include_str!("content_usage_group_level.md"),
);
