//! `robots-tag-size-limit`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::RobotsTagSizeLimit,
    include_str!("robots_tag_size_limit.md"),
);
