//! `acap-reference-chain`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapReferenceChain,
    include_str!("acap_reference_chain.md"),
);
