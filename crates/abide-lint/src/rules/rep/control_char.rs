//! `control-char`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::ControlChar, include_str!("control_char.md"));
