//! `acap-other-blocks-crawl`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapOtherBlocksCrawl,
    include_str!("acap_other_blocks_crawl.md"),
);
