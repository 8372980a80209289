//! `robots-tag-bare-rule`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::RobotsTagBareRule,
    include_str!("robots_tag_bare_rule.md"),
);
