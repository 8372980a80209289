//! What a survey asks.

use crate::schema::Table;
use abide::Profile;
use abide_known_robots::Robot;
use std::collections::BTreeSet;

/// What a survey asks about each file.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Options {
    /// The robots of table `robots`.
    pub robots: Vec<Robot>,
    /// The paths of table `robots`, such as `/`.
    pub paths: Vec<String>,
    /// The tables to write.
    pub tables: BTreeSet<Table>,
    /// Whether the linter runs, which takes longer than everything else together. Without it the
    /// columns `errors`, `warnings` and `infos` of `files` are empty, and the table `findings` is.
    pub lints: bool,
    /// Which interpretation to use where the specifications are ambiguous.
    pub profile: Profile,
    /// Whether to leave out what operators document about their robots.
    pub literal: bool,
}

impl Default for Options {
    /// All tables, for every robot that a file does not name, and `/`.
    fn default() -> Self {
        Self {
            robots: vec![Robot::unnamed()],
            paths: vec!["/".to_owned()],
            tables: Table::ALL.iter().copied().collect(),
            lints: true,
            profile: Profile::default(),
            literal: false,
        }
    }
}
