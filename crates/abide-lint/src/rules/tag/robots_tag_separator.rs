//! `robots-tag-separator`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::RobotsTagSeparator,
    include_str!("robots_tag_separator.md"),
);
