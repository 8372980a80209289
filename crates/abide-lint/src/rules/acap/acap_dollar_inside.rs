//! `acap-dollar-inside`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapDollarInside,
    include_str!("acap_dollar_inside.md"),
);
