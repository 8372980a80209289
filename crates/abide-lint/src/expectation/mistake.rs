//! What is wrong with a file of cases.

use abide::Usage;
use abide::explain::visible;
use std::fmt;
use thiserror::Error;

/// A file of cases that cannot be used, with everything that is wrong with it, in the order of
/// lines.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct CasesError {
    /// At least one.
    pub mistakes: Vec<Mistake>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line it is on, from 1.
    pub line: u32,
    /// What is wrong, and what to write instead.
    pub problem: Problem,
}

/// What may be wrong. Foreign text is made visible in what is said.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// No TOML.
    #[error("not valid TOML: {0}")]
    Toml(String),
    /// No case at all: nothing would be tested.
    #[error("expected at least one [[case]], but found none")]
    NoCases,
    /// A key that nobody knows.
    #[error("unknown key {}{}", quoted(key), instead(near.as_deref(), known))]
    UnknownKey {
        /// The key.
        key: String,
        /// What was probably meant.
        near: Option<String>,
        /// What may stand there.
        known: &'static str,
    },
    /// A value of another type.
    #[error("expected {expected} for {key}, but found {found}")]
    Type {
        /// The key.
        key: String,
        /// What it takes.
        expected: &'static str,
        /// What stands there.
        found: &'static str,
    },
    /// Two keys of which only one may be there.
    #[error("{one} and {other} say the same; remove one of them")]
    Both {
        /// The one.
        one: &'static str,
        /// The other.
        other: &'static str,
    },
    /// A case without an agent.
    #[error(
        "the case has no agent; write agent = \"ExampleBot\", or agent = \"*\" for any other robot"
    )]
    NoAgent,
    /// A case without a URL.
    #[error("the case has no url; write url = \"/page\"")]
    NoUrl,
    /// A case that would always pass.
    #[error("the case expects nothing; write, for example, crawl = \"permitted\"")]
    NoExpectation,
    /// A list without entries.
    #[error("{key} is empty; name at least one")]
    EmptyList {
        /// The key.
        key: String,
    },
    /// An outcome that is none.
    #[error(
        "expected permitted, prohibited, conditional, unspecified or unknown for {key}, but found {}{}",
        quoted(found),
        hint(near.as_deref())
    )]
    Outcome {
        /// The usage.
        key: String,
        /// What stands there.
        found: String,
        /// What was probably meant.
        near: Option<String>,
    },
    /// A value that is none of a few words.
    #[error("expected {expected} for {key}, but found {}", quoted(found))]
    Word {
        /// The key.
        key: String,
        /// What it takes.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// Text that does not mean what it should.
    #[error("{key}: {why}")]
    Value {
        /// The key.
        key: String,
        /// Why not, and what to write instead.
        why: String,
    },
    /// A usage that is expected twice.
    #[error("{usage} is expected twice in this case")]
    Twice {
        /// The usage.
        usage: Usage,
    },
    /// More than is tested in one run.
    #[error(
        "the cases come to more than {most} checks, agent by agent and URL by URL; split the file"
    )]
    TooMany {
        /// How many there may be.
        most: usize,
    },
}

fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    let shown: String = visible(text.as_bytes()).chars().take(SHOWN).collect();
    format!("\"{shown}\"")
}

fn instead(near: Option<&str>, known: &str) -> String {
    match near {
        Some(near) => format!("; did you mean {near}?"),
        None => format!("; expected one of {known}"),
    }
}

fn hint(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; write \"{near}\""))
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

/// One line for each mistake; of very many only the first.
impl fmt::Display for CasesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const TOLD: usize = 20;
        for (at, mistake) in self.mistakes.iter().take(TOLD).enumerate() {
            let end = if at == 0 { "" } else { "\n" };
            write!(f, "{end}{mistake}")?;
        }
        match self.mistakes.len().checked_sub(TOLD) {
            Some(more @ 1..) => write!(f, "\nand {more} more mistakes"),
            _ => Ok(()),
        }
    }
}
