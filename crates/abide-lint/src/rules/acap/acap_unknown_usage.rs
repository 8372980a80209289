//! `acap-unknown-usage`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapUnknownUsage, include_str!("acap_unknown_usage.md"));
