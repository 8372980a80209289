//! `robots-meta-in-body`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::RobotsMetaInBody,
    include_str!("robots_meta_in_body.md"),
);
