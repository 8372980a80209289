//! `acap-qualifier-on-local`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapQualifierOnLocal,
    include_str!("acap_qualifier_on_local.md"),
);
