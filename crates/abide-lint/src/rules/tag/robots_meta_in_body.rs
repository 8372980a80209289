//! `robots-meta-in-body`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::RobotsMetaInBody,
    include_str!("robots_meta_in_body.md"),
);
