//! `acap-bad-qualifier`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapBadQualifier, include_str!("acap_bad_qualifier.md"));
