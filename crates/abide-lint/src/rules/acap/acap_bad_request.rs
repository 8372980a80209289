//! `acap-bad-request`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapBadRequest, include_str!("acap_bad_request.md"));
