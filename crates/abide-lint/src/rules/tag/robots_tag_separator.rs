//! `robots-tag-separator`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::RobotsTagSeparator,
    include_str!("robots_tag_separator.md"),
);
