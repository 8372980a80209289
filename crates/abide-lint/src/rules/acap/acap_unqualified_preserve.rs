//! `acap-unqualified-preserve`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapUnqualifiedPreserve,
    include_str!("acap_unqualified_preserve.md"),
);
