//! `robots-tag-key-case`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::RobotsTagKeyCase,
    include_str!("robots_tag_key_case.md"),
);
