//! `acap-bad-pattern`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapBadPattern, include_str!("acap_bad_pattern.md"));
