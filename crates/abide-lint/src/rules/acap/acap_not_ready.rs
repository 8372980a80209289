//! `acap-not-ready`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapNotReady, include_str!("acap_not_ready.md"));
