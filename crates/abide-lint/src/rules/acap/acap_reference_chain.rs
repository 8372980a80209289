//! `acap-reference-chain`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapReferenceChain,
    include_str!("acap_reference_chain.md"),
);
