//! `acap-truncated`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapTruncated, include_str!("acap_truncated.md"));
