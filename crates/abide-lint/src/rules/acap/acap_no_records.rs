//! `acap-no-records`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapNoRecords, include_str!("acap_no_records.md"));
