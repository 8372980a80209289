//! `unused-ignore`: a comment that leaves nothing out. The comments themselves check it (`comments.rs`).

use crate::rule::{Check, Rule};
use abide::Severity;

pub(crate) static RULE: Rule = Rule::new(
    "unused-ignore",
    Severity::Info,
    include_str!("unused_ignore.md"),
    Check::Comments,
);
