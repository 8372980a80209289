//! `directive-deprecated`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::DirectiveDeprecated,
    include_str!("directive_deprecated.md"),
);
