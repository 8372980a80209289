//! `not-utf8`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::NotUtf8, include_str!("not_utf8.md"));
