//! `acap-version-unknown`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapVersionUnknown,
    include_str!("acap_version_unknown.md"),
);
