//! `acap-no-qualifier`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapNoQualifier, include_str!("acap_no_qualifier.md"));
