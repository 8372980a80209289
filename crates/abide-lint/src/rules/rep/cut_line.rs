//! `cut-line`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::CutLine, include_str!("cut_line.md"));
