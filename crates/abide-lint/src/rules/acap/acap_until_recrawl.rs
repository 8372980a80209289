//! `acap-until-recrawl`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapUntilRecrawl, include_str!("acap_until_recrawl.md"));
