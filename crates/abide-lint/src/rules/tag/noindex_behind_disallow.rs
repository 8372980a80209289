//! `noindex-behind-disallow`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::NoindexBehindDisallow,
    include_str!("noindex_behind_disallow.md"),
);
