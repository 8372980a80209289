//! `rule-outside-group`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::RuleOutsideGroup, include_str!("rule_outside_group.md"));
