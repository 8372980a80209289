//! `directive-deprecated`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::DirectiveDeprecated,
    include_str!("directive_deprecated.md"),
);
