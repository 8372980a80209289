//! robotxt 0.7. It has no entry for a URL as text, so `Url::parse` is part of its decision.

use super::{AGENT, Parser};
use crate::corpus::Case;
use robotxt::Robots;
use url::Url;

/// robotxt.
#[derive(Debug)]
pub struct Robotxt;

impl Parser for Robotxt {
    const NAME: &'static str = "robotxt";
    type Robots<'o> = Robots;

    fn parse(case: &Case) -> Option<Robots> {
        Some(Robots::parse(&case.bytes, AGENT))
    }

    fn allows(robots: &Robots, url: &str) -> bool {
        Url::parse(url).is_ok_and(|url| robots.is_url_allowed(&url))
    }
}
