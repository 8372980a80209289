//! `preference-in-meta`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::PreferenceInMeta,
    include_str!("preference_in_meta.md"),
);
