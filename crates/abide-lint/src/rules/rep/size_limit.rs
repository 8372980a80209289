//! `size-limit`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::SizeLimit, include_str!("size_limit.md"));
