//! The settings of `abide config`.

use crate::Versioned;
use abide_lint::config::{SettingEntry, Settings};
use serde::Serialize;

/// The settings for a robots.txt, and where each comes from.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileSettings<'a> {
    /// The robots.txt, as it was named.
    file: &'a str,
    /// The `abide.toml` that applies; null if none does.
    config: Option<&'a str>,
    /// Every setting.
    settings: Vec<SettingEntry>,
}

impl<'a> FileSettings<'a> {
    /// The settings for `file`, which come from the `abide.toml` at `config`.
    #[must_use]
    pub fn new(file: &'a str, config: Option<&'a str>, settings: &Settings) -> Versioned<Self> {
        let settings = settings.entries();
        Versioned::new(Self {
            file,
            config,
            settings,
        })
    }
}
