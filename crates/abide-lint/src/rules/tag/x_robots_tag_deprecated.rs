//! `x-robots-tag-deprecated`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::XRobotsTagDeprecated,
    include_str!("x_robots_tag_deprecated.md"),
);
