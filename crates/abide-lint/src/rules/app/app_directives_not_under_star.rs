//! `app-directives-not-under-star`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AppDirectivesNotUnderStar,
    include_str!("app_directives_not_under_star.md"),
);
