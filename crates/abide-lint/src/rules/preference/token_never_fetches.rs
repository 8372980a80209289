//! `token-never-fetches`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::TokenNeverFetches,
    include_str!("token_never_fetches.md"),
);
