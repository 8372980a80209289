//! `pattern-dot-segment`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::PatternDotSegment, include_str!("pattern_dot_segment.md"));
