//! `noindex-behind-disallow`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::NoindexBehindDisallow,
    include_str!("noindex_behind_disallow.md"),
);
