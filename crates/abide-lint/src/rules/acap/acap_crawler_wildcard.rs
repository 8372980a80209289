//! `acap-crawler-wildcard`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapCrawlerWildcard,
    include_str!("acap_crawler_wildcard.md"),
);
