//! `acap-bad-reference`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapBadReference,
    include_str!("acap_bad_reference.md"),
);
