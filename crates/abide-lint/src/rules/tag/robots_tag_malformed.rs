//! `robots-tag-malformed`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::RobotsTagMalformed,
    include_str!("robots_tag_malformed.md"),
);
