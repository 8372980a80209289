//! `rsl-unknown-element`: reports a finding about a document.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::RslUnknownElement,
    include_str!("rsl_unknown_element.md"),
);
