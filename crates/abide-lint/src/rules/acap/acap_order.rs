//! `acap-order`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapOrder, include_str!("acap_order.md"));
