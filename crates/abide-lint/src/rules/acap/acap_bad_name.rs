//! `acap-bad-name`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapBadName, include_str!("acap_bad_name.md"));
