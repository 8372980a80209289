//! `stray-percent`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::StrayPercent, include_str!("stray_percent.md"));
