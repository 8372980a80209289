//! `robots-tag-global`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::RobotsTagGlobal, include_str!("robots_tag_global.md"));
