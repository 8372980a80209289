//! `robots-tag-member`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::RobotsTagMember, include_str!("robots_tag_member.md"));
