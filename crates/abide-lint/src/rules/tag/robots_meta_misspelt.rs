//! `robots-meta-misspelt`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::RobotsMetaMisspelt,
    include_str!("robots_meta_misspelt.md"),
);
