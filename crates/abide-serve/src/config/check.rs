//! Checks settings before anything listens.

use super::{Authz, Config, Limits, Ports, Quota, Settings};
use abide::explain::visible_url;
use abide_fetch::guard::{AddressError, Guard};
use abide_fetch::store::{FileBounds, Place, PlaceError, SealKeyError};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// A setting that cannot be used. The message has the whole reason: there is no source that would
/// repeat it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The address cannot be read.
    #[error(
        "in listen: expected an address and a port such as 127.0.0.1:8080, but found {}",
        visible_url(found)
    )]
    Listen {
        /// What was given.
        found: String,
    },
    /// Everybody could let this machine fetch.
    #[error(
        "listen = \"{listen}\" accepts other machines, which could then fetch through this one; set \
         tokens or offline, or allow-anonymous if a proxy checks the callers"
    )]
    Open {
        /// The address.
        listen: SocketAddr,
    },
    /// A port that belongs to another service.
    #[error("in ports: {error}")]
    Port {
        /// Why it is refused.
        error: AddressError,
    },
    /// No port.
    #[error("in ports: expected at least one port, but found none; write offline to fetch nothing")]
    NoPort,
    /// A setting of a cache in a folder, without one.
    #[error("{setting} has no effect without a cache in a folder; set cache to a folder")]
    WithoutFolder {
        /// The setting.
        setting: &'static str,
    },
    /// A number outside its range.
    #[error("in {setting}: expected {expected}, but found {found}")]
    Number {
        /// The setting.
        setting: &'static str,
        /// What may be given.
        expected: &'static str,
        /// What was given.
        found: u64,
    },
    /// The cache cannot be used.
    #[error("in cache: {0}")]
    Cache(PlaceError),
    /// A key that cannot be read.
    #[error("in cache-key: {0}")]
    CacheKey(SealKeyError),
    /// The folder for forward auth is none.
    #[error("in authz: expected a folder with robots.txt files, but {} is not a folder", visible_url(&folder.to_string_lossy()))]
    NoFolder {
        /// What was given.
        folder: PathBuf,
    },
    /// A setting of forward auth, which is off.
    #[error("{setting} has no effect without authz; name a folder with robots.txt files")]
    WithoutAuthz {
        /// The setting.
        setting: &'static str,
    },
    /// Keys without a server.
    #[error(
        "cache-key has no effect: only a cache on a server is signed; set cache to a server, such as \
         redis://host"
    )]
    KeyWithoutServer,
    /// What is logged cannot be read.
    #[error(
        "in log: expected error, warn, info, debug, trace or off, but found {}",
        visible_url(found)
    )]
    Log {
        /// What was given.
        found: String,
    },
}

/// A number from `least` to `most`, `default` if none was given.
fn number(
    setting: &'static str,
    given: Option<u64>,
    default: u64,
    (least, most): (u64, u64),
    expected: &'static str,
) -> Result<u64, SettingsError> {
    let found = given.unwrap_or(default);
    if (least..=most).contains(&found) {
        Ok(found)
    } else {
        Err(SettingsError::Number {
            setting,
            expected,
            found,
        })
    }
}

fn bytes(
    setting: &'static str,
    given: Option<usize>,
    default: usize,
    least: usize,
) -> Result<usize, SettingsError> {
    let expected = if least > 1024 {
        "bytes from 8192 to 1073741824"
    } else {
        "bytes from 1024 to 1073741824"
    };
    let found = number(
        setting,
        given.map(|given| given as u64),
        default as u64,
        (least as u64, 1 << 30),
        expected,
    )?;
    Ok(usize::try_from(found).unwrap_or(usize::MAX))
}

fn seconds(
    setting: &'static str,
    given: Option<u64>,
    default: u64,
    least: u64,
) -> Result<Duration, SettingsError> {
    let expected = if least == 0 {
        "seconds from 0 to 86400"
    } else {
        "seconds from 1 to 86400"
    };
    number(setting, given, default, (least, 86_400), expected).map(Duration::from_secs)
}

fn count(setting: &'static str, given: Option<u64>, default: u64) -> Result<u64, SettingsError> {
    number(
        setting,
        given,
        default,
        (1, u64::from(u32::MAX)),
        "a number from 1",
    )
}

