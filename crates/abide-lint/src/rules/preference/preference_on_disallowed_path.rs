//! `preference-on-disallowed-path`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::PreferenceOnDisallowedPath,
    include_str!("preference_on_disallowed_path.md"),
);
