//! `rsl-comma-list`: reports a finding about a document.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::RslCommaList, include_str!("rsl_comma_list.md"));
