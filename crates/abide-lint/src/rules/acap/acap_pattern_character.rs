//! `acap-pattern-character`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapPatternCharacter,
    include_str!("acap_pattern_character.md"),
);
