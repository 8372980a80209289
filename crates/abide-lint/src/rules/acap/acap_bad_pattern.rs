//! `acap-bad-pattern`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapBadPattern, include_str!("acap_bad_pattern.md"));
