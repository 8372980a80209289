//! `unknown-tag-rule`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::{Code, Severity};

pub(crate) static RULE: Rule =
    Rule::engine(Code::UnknownTagRule, include_str!("unknown_tag_rule.md")).or(Severity::Warning);
