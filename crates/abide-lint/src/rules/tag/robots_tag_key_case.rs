//! `robots-tag-key-case`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::RobotsTagKeyCase,
    include_str!("robots_tag_key_case.md"),
);
