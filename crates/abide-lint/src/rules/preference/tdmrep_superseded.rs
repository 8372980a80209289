//! `tdmrep-superseded`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::TdmrepSuperseded, include_str!("tdmrep_superseded.md"));
