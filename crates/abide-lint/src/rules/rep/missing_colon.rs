//! `missing-colon`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::MissingColon, include_str!("missing_colon.md"));
