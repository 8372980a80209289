//! `acap-qualifier-on-prohibition`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapQualifierOnProhibition,
    include_str!("acap_qualifier_on_prohibition.md"),
);
