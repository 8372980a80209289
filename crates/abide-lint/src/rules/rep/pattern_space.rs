//! `pattern-space`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::PatternSpace, include_str!("pattern_space.md"));
