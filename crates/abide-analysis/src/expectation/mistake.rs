//! What is wrong with a file of cases.

use crate::mistakes::{self, instead, quoted};
use abide::Usage;
use abide_known_robots::RobotError;
use std::fmt;
use thiserror::Error;

/// An unusable file of cases, or one that names robots that nobody knows, with all its mistakes in
/// the order of lines.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub struct CasesError {
    /// At least one.
    pub mistakes: Vec<CaseMistake>,
}

/// A mistake in a file of cases.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CaseMistake {
    /// The line it is on, starting from 1.
    pub line: u32,
    /// What is wrong, and what to write instead.
    pub problem: CaseProblem,
}

/// The kinds of mistakes. `Display` makes foreign text safe to show.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CaseProblem {
    /// Not valid TOML.
    #[error("not valid TOML: {0}")]
    Toml(String),
    /// No case, so nothing would be tested.
    #[error("expected at least one [[case]], but found none")]
    NoCases,
    /// An unknown key.
    #[error("unknown key {}{}", quoted(key), instead(near.as_deref(), known))]
    UnknownKey {
        /// The key.
        key: String,
        /// What was probably meant.
        near: Option<String>,
        /// The valid keys.
        known: &'static str,
    },
    /// A value of the wrong type.
    #[error("expected {expected} for {key}, but found {found}")]
    Type {
        /// The key.
        key: String,
        /// What the key accepts.
        expected: &'static str,
        /// What the file has.
        found: &'static str,
    },
    /// Two keys that exclude each other.
    #[error("{one} and {other} say the same; remove one of them")]
    Both {
        /// The first key.
        one: &'static str,
        /// The second key.
        other: &'static str,
    },
    /// A case without an agent.
    #[error(
        "the case has no agent; write agent = \"ExampleBot\", or agent = \"*\" for any other robot"
    )]
    NoAgent,
    /// A robot that cannot be read from the name.
    #[error("agent: {0}")]
    Robot(RobotError),
    /// A name that the robots.txt does not have, and that is almost the name of a known robot.
    #[error(
        "agent: no known robot is called {}, and no group of the robots.txt names it; did you mean {near}? If the name is right, write literal = true",
        quoted(name)
    )]
    UnknownRobot {
        /// The name.
        name: String,
        /// The known robot that was probably meant.
        near: &'static str,
    },
    /// A case without a URL.
    #[error("the case has no url; write url = \"/page\", or sitemap = \"sitemap.xml\"")]
    NoUrl,
    /// A case whose sitemap was not read: it would pass whatever the file says.
    #[error("the sitemap {} was not read here; abide test reads it", quoted(name))]
    SitemapNotRead {
        /// The sitemap, as the case names it.
        name: String,
    },
    /// A case without an expectation, which would always pass.
    #[error("the case expects nothing; write, for example, crawl = \"allowed\"")]
    NoExpectation,
    /// An empty list.
    #[error("{key} is empty; name at least one")]
    EmptyList {
        /// The key.
        key: String,
    },
    /// An unknown outcome.
    #[error(
        "expected allowed, disallowed, conditional, unspecified or unknown for {key}, but found {}{}",
        quoted(found),
        hint(near.as_deref())
    )]
    Outcome {
        /// The usage.
        key: String,
        /// What the file has.
        found: String,
        /// What was probably meant.
        near: Option<String>,
    },
    /// An unknown word.
    #[error("expected {expected} for {key}, but found {}", quoted(found))]
    Word {
        /// The key.
        key: String,
        /// What the key accepts.
        expected: &'static str,
        /// What the file has.
        found: String,
    },
    /// An invalid value.
    #[error("{key}: {why}")]
    Value {
        /// The key.
        key: String,
        /// Why it is invalid, and what to write instead.
        why: String,
    },
    /// A usage with two expectations.
    #[error("{usage} is expected twice in this case")]
    Twice {
        /// The usage.
        usage: Usage,
    },
    /// More checks than one run makes.
    #[error(
        "the cases come to more than {most} checks, agent by agent and URL by URL; split the file"
    )]
    TooMany {
        /// The largest number of checks.
        most: usize,
    },
}

fn hint(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; write \"{near}\""))
}

impl fmt::Display for CaseMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl fmt::Display for CasesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        mistakes::lines(&self.mistakes, f)
    }
}
