//! Reads settings from a file, the environment and flags.

use super::settings::{Config, Setting, settings};
use super::value::SettingKind;
use abide::explain::visible_url;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The prefix of environment variables: `ABIDE_SERVE_MAX_BODY` is `max-body`.
const PREFIX: &str = "ABIDE_SERVE_";

/// Why settings cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the settings in {}: {error}; --config takes a TOML file", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The file is not TOML, or a setting is unknown or has a wrong type.
    #[error("in the settings {}: {message}", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        message: String,
    },
    /// An environment variable that is unknown or has a wrong value.
    #[error("in the environment variable {name}: {message}")]
    Environment {
        /// The variable.
        name: String,
        /// What is wrong.
        message: String,
    },
}

impl Config {
    /// Reads the file at `path`, in TOML.
    ///
    /// # Errors
    /// [`ConfigError`] if it cannot be read; the message has the line.
    pub fn from_file(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|error| ConfigError::File {
            path: path.to_owned(),
            error,
        })?;
        toml::from_str(&text).map_err(|error| {
            let (place, key) = place(&text, &error);
            let words = in_plain_words(error.message(), key);
            ConfigError::Toml {
                path: path.to_owned(),
                message: match key {
                    "" => format!("{place}: {words}"),
                    key => format!("{place}, {key}: {words}"),
                },
            }
        })
    }

    /// Reads the variables that begin with `ABIDE_SERVE_`.
    ///
    /// # Errors
    /// [`ConfigError`] for a variable that names no setting, or has a wrong value.
    pub fn from_environment(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, ConfigError> {
        let mut config = Self::default();
        for (name, value) in variables {
            let Some(name) = name.to_str() else { continue };
            let Some(rest) = name.strip_prefix(PREFIX) else {
                continue;
            };
            let wrong = |message: String| ConfigError::Environment {
                name: name.to_owned(),
                message,
            };
            let value = value
                .to_str()
                .ok_or_else(|| wrong("is not UTF-8".to_owned()))?;
            let key = rest.to_ascii_lowercase().replace('_', "-");
            let one = Self::from_pair(&key, value).map_err(wrong)?;
            config = one.or(config);
        }
        Ok(config)
    }

    /// One setting. A value that is no number and no truth value is text; a list has commas.
    ///
    /// # Errors
    /// What is wrong, without the value.
    pub fn from_pair(key: &str, value: &str) -> Result<Self, String> {
        let text = |value: &str| toml::Value::String(value.to_owned());
        let plain = |value: &str| {
            let plain = value.parse().map(toml::Value::Integer);
            let plain = plain.or_else(|_| value.parse().map(toml::Value::Boolean));
            plain.unwrap_or_else(|_| text(value))
        };
        let list = || value.split(',').map(str::trim);
        let candidates = [
            plain(value),
            text(value),
            toml::Value::Array(list().map(text).collect()),
            toml::Value::Array(list().map(plain).collect()),
        ];
        let mut error = String::new();
        for candidate in candidates {
            match Self::from_value(key, candidate) {
                Ok(config) => return Ok(config),
                Err(wrong) if error.is_empty() => error = wrong,
                Err(_) => {}
            }
        }
        Err(error)
    }

    /// The setting of a flag that was given with these values. Only a list takes several.
    ///
    /// # Errors
    /// Without the values, what is wrong.
    pub fn from_flag(name: &str, values: &[String]) -> Result<Self, String> {
        let is_list = |setting: &&Setting| setting.kind == SettingKind::List;
        if settings()
            .iter()
            .filter(is_list)
            .any(|list| list.name == name)
        {
            let texts = values.iter().cloned().map(toml::Value::String);
            return Self::from_value(name, toml::Value::Array(texts.collect()));
        }
        Self::from_pair(name, values.last().map_or("", String::as_str))
    }

    fn from_value(key: &str, value: toml::Value) -> Result<Self, String> {
        let table: toml::Table = [(key.to_owned(), value)].into_iter().collect();
        let config = table.try_into();
        config.map_err(|error: toml::de::Error| in_plain_words(error.message(), key))
    }

    /// The settings as a file that [`Config::from_file`] reads, without passwords.
    ///
    /// # Panics
    /// Only on a bug: settings always serialise.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut shown = self.clone();
        if let Some(cache) = &mut shown.cache {
            *cache = without_password(cache);
        }
        let mut text = String::new();
        let table = toml::to_string(&shown).expect("settings are a table");
        let _ = write!(text, "{table}");
        text
    }
}

