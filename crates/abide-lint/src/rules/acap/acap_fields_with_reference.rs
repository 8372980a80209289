//! `acap-fields-with-reference`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapFieldsWithReference, include_str!("acap_fields_with_reference.md"));
