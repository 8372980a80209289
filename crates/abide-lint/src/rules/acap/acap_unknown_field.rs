//! `acap-unknown-field`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapUnknownField, include_str!("acap_unknown_field.md"));
