//! `ua-invalid-token`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::UaInvalidToken, include_str!("ua_invalid_token.md"));
