//! `acap-duplicate-name`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapDuplicateName,
    include_str!("acap_duplicate_name.md"),
);
