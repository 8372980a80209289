//! `rsl-old-word`: reports a finding about a document.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::RslOldWord, include_str!("rsl_old_word.md"));
