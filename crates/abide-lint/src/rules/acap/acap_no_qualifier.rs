//! `acap-no-qualifier`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapNoQualifier, include_str!("acap_no_qualifier.md"));
