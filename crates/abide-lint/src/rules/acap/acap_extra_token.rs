//! `acap-extra-token`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapExtraToken, include_str!("acap_extra_token.md"));
