//! What is wrong with an `abide.toml`.

use crate::rules::UnknownCodeError;
use abide_analysis::mistakes::{self, instead, quoted};
use std::fmt;
use thiserror::Error;

/// An unusable `abide.toml`, with all its mistakes in order.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub struct ConfigError {
    /// At least one.
    pub mistakes: Vec<ConfigMistake>,
}

/// A mistake in an `abide.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfigMistake {
    /// Its line, starting from 1.
    pub line: u32,
    /// Where it begins on the line, in characters, starting from 1.
    pub column: u32,
    /// What is wrong, and what to write instead.
    pub problem: ConfigProblem,
}

/// The kinds of mistakes. `Display` makes foreign text safe to show.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ConfigProblem {
    /// Not valid TOML.
    #[error("not valid TOML: {0}")]
    Toml(String),
    /// An unknown key.
    #[error("unknown key {}{}", quoted(key), instead(*nearest, known))]
    UnknownKey {
        /// The key.
        key: String,
        /// The most similar key, if one is similar.
        nearest: Option<&'static str>,
        /// The valid keys.
        known: String,
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
    /// An empty list.
    #[error("{key} is empty; name at least one, or remove the line")]
    Empty {
        /// The key.
        key: String,
    },
    /// A code that no rule has.
    #[error("{0}")]
    UnknownRule(UnknownCodeError),
    /// A name that no known robot has.
    #[error(
        "unknown robot {}; {}",
        quoted(name),
        nearest.map_or_else(
            || "`abide robots` lists the known ones".to_owned(),
            |nearest| format!("did you mean {nearest}?")
        )
    )]
    UnknownRobot {
        /// The name.
        name: String,
        /// The most similar name, if one is similar.
        nearest: Option<&'static str>,
    },
    /// An unknown word.
    #[error("expected {expected} for {key}, but found {}{}", quoted(found), hint(*nearest))]
    Word {
        /// The key.
        key: String,
        /// What the key accepts.
        expected: &'static str,
        /// What the file has.
        found: String,
        /// The most similar word, if one is similar.
        nearest: Option<&'static str>,
    },
    /// An invalid value.
    #[error("{key}: {why}")]
    Value {
        /// The key.
        key: String,
        /// Why it is invalid, and what to write instead.
        why: String,
    },
    /// A `[[file]]` section without a path.
    #[error("this [[file]] has no path; write path = \"staging/*.txt\"")]
    NoPath,
    /// A `[[file]]` section that changes nothing.
    #[error("this [[file]] changes no setting; add one, such as allow-closed = true")]
    NoSetting,
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("; did you mean {nearest}?"))
}

impl fmt::Display for ConfigMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = (self.line, self.column);
        write!(f, "line {line}, column {column}: {}", self.problem)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        mistakes::lines(&self.mistakes, f)
    }
}
