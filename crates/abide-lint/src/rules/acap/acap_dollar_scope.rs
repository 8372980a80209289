//! `acap-dollar-scope`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapDollarScope, include_str!("acap_dollar_scope.md"));
