//! robotstxt 0.3, a port of Google's parser. It keeps nothing: each decision reads the whole file,
//! so that its "parse" is none, and its warm decision is a cold one.

use super::{AGENT, Parser};
use crate::corpus::Case;
use robotstxt::DefaultMatcher;

/// robotstxt.
#[derive(Debug)]
pub struct Robotstxt;

impl Parser for Robotstxt {
    const NAME: &'static str = "robotstxt";
    type Robots<'o> = &'o str;

    fn parse(case: &Case) -> Option<&str> {
        Some(case.as_text())
    }

    fn allows(robots: &&str, url: &str) -> bool {
        DefaultMatcher::default().one_agent_allowed_by_robots(robots, AGENT, url)
    }
}
