//! Settings of a repository: what `abide.toml` says.
//!
//! ```
//! use abide_lint::config::Config;
//! let config = Config::read(
//!     r#"
//!     ignore = ["discloses-path"]
//!     fail-on = "error"
//!
//!     [[file]]
//!     path = "staging/*.txt"
//!     allow-closed = true
//!     "#,
//! )?;
//! assert!(config.settings("staging/robots.txt").allow_closed.value);
//! assert!(!config.settings("public/robots.txt").allow_closed.value);
//! # Ok::<(), abide_lint::config::ConfigError>(())
//! ```
//!
//! - [`Config`]: the whole file, read strictly. [`ConfigMistake`]: a mistake in it, with its place.
//! - [`Settings`]: what applies to one file, and where each setting comes from.

mod mistake;
mod read;
mod settings;

pub use mistake::{ConfigError, ConfigMistake, ConfigProblem};
pub use settings::{Setting, SettingEntry, SettingOrigin, SettingSource, SettingValue, Settings};

use settings::SettingChanges;

/// The JSON Schema of `abide.toml`, as `schema/config.json` has it.
#[must_use]
pub const fn schema() -> &'static str {
    include_str!("schema.json")
}

/// The settings of a repository, read from its `abide.toml`.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// What holds for every file.
    every: SettingChanges,
    /// What holds for files with a matching path; later sections win.
    some: Vec<FileSection>,
}

/// A `[[file]]` section.
#[derive(Clone, Debug)]
struct FileSection {
    /// At least one.
    paths: Vec<glob::Pattern>,
    changes: SettingChanges,
}

impl Config {
    /// The settings for the file at `path`, relative to the folder of the `abide.toml`, with `/`
    /// between names.
    #[must_use]
    pub fn settings(&self, path: &str) -> Settings {
        let mut settings = Settings::default();
        self.every.apply_to(&mut settings);
        for section in &self.some {
            if section.matches(path) {
                section.changes.apply_to(&mut settings);
            }
        }
        settings
    }
}

impl FileSection {
    fn matches(&self, path: &str) -> bool {
        const HOW: glob::MatchOptions = glob::MatchOptions {
            case_sensitive: true,
            require_literal_separator: true,
            require_literal_leading_dot: false,
        };
        let mut paths = self.paths.iter();
        paths.any(|pattern| pattern.matches_with(path, HOW))
    }
}
