//! Settings as they are given: each may be missing.

use abide::explain::visible_url;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The prefix of environment variables: `ABIDE_SERVE_MAX_BODY` is `max-body`.
const PREFIX: &str = "ABIDE_SERVE_";

/// What one source says: a file, the environment or flags. [`Config::or`] joins sources,
/// [`Config::checked`] checks the result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[expect(clippy::exhaustive_structs, reason = "faces build it from their flags")]
pub struct Config {
    /// Address and port to listen at [default: 127.0.0.1:8080]
    pub listen: Option<String>,
    /// `User-Agent` to send to sites, with a product token [default: that of abide]
    pub user_agent: Option<String>,
    /// Fetches nothing: a site that the cache does not hold is unknown.
    pub offline: Option<bool>,
    /// Also fetches from addresses that are not public.
    pub allow_private: Option<bool>,
    /// Ports of sites to connect to: a list, or any [default: 80 and 443; with
    /// `allow_private`, any]
    pub ports: Option<Ports>,
    /// Fetches from the public addresses of a name that also has others.
    pub allow_mixed_names: Option<bool>,
    /// Accepts requests without tokens from other machines, although the service fetches.
    pub allow_anonymous: Option<bool>,
    /// Folder, or Valkey or Redis server, that keeps robots.txt files [default: memory only]
    pub cache: Option<String>,
    /// Files with secrets that sign records on the server, each with its ID in front: `1:FILE`.
    pub cache_key: Option<Vec<String>>,
    /// MiB of a cache in a folder; what was not needed for the longest time goes first [default:
    /// 1024]
    pub cache_size: Option<u64>,
    /// Days that a cache in a folder keeps what is not needed any more; 0 as long as there is room
    /// [default: 0]
    pub cache_age: Option<u64>,
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
    /// Fetches from sites per second for one token; 0 for any number [default: 0]
    pub fetch_rate: Option<u32>,
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

/// The ports of sites that the service connects to.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(from = "GivenPorts", into = "GivenPorts")]
#[expect(clippy::exhaustive_enums, reason = "faces build it")]
pub enum Ports {
    /// All but those of other services.
    Any,
    /// These.
    Only(Vec<u16>),
}

/// Ports as a file has them: `[80, 443]` or `"any"`.
#[derive(Deserialize, Serialize)]
#[serde(
    untagged,
    expecting = "expected ports from 1 to 65535 such as [80, 443], or any"
)]
enum GivenPorts {
    Only(Vec<NonZeroU16>),
    Any(AnyPort),
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum AnyPort {
    Any,
}

impl From<GivenPorts> for Ports {
    fn from(given: GivenPorts) -> Self {
        match given {
            GivenPorts::Any(AnyPort::Any) => Self::Any,
            GivenPorts::Only(ports) => Self::Only(ports.into_iter().map(NonZeroU16::get).collect()),
        }
    }
}

impl From<Ports> for GivenPorts {
    fn from(ports: Ports) -> Self {
        match ports {
            Ports::Any => Self::Any(AnyPort::Any),
            Ports::Only(ports) => {
                Self::Only(ports.into_iter().filter_map(NonZeroU16::new).collect())
            }
        }
    }
}

/// What happens to robots if a site has no robots.txt that can be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "faces name them")]
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
#[expect(clippy::exhaustive_enums, reason = "faces name the forms")]
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
#[expect(clippy::exhaustive_enums, reason = "faces name them")]
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
    ports,
    allow_mixed_names,
    allow_anonymous,
    cache,
    cache_key,
    cache_size,
    cache_age,
    memory,
    tokens,
    authz,
    authz_report_only,
    authz_fail,
    authz_require_user_agent,
    rate,
    burst,
    fetch_rate,
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
            let (place, key) = place(&text, &error);
            let said = in_plain_words(error.message(), key);
            ConfigError::Toml {
                path: path.to_owned(),
                message: match key {
                    "" => format!("{place}: {said}"),
                    key => format!("{place}, {key}: {said}"),
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
    let unit = match key {
        "max-head" | "max-body" | "max-line" => " of bytes",
        "grace" | "drain-delay" => " of seconds",
        "memory" | "cache-size" => " of MiB",
        "cache-age" => " of days",
        other if other.ends_with("-timeout") => " of seconds",
        _ => "",
    };
    format!("expected a whole number{unit}{found}")
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
