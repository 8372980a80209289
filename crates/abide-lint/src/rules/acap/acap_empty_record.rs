//! `acap-empty-record`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapEmptyRecord, include_str!("acap_empty_record.md"));
