//! `unknown-purpose`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::UnknownPurpose, include_str!("unknown_purpose.md"));
