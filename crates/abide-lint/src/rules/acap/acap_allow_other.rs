//! `acap-allow-other`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapAllowOther, include_str!("acap_allow_other.md"));
