//! `acap-undefined-usage`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapUndefinedUsage, include_str!("acap_undefined_usage.md"));
