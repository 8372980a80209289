//! `acap-qualifier-on-prohibition`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapQualifierOnProhibition,
    include_str!("acap_qualifier_on_prohibition.md"),
);
