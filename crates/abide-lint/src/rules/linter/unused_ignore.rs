//! `unused-ignore`: an ignore comment that suppresses nothing. `comments.rs` does the check.

use crate::rule::{Rule, RuleCheck};
use abide::Severity;

pub(crate) static RULE: Rule = Rule::new(
    "unused-ignore",
    Severity::Info,
    include_str!("unused_ignore.md"),
    RuleCheck::Comments,
);
