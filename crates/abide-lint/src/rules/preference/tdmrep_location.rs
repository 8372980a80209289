//! `tdmrep-location`: reports a finding about a document.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::TdmrepLocation, include_str!("tdmrep_location.md"));