/// The line and column of a mistake in TOML, and the key of that line. Nothing else of the line may
/// be shown: it can be a password, or a token that was pasted in place of its hash.
pub(crate) fn place<'t>(text: &'t str, error: &toml::de::Error) -> (String, &'t str) {
    let at = error.span().map_or(0, |span| span.start);
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..).unwrap_or_default();
    let key = line.split_once('=').map_or("", |(key, _)| key.trim());
    let number = before.matches('\n').count() + 1;
    let column = before.get(start..).unwrap_or_default().chars().count() + 1;
    let key = if is_setting(key) { key } else { "" };
    (format!("line {number}, column {column}"), key)
}

/// Whether a text looks like the name of a setting, and not like a secret.
fn is_setting(key: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || b"-_".contains(&byte) || byte == b'2';
    (1..=32).contains(&key.len()) && key.bytes().all(is_letter)
}

/// What is wrong in TOML, without the value that is there.
pub(crate) fn without_value(message: &str) -> String {
    let kinds = ["string", "integer", "floating point", "boolean"];
    for wrong in ["invalid type: ", "invalid value: "] {
        let Some((found, expected)) = message
            .strip_prefix(wrong)
            .and_then(|rest| rest.rsplit_once(", expected "))
        else {
            continue;
        };
        let kind = kinds.into_iter().find(|kind| found.starts_with(kind));
        let kind = kind.map_or("another type", |kind| match kind {
            "integer" => "an integer",
            "string" => "a string",
            "boolean" => "a truth value",
            _ => "a fraction",
        });
        return format!("expected {expected}, but found {kind}");
    }
    // `unknown variant `x`, expected `a` or `b``, and mistakes of syntax that quote what is there.
    match message.split_once(", expected ") {
        Some((found, expected)) if found.contains('`') => format!("expected {expected}"),
        None if message.contains('`') => "not as TOML is written".to_owned(),
        _ => message.to_owned(),
    }
}

/// What is wrong with the setting `key`, in the words of docs/serve.md instead of those of Rust.
fn in_plain_words(message: &str, key: &str) -> String {
    if let Some(rest) = message.strip_prefix("unknown field `") {
        let name = rest.split('`').next().unwrap_or_default();
        let shown = if is_setting(name) { name } else { "name" };
        return format!("unknown setting {shown}; {}", known_settings(name));
    }
    let message = without_value(message);
    let number = ["usize", "u64", "u32"]
        .into_iter()
        .find_map(|number| message.strip_prefix(&format!("expected {number}")));
    let Some(found) = number else {
        return message;
    };
    let setting = settings().iter().find(|setting| setting.name == key);
    let expected = setting.map_or("a whole number".to_owned(), Setting::expected_number);
    format!("expected {expected}{found}")
}

/// The setting that `name` may have meant, or how to see them all.
fn known_settings(name: &str) -> String {
    let known = settings().iter().map(|setting| &setting.name);
    let far = |known: &&String| strsim::damerau_levenshtein(known, name);
    match known.min_by_key(far) {
        Some(near) if far(&near) <= 3 && name.len() > 3 => format!("did you mean {near}?"),
        _ => "abide serve --print-config prints all settings".to_owned(),
    }
}

/// A URL without its password, wherever it is; anything else as it is.
fn without_password(place: &str) -> String {
    if !place.contains("://") {
        return place.to_owned();
    }
    let (place, query) = place.split_once('?').unwrap_or((place, ""));
    let hidden = if query.contains("pass") { "?***" } else { "" };
    let shown = match url::Url::parse(place) {
        Ok(mut url) if url.password().is_some() => url
            .set_password(Some("***"))
            .map_or_else(|()| visible_url(place), |()| url.into()),
        Ok(_) => place.to_owned(),
        Err(_) => visible_url(place),
    };
    let query = if hidden.is_empty() && !query.is_empty() {
        format!("?{query}")
    } else {
        hidden.to_owned()
    };
    format!("{shown}{query}")
}
