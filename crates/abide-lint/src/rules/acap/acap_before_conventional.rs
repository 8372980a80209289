//! `acap-before-conventional`: reports a diagnostic of the engine.

use crate::acap::moves::acap_to_the_end;
use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapBeforeConventional,
    include_str!("acap_before_conventional.md"),
)
.with_fix(|file, _| acap_to_the_end(file));
