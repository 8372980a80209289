//! `acap-orphan-field`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapOrphanField, include_str!("acap_orphan_field.md"));
