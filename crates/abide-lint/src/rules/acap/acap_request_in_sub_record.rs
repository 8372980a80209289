//! `acap-request-in-sub-record`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapRequestInSubRecord, include_str!("acap_request_in_sub_record.md"));
