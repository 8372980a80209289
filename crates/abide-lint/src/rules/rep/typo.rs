//! `typo`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::Typo, include_str!("typo.md"));
