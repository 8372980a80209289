//! Settings as they are given: each may be missing.

use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The prefix of environment variables: `ABIDE_SERVE_MAX_BODY` is `max-body`.
const PREFIX: &str = "ABIDE_SERVE_";

/// What one source says: a file, the environment or flags. [`Config::or`] joins sources,
/// [`Config::checked`] checks the result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
// Exhaustive: faces build it from their flags.
pub struct Config {
    /// Address and port to listen at [default: 127.0.0.1:8080]
    pub listen: Option<String>,
    /// `User-Agent` to send to sites, with a product token [default: that of abide]
    pub user_agent: Option<String>,
    /// Fetches nothing: a site that the cache does not hold is unknown.
    pub offline: Option<bool>,
    /// Also fetches from addresses that are not public.
    pub allow_private: Option<bool>,
    /// Accepts requests without tokens from other machines, although the service fetches.
    pub allow_anonymous: Option<bool>,
    /// Folder, or Valkey or Redis server, that keeps robots.txt files [default: memory only]
    pub cache: Option<String>,
    /// Files with secrets that sign records on the server, each with its ID in front: `1:FILE`.
    pub cache_key: Option<Vec<String>>,
    /// MiB of memory for robots.txt files, rules, clients, bodies and answers [default: 256]
    pub memory: Option<u64>,
    /// TOML file with the hashes of accepted tokens [default: no token is needed]
    pub tokens: Option<PathBuf>,
    /// Folder with the robots.txt files of the sites behind a proxy that asks /authz [default: off]
    pub authz: Option<PathBuf>,
    /// Lets everything through, and says what would have been refused.
    pub authz_report_only: Option<bool>,
    /// Whether robots pass (open) or not (closed) if there is no robots.txt for a site, not even
    /// default.txt, that can be read [default: open]
    pub authz_fail: Option<OnFailure>,
    /// Refuses requests without `User-Agent`.
    pub authz_require_user_agent: Option<bool>,
    /// Requests and lines of batches per second of one token; 0 for any number [default: 0]
    pub rate: Option<u32>,
    /// Requests of one token that may come at once after a pause [default: rate]
    pub burst: Option<u32>,
    /// Requests of one token that are answered at the same time [default: 256]
    pub concurrency: Option<u32>,
    /// Bytes of a request's head [default: 16384]
    pub max_head: Option<usize>,
    /// Bytes of a body, except that of a batch [default: 4194304]
    pub max_body: Option<usize>,
    /// Bytes of a line of a batch [default: 4194304]
    pub max_line: Option<usize>,
    /// Lines of a batch [default: 1000000]
    pub max_lines: Option<u64>,
    /// Open connections [default: 16384]
    pub max_connections: Option<usize>,
    /// Requests in progress [default: 1024]
    pub max_requests: Option<usize>,
    /// Seconds until the head of a request is there, and that a connection may be idle [default:
    /// 30]
    pub head_timeout: Option<u64>,
    /// Seconds until the next piece of a body is there or an answer is taken [default: 10]
    pub body_timeout: Option<u64>,
    /// Seconds until a request is answered [default: 60]
    pub request_timeout: Option<u64>,
    /// Seconds until a batch is answered [default: 3600]
    pub batch_timeout: Option<u64>,
    /// Seconds that requests in progress may take after SIGTERM [default: 30]
    pub grace: Option<u64>,
    /// Seconds that connections are accepted after SIGTERM, while /readyz fails [default: 0]
    pub drain_delay: Option<u64>,
    /// What is logged: error, warn, info or debug [default: info]
    pub log: Option<String>,
    /// The form of logs: text or json [default: json]
    pub log_format: Option<LogFormat>,
    /// Which requests are logged: none, errors or all [default: errors]
    pub log_requests: Option<LogRequests>,
}

/// What happens to robots if a site has no robots.txt that can be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
// Exhaustive: faces name them.
pub enum OnFailure {
    /// They pass: without a robots.txt everything is allowed (RFC 9309).
    #[default]
    Open,
    /// They are refused.
    Closed,
}

/// The form of logs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
// Exhaustive: faces name the forms.
pub enum LogFormat {
    /// One line of text per event.
    Text,
    /// One JSON object per event.
    #[default]
    Json,
}

