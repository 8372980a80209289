//! `app-directives-unreachable`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AppDirectivesUnreachable,
    include_str!("app_directives_unreachable.md"),
);
