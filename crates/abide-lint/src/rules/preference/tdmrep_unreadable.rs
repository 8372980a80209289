//! `tdmrep-unreadable`: reports a finding about a document.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::TdmrepUnreadable, include_str!("tdmrep_unreadable.md"));
