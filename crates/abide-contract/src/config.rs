//! The settings of a robots.txt as JSON. `schema/settings.json` describes them; the order of fields
//! is stable.

use abide_lint::config::{SettingSource, SettingValue, Settings};
use serde::Serialize;

/// Version of the format: the value of the `schema` member.
pub const SCHEMA: u32 = 1;

/// The settings for a file, with fields in the order of the schema.
#[derive(Debug, Serialize)]
pub struct SettingsJson<'a> {
    schema: u32,
    file: &'a str,
    config: Option<&'a str>,
    settings: Vec<EntryJson>,
}

#[derive(Debug, Serialize)]
struct EntryJson {
    key: String,
    value: SettingValueJson,
    origin: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum SettingValueJson {
    Text(String),
    Flag(bool),
    Unset(()),
}

impl<'a> SettingsJson<'a> {
    /// The settings for `file`, which come from the `abide.toml` at `config`.
    #[must_use]
    pub fn new(file: &'a str, config: Option<&'a str>, settings: &Settings) -> Self {
        let entries = settings.entries().into_iter().map(|entry| EntryJson {
            key: entry.key,
            value: match entry.value {
                SettingValue::Text(text) => SettingValueJson::Text(text),
                SettingValue::Flag(flag) => SettingValueJson::Flag(flag),
                _ => SettingValueJson::Unset(()),
            },
            origin: match entry.source {
                SettingSource::Line(_) => "file",
                SettingSource::Flag(_) => "flag",
                _ => "default",
            },
            line: match entry.source {
                SettingSource::Line(line) => Some(line),
                _ => None,
            },
        });
        Self {
            schema: SCHEMA,
            file,
            config,
            settings: entries.collect(),
        }
    }
}
