//! Why no robots.txt is written.

use crate::words::{enumerated, enumerated_all};
use abide::ProductTokenError;
use abide::explain::{visible, visible_url};
use abide_known_robots::RobotError;

/// The largest number of names in a sentence.
pub(super) const MAX_NAMES: usize = 8;

/// Why no robots.txt is written for wishes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WishError {
    /// Nothing is wished.
    #[error("there is no wish; say what the file is for, such as no-training")]
    Nothing,
    /// Two wishes that no file can keep.
    #[error(
        "{} and {} contradict each other{}; leave one of them out",
        visible(.first.as_bytes()),
        visible(.second.as_bytes()),
        about(.robots)
    )]
    Contradiction {
        /// One wish.
        first: String,
        /// The other.
        second: String,
        /// The robots that both are about, if not all.
        robots: Vec<String>,
    },
    /// A list to block that cannot be read.
    #[error("in block: {0}")]
    Robot(RobotError),
    /// A name to block that no `User-agent` line can have.
    #[error("in block: {0}")]
    Name(ProductTokenError),
    /// Something to block that is not one robot with one name.
    #[error("in block: {} is not one robot; {remedy}", visible(.name.as_bytes()))]
    NotOneRobot {
        /// What was named.
        name: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A name that its operator does not list any more.
    #[error(
        "in block: {name} blocks nothing, because its operator does not list it any more; write {}",
        enumerated_all(.replaced_by)
    )]
    Legacy {
        /// The name.
        name: &'static str,
        /// The names that the operator has today.
        replaced_by: &'static [&'static str],
    },
    /// A sitemap that is no absolute URL.
    #[error(
        "in sitemap: {} is not the whole URL of a sitemap; write it with https:// and the host, \
         and without `#`",
        visible_url(.url)
    )]
    Sitemap {
        /// What was given.
        url: String,
    },
    /// A delay that robots read as a shorter one.
    #[error("in delay: {seconds} seconds are more than a day")]
    Delay {
        /// What was given.
        seconds: u32,
    },
    /// Wishes that the file does not keep, each with the robot and the reason.
    #[error("{}", .0.join("\n"))]
    NotKept(Vec<String>),
}

/// What a contradiction is about.
fn about(robots: &[String]) -> String {
    if robots.is_empty() {
        return String::new();
    }
    let shown: Vec<_> = robots.iter().map(|name| visible(name.as_bytes())).collect();
    format!(" about {}", enumerated(&shown, MAX_NAMES))
}

// The message has the reason, so none of these is a source, which would be shown again.
impl From<RobotError> for WishError {
    fn from(error: RobotError) -> Self {
        Self::Robot(error)
    }
}

impl From<ProductTokenError> for WishError {
    fn from(error: ProductTokenError) -> Self {
        Self::Name(error)
    }
}
