//! `tdmrep-missing-member`: reports a finding about a document.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::TdmrepMissingMember,
    include_str!("tdmrep_missing_member.md"),
);
