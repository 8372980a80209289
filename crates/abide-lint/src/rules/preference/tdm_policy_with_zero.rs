//! `tdm-policy-with-zero`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::TdmPolicyWithZero,
    include_str!("tdm_policy_with_zero.md"),
);
