//! `acap-duplicate-qualifier`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapDuplicateQualifier, include_str!("acap_duplicate_qualifier.md"));