/// Which requests are logged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
// Exhaustive: faces name them.
pub enum LogRequests {
    /// None.
    None,
    /// Those that got a status from 400.
    #[default]
    Errors,
    /// All.
    All,
}

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

/// Joins settings, and lists their names as they are in Rust.
macro_rules! settings {
    ($($field:ident),+ $(,)?) => {
        const NAMES: &[&str] = &[$(stringify!($field)),+];

        impl Config {
            /// These settings; those that are missing come from `other`.
            #[must_use]
            pub fn or(self, other: Self) -> Self {
                Self { $($field: self.$field.or(other.$field)),+ }
            }
        }
    };
}

settings! {
    listen,
    user_agent,
    offline,
    allow_private,
    allow_anonymous,
    cache,
    cache_key,
    memory,
    tokens,
    authz,
    authz_report_only,
    authz_fail,
    authz_require_user_agent,
    rate,
    burst,
    concurrency,
    max_head,
    max_body,
    max_line,
    max_lines,
    max_connections,
    max_requests,
    head_timeout,
    body_timeout,
    request_timeout,
    batch_timeout,
    grace,
    drain_delay,
    log,
    log_format,
    log_requests,
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
            let at = error.span().map_or(0, |span| span.start);
            let before = text.get(..at).unwrap_or_default();
            let line = before.rfind('\n').map_or(0, |end| end + 1);
            let line = text.get(line..).unwrap_or_default();
            let key = line.split('=').next().unwrap_or_default().trim();
            let shown = error.to_string();
            let said = error.message();
            ConfigError::Toml {
                path: path.to_owned(),
                message: shown.trim_end().replace(said, &in_plain_words(said, key)),
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
    fn from_pair(key: &str, value: &str) -> Result<Self, String> {
        let text = |value: &str| toml::Value::String(value.to_owned());
        let as_list = || toml::Value::Array(value.split(',').map(text).collect());
        let plain = value.parse().map(toml::Value::Integer);
        let plain = plain.or_else(|_| value.parse().map(toml::Value::Boolean));
        let candidates = [
            plain.unwrap_or_else(|_| text(value)),
            text(value),
            as_list(),
        ];
        let mut error = String::new();
        for candidate in candidates {
            let table: toml::Table = [(key.to_owned(), candidate)].into_iter().collect();
            match table.try_into::<Self>() {
                Ok(config) => return Ok(config),
                Err(wrong) if error.is_empty() => error = in_plain_words(wrong.message(), key),
                Err(_) => {}
            }
        }
        Err(error)
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

/// What is wrong with the setting `key`, in the words of docs/serve.md instead of those of Rust.
fn in_plain_words(message: &str, key: &str) -> String {
    if let Some(rest) = message.strip_prefix("unknown field `") {
        let name = rest.split('`').next().unwrap_or_default();
        return format!("unknown setting {name}; {}", known_settings(name));
    }
    let Some((found, "usize" | "u64" | "u32")) = message.rsplit_once(", expected ") else {
        return message.to_owned();
    };
    let unit = match key {
        "max-head" | "max-body" | "max-line" => " of bytes",
        "grace" | "drain-delay" => " of seconds",
        "memory" => " of MiB",
        other if other.ends_with("-timeout") => " of seconds",
        _ => "",
    };
    format!("{found}, expected a whole number{unit}")
}

/// The setting that `name` may have meant, or how to see them all.
fn known_settings(name: &str) -> String {
    let known = NAMES.iter().map(|known| known.replace('_', "-"));
    let far = |known: &String| strsim::damerau_levenshtein(known, name);
    match known.min_by_key(far) {
        Some(near) if far(&near) <= 3 && name.len() > 3 => format!("did you mean {near}?"),
        _ => "abide serve --print-config prints all settings".to_owned(),
    }
}

/// A URL without its password; anything else as it is.
fn without_password(place: &str) -> String {
    match url::Url::parse(place) {
        Ok(mut url) if url.password().is_some() => match url.set_password(Some("***")) {
            Ok(()) => url.into(),
            Err(()) => place.to_owned(),
        },
        _ => place.to_owned(),
    }
}
