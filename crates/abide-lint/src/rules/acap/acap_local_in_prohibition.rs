//! `acap-local-in-prohibition`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapLocalInProhibition, include_str!("acap_local_in_prohibition.md"));
