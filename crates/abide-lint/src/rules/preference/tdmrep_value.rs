//! `tdmrep-value`: reports a finding about a document.

use crate::rule::Rule;
use abide::{Code, Severity};

pub(crate) static RULE: Rule =
    Rule::engine(Code::TdmrepValue, include_str!("tdmrep_value.md")).or(Severity::Warning);
