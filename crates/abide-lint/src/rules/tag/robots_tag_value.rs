//! `robots-tag-value`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::RobotsTagValue, include_str!("robots_tag_value.md"));
