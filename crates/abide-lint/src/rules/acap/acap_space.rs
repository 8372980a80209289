//! `acap-space`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapSpace, include_str!("acap_space.md"));
