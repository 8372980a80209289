//! `robots-tag-member`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::RobotsTagMember, include_str!("robots_tag_member.md"));
