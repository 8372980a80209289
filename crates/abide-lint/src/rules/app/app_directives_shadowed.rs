//! `app-directives-shadowed`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AppDirectivesShadowed,
    include_str!("app_directives_shadowed.md"),
);