impl Config {
    /// Checks the settings, and fills in what is missing.
    ///
    /// # Errors
    /// [`SettingsError`] for the first setting that cannot be used.
    pub fn checked(&self) -> Result<Settings, SettingsError> {
        let listen = self.listen.as_deref().unwrap_or("127.0.0.1:8080");
        let listen: SocketAddr = listen.parse().map_err(|_| SettingsError::Listen {
            found: listen.to_owned(),
        })?;
        let offline = self.offline.unwrap_or_default();
        let is_open = !listen.ip().is_loopback()
            && !offline
            && self.tokens.is_none()
            && !self.allow_anonymous.unwrap_or_default();
        if is_open {
            return Err(SettingsError::Open { listen });
        }
        let cache = self.cache.as_deref().map(Place::named).transpose();
        let cache = cache.map_err(SettingsError::Cache)?;
        let keys = self.cache_key.iter().flatten();
        let cache_keys: Result<Vec<_>, _> = keys.map(|key| key.parse()).collect();
        let cache_keys = cache_keys.map_err(SettingsError::CacheKey)?;
        if !cache_keys.is_empty() && !matches!(cache, Some(Place::Server(_))) {
            return Err(SettingsError::KeyWithoutServer);
        }
        let cache_bounds = self.cache_bounds(cache.as_ref())?;
        let memory = number(
            "memory",
            self.memory,
            256,
            (1, 1 << 20),
            "MiB from 1 to 1048576",
        )?;
        let log = self.log.clone().unwrap_or_else(|| "info".to_owned());
        if !["error", "warn", "info", "debug", "trace", "off"].contains(&log.as_str()) {
            return Err(SettingsError::Log { found: log });
        }
        let own_agent = concat!("abide/", env!("CARGO_PKG_VERSION"), " (serves decisions)");
        Ok(Settings {
            listen,
            user_agent: self
                .user_agent
                .clone()
                .unwrap_or_else(|| own_agent.to_owned()),
            offline,
            allow_private: self.allow_private.unwrap_or_default(),
            ports: self.ports()?,
            allow_mixed_names: self.allow_mixed_names.unwrap_or_default(),
            cache,
            cache_keys,
            cache_bounds,
            memory: memory << 20,
            tokens: self.tokens.clone(),
            authz: self.authz()?,
            quota: self.quota()?,
            limits: self.limits()?,
            grace: seconds("grace", self.grace, 30, 0)?,
            drain_delay: seconds("drain-delay", self.drain_delay, 0, 0)?,
            log,
            log_format: self.log_format.unwrap_or_default(),
            log_requests: self.log_requests.unwrap_or_default(),
        })
    }

    /// These settings, with the default of each that is missing. What is off by default, such as
    /// `cache`, stays missing.
    ///
    /// # Errors
    /// Those of [`Config::checked`].
    pub fn with_defaults(&self) -> Result<Self, SettingsError> {
        let settings = self.checked()?;
        let (limits, quota) = (&settings.limits, settings.quota);
        Ok(Self {
            listen: Some(settings.listen.to_string()),
            user_agent: Some(settings.user_agent),
            offline: Some(settings.offline),
            allow_private: Some(settings.allow_private),
            ports: Some(settings.ports),
            allow_mixed_names: Some(settings.allow_mixed_names),
            allow_anonymous: Some(self.allow_anonymous.unwrap_or_default()),
            cache: self.cache.clone(),
            cache_key: self.cache_key.clone(),
            cache_size: settings.cache_bounds.bytes.map(|bytes| bytes >> 20),
            cache_age: settings
                .cache_bounds
                .bytes
                .and(Some(settings.cache_bounds.days.unwrap_or(0))),
            memory: Some(settings.memory >> 20),
            tokens: settings.tokens,
            authz_report_only: settings.authz.as_ref().map(|authz| authz.report_only),
            authz_fail: settings.authz.as_ref().map(|authz| authz.on_failure),
            authz_require_user_agent: settings
                .authz
                .as_ref()
                .map(|authz| authz.require_user_agent),
            authz: settings.authz.map(|authz| authz.folder),
            rate: Some(quota.rate),
            burst: Some(quota.burst),
            fetch_rate: Some(quota.fetch_rate),
            concurrency: Some(quota.concurrency),
            max_head: Some(limits.head),
            max_body: Some(limits.body),
            max_line: Some(limits.line),
            max_lines: Some(limits.lines),
            max_connections: Some(limits.connections),
            max_requests: Some(limits.requests),
            head_timeout: Some(limits.head_timeout.as_secs()),
            body_timeout: Some(limits.body_timeout.as_secs()),
            request_timeout: Some(limits.request_timeout.as_secs()),
            batch_timeout: Some(limits.batch_timeout.as_secs()),
            grace: Some(settings.grace.as_secs()),
            drain_delay: Some(settings.drain_delay.as_secs()),
            log: Some(settings.log),
            log_format: Some(settings.log_format),
            log_requests: Some(settings.log_requests),
        })
    }

