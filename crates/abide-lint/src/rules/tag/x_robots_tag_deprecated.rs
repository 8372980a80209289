//! `x-robots-tag-deprecated`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::XRobotsTagDeprecated,
    include_str!("x_robots_tag_deprecated.md"),
);
