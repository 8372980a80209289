//! `acap-nested-composite`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapNestedComposite, include_str!("acap_nested_composite.md"));
