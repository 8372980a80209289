//! `acap-orphan-field`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapOrphanField, include_str!("acap_orphan_field.md"));
