//! `crawl-delay-value`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::CrawlDelayValue, include_str!("crawl_delay_value.md"));
