//! `acap-interleaved`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapInterleaved, include_str!("acap_interleaved.md"));
