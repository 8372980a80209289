//! `app-directives-unreachable`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AppDirectivesUnreachable,
    include_str!("app_directives_unreachable.md"),
);
