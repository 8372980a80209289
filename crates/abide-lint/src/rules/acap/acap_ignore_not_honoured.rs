//! `acap-ignore-not-honoured`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapIgnoreNotHonoured,
    include_str!("acap_ignore_not_honoured.md"),
);
