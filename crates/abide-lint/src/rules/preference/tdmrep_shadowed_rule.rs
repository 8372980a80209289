//! `tdmrep-shadowed-rule`: reports a finding about a document.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::TdmrepShadowedRule,
    include_str!("tdmrep_shadowed_rule.md"),
);
