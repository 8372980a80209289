//! `texting_robots` 0.2. It may refuse a file; such files are left out for it.

use super::{AGENT, Parser};
use crate::corpus::Case;
use texting_robots::Robot;

/// `texting_robots`.
#[derive(Debug)]
pub struct TextingRobots;

impl Parser for TextingRobots {
    const NAME: &'static str = "texting_robots";
    type Robots<'o> = Robot;

    fn parse(case: &Case) -> Option<Robot> {
        Robot::new(AGENT, &case.bytes).ok()
    }

    fn allows(robots: &Robot, url: &str) -> bool {
        robots.allowed(url)
    }
}
