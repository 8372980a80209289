//! `acap-not-ready`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapNotReady, include_str!("acap_not_ready.md"));
