//! `robots-tag-newer-type`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::RobotsTagNewerType,
    include_str!("robots_tag_newer_type.md"),
);