    fn ports(&self) -> Result<Ports, SettingsError> {
        let ports = match &self.ports {
            Some(given) => given.clone(),
            None if self.allow_private.unwrap_or_default() => Ports::Any,
            None => Ports::Only(vec![80, 443]),
        };
        if let Ports::Only(listed) = &ports {
            if listed.is_empty() {
                return Err(SettingsError::NoPort);
            }
            // What is refused at every address would be listed in vain.
            let guard = Guard::new();
            let refused = listed.iter().find_map(|port| guard.check_port(*port).err());
            if let Some(error) = refused.filter(|_| !self.allow_private.unwrap_or_default()) {
                return Err(SettingsError::Port { error });
            }
        }
        Ok(ports)
    }

    /// How much a cache in a folder keeps.
    fn cache_bounds(&self, cache: Option<&Place>) -> Result<FileBounds, SettingsError> {
        let mut bounds = FileBounds::default();
        if !matches!(cache, Some(Place::File(_))) {
            let idle = [
                (self.cache_size.is_some(), "cache-size"),
                (self.cache_age.is_some(), "cache-age"),
            ];
            let idle = idle.into_iter().find(|(is_given, _)| *is_given);
            return idle.map_or(Ok(bounds), |(_, setting)| {
                Err(SettingsError::WithoutFolder { setting })
            });
        }
        let size = number(
            "cache-size",
            self.cache_size,
            1_024,
            (16, 1 << 20),
            "MiB from 16 to 1048576",
        )?;
        let days = number(
            "cache-age",
            self.cache_age,
            0,
            (0, 36_500),
            "days from 0 to 36500",
        )?;
        bounds.bytes = Some(size << 20);
        bounds.days = Some(days).filter(|days| *days > 0);
        Ok(bounds)
    }

    fn authz(&self) -> Result<Option<Authz>, SettingsError> {
        let Some(folder) = self.authz.clone() else {
            let idle = [
                (self.authz_report_only.is_some(), "authz-report-only"),
                (self.authz_fail.is_some(), "authz-fail"),
                (
                    self.authz_require_user_agent.is_some(),
                    "authz-require-user-agent",
                ),
            ];
            let idle = idle.into_iter().find(|(is_given, _)| *is_given);
            return idle.map_or(Ok(None), |(_, setting)| {
                Err(SettingsError::WithoutAuthz { setting })
            });
        };
        if !folder.is_dir() {
            return Err(SettingsError::NoFolder { folder });
        }
        Ok(Some(Authz {
            folder,
            report_only: self.authz_report_only.unwrap_or_default(),
            on_failure: self.authz_fail.unwrap_or_default(),
            require_user_agent: self.authz_require_user_agent.unwrap_or_default(),
        }))
    }

    fn quota(&self) -> Result<Quota, SettingsError> {
        let rate = self.rate.unwrap_or_default();
        let concurrency = count("concurrency", self.concurrency.map(u64::from), 256)?;
        let burst = count("burst", self.burst.map(u64::from), u64::from(rate.max(1)))?;
        Ok(Quota {
            rate,
            burst: u32::try_from(burst).unwrap_or(u32::MAX),
            fetch_rate: self.fetch_rate.unwrap_or_default(),
            concurrency: u32::try_from(concurrency).unwrap_or(u32::MAX),
        })
    }

    fn limits(&self) -> Result<Limits, SettingsError> {
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let of = |given: Option<usize>| given.map(|given| given as u64);
        Ok(Limits {
            head: bytes("max-head", self.max_head, 16 << 10, 8 << 10)?,
            body: bytes("max-body", self.max_body, 4 << 20, 1 << 10)?,
            line: bytes("max-line", self.max_line, 4 << 20, 1 << 10)?,
            lines: count("max-lines", self.max_lines, 1_000_000)?,
            connections: size(count("max-connections", of(self.max_connections), 16_384)?),
            requests: size(count("max-requests", of(self.max_requests), 1_024)?),
            head_timeout: seconds("head-timeout", self.head_timeout, 30, 1)?,
            body_timeout: seconds("body-timeout", self.body_timeout, 10, 1)?,
            request_timeout: seconds("request-timeout", self.request_timeout, 60, 1)?,
            batch_timeout: seconds("batch-timeout", self.batch_timeout, 3_600, 1)?,
        })
    }
}
