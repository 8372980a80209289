//! Checks settings before anything listens.

use super::settings::{Needed, settings};
use super::{Authz, Config, Limits, Paced, Ports, Quota, Settings};
use abide::explain::visible_url;
use abide_fetch::guard::{AddressError, Guard};
use abide_fetch::pace::{FleetMember, NoMember};
use abide_fetch::store::{FileBounds, Place, PlaceError, SealKey, SealKeyError};
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
        expected: String,
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
    /// A setting of turns, which are off.
    #[error("{setting} has no effect without turns; set turns")]
    WithoutTurns {
        /// The setting.
        setting: &'static str,
    },
    /// The number of an instance cannot be read.
    #[error("in turn-member: {error}, but found {}", visible_url(found))]
    Member {
        /// What was given.
        found: String,
        /// What was expected.
        error: NoMember,
    },
    /// Instances that share a pace, without a server.
    #[error(
        "turn-member has no effect: instances share a pace on a server; set cache to a server, such \
         as redis://host"
    )]
    MemberWithoutServer,
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

impl Config {
    /// Checks the settings, and fills in what is missing.
    ///
    /// # Errors
    /// [`SettingsError`] for the first setting that cannot be used.
    pub fn checked(&self) -> Result<Settings, SettingsError> {
        let whole = self.filled()?;
        let seconds = |given: Option<u64>| Duration::from_secs(given.unwrap_or_default());
        Ok(Settings {
            listen: whole.address()?,
            ports: whole.checked_ports()?,
            cache: whole.place()?,
            cache_keys: whole.keys()?,
            authz: whole.checked_authz()?,
            paced: whole.checked_turns()?,
            log: whole.level()?,
            quota: whole.quota(),
            limits: whole.limits(),
            cache_bounds: whole.cache_bounds(),
            user_agent: whole.user_agent.unwrap_or_default(),
            offline: whole.offline.unwrap_or_default(),
            allow_private: whole.allow_private.unwrap_or_default(),
            allow_mixed_names: whole.allow_mixed_names.unwrap_or_default(),
            memory: whole.memory.unwrap_or_default() << 20,
            tokens: whole.tokens,
            grace: seconds(whole.grace),
            drain_delay: seconds(whole.drain_delay),
            log_format: whole.log_format.unwrap_or_default(),
            log_requests: whole.log_requests.unwrap_or_default(),
        })
    }

    /// These settings, with the default of each that is missing. What is off by default, such as
    /// `cache`, stays missing.
    ///
    /// # Errors
    /// The errors of [`Config::checked`].
    pub fn with_defaults(&self) -> Result<Self, SettingsError> {
        self.checked()?;
        self.filled()
    }

    /// These settings with defaults. Every number is in its range, and every setting has an effect.
    fn filled(&self) -> Result<Self, SettingsError> {
        let has_folder = matches!(self.place()?, Some(Place::File(_)));
        let mut filled = self.clone();
        for (setting, is_given) in settings().iter().zip(self.given()) {
            let idle = match setting.needs {
                Some(Needed::Folder) if !has_folder => Some(SettingsError::WithoutFolder {
                    setting: &setting.name,
                }),
                Some(Needed::Authz) if self.authz.is_none() => Some(SettingsError::WithoutAuthz {
                    setting: &setting.name,
                }),
                Some(Needed::Turns) if !self.turns.unwrap_or_default() => {
                    Some(SettingsError::WithoutTurns {
                        setting: &setting.name,
                    })
                }
                _ => None,
            };
            match idle {
                None => filled = filled.or(setting.default_value()),
                Some(error) if is_given => return Err(error),
                Some(_) => {}
            }
        }
        let filled = filled.or(self.dependent_defaults());
        for (setting, number) in settings().iter().zip(filled.numbers()) {
            let (Some(range), Some(found)) = (&setting.range, number) else {
                continue;
            };
            if !range.contains(&found) {
                return Err(SettingsError::Number {
                    setting: &setting.name,
                    expected: setting.expected_range(),
                    found,
                });
            }
        }
        Ok(filled)
    }

