//! `acap-crawler-wildcard`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapCrawlerWildcard,
    include_str!("acap_crawler_wildcard.md"),
);
