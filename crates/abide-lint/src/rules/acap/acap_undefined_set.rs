//! `acap-undefined-set`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapUndefinedSet, include_str!("acap_undefined_set.md"));