    /// Defaults that follow from other settings.
    fn dependent_defaults(&self) -> Self {
        let own_agent = concat!("abide/", env!("CARGO_PKG_VERSION"), " (serves decisions)");
        let ports = if self.allow_private.unwrap_or_default() {
            Ports::Any
        } else {
            Ports::Only(vec![80, 443])
        };
        Self {
            user_agent: Some(own_agent.to_owned()),
            ports: Some(ports),
            burst: Some(self.rate.unwrap_or_default().max(1)),
            ..Self::default()
        }
    }

    fn address(&self) -> Result<SocketAddr, SettingsError> {
        let found = self.listen.clone().unwrap_or_default();
        let Ok(listen) = found.parse::<SocketAddr>() else {
            return Err(SettingsError::Listen { found });
        };
        let is_open = !listen.ip().is_loopback()
            && !self.offline.unwrap_or_default()
            && self.tokens.is_none()
            && !self.allow_anonymous.unwrap_or_default();
        if is_open {
            return Err(SettingsError::Open { listen });
        }
        Ok(listen)
    }

    fn place(&self) -> Result<Option<Place>, SettingsError> {
        let place = self.cache.as_deref().map(Place::named).transpose();
        place.map_err(SettingsError::Cache)
    }

    fn keys(&self) -> Result<Vec<SealKey>, SettingsError> {
        let keys = self.cache_key.iter().flatten().map(|key| key.parse());
        let keys: Vec<_> = keys
            .collect::<Result<_, _>>()
            .map_err(SettingsError::CacheKey)?;
        if !keys.is_empty() && !matches!(self.place()?, Some(Place::Server(_))) {
            return Err(SettingsError::KeyWithoutServer);
        }
        Ok(keys)
    }

    fn level(&self) -> Result<String, SettingsError> {
        let found = self.log.clone().unwrap_or_default();
        if ["error", "warn", "info", "debug", "trace", "off"].contains(&found.as_str()) {
            Ok(found)
        } else {
            Err(SettingsError::Log { found })
        }
    }

    fn checked_ports(&self) -> Result<Ports, SettingsError> {
        let ports = self.ports.clone().unwrap_or(Ports::Any);
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
    fn cache_bounds(&self) -> FileBounds {
        let mut bounds = FileBounds::default();
        if let Some(size) = self.cache_size {
            bounds.bytes = Some(size << 20);
            bounds.days = self.cache_age.filter(|days| *days > 0);
        }
        bounds
    }

    fn checked_authz(&self) -> Result<Option<Authz>, SettingsError> {
        let Some(folder) = self.authz.clone() else {
            return Ok(None);
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

    /// How turns are given, if they are.
    fn checked_turns(&self) -> Result<Option<Paced>, SettingsError> {
        if !self.turns.unwrap_or_default() {
            return Ok(None);
        }
        let member = self.turn_member.as_deref().map(|found| {
            found.parse().map_err(|error| SettingsError::Member {
                found: found.to_owned(),
                error,
            })
        });
        let member: Option<FleetMember> = member.transpose()?;
        if member.is_some() && !matches!(self.place()?, Some(Place::Server(_))) {
            return Err(SettingsError::MemberWithoutServer);
        }
        let seconds = |given: Option<u64>| Duration::from_secs(given.unwrap_or_default());
        Ok(Some(Paced {
            min_delay: seconds(self.min_delay),
            max_delay: seconds(self.max_delay),
            member,
        }))
    }

    fn quota(&self) -> Quota {
        Quota {
            rate: self.rate.unwrap_or_default(),
            burst: self.burst.unwrap_or_default(),
            fetch_rate: self.fetch_rate.unwrap_or_default(),
            concurrency: self.concurrency.unwrap_or_default(),
        }
    }

    fn limits(&self) -> Limits {
        let size = |given: Option<usize>| given.unwrap_or_default();
        let seconds = |given: Option<u64>| Duration::from_secs(given.unwrap_or_default());
        Limits {
            head: size(self.max_head),
            body: size(self.max_body),
            line: size(self.max_line),
            lines: self.max_lines.unwrap_or_default(),
            connections: size(self.max_connections),
            requests: size(self.max_requests),
            head_timeout: seconds(self.head_timeout),
            body_timeout: seconds(self.body_timeout),
            request_timeout: seconds(self.request_timeout),
            batch_timeout: seconds(self.batch_timeout),
        }
    }
}
