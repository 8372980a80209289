//! `directive-type`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::DirectiveType, include_str!("directive_type.md"));
