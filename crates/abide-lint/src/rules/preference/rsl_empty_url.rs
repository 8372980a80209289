//! `rsl-empty-url`: reports a finding about a document.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::RslEmptyUrl, include_str!("rsl_empty_url.md"));
