//! `app-directives-conflict`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AppDirectivesConflict,
    include_str!("app_directives_conflict.md"),
);
