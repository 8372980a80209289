//! The list of known robots.

use crate::{SCHEMA, Versioned};
use abide_known_robots::KnownRobot;
use serde::Serialize;

/// Known robots.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnownRobots {
    /// Version of this form.
    schema: u32,
    /// Those that were found.
    robots: Vec<Versioned<&'static KnownRobot>>,
}

impl KnownRobots {
    /// What is known of these robots.
    pub fn of(robots: impl IntoIterator<Item = &'static KnownRobot>) -> Self {
        Self {
            schema: SCHEMA,
            robots: robots.into_iter().map(Versioned::new).collect(),
        }
    }

    /// The robots, each with its version: what is written where a list is asked for.
    #[must_use]
    pub fn robots(&self) -> &[Versioned<&'static KnownRobot>] {
        &self.robots
    }
}
