//! `acap-dollar-scope`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapDollarScope, include_str!("acap_dollar_scope.md"));
