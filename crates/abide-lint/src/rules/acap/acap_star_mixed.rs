//! `acap-star-mixed`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapStarMixed, include_str!("acap_star_mixed.md"));
