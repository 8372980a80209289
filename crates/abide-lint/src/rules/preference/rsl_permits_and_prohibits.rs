//! `rsl-permits-and-prohibits`: reports a finding about a document.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::RslPermitsAndProhibits,
    include_str!("rsl_permits_and_prohibits.md"),
);
