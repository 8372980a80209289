//! `rsl-unknown-word`: reports a finding about a document.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::RslUnknownWord, include_str!("rsl_unknown_word.md"));
