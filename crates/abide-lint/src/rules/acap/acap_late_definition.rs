//! `acap-late-definition`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapLateDefinition, include_str!("acap_late_definition.md"));
