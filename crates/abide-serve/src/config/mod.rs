//! How the service is configured: a file, then the environment, then flags; the last one counts.

mod check;
mod settings;
mod source;
mod value;

pub use check::SettingsError;
pub use settings::{Config, Setting, settings};
pub use source::ConfigError;
pub(crate) use source::{place, without_value};
pub use value::{LogFormat, LogRequests, OnFailure, Ports, SettingKind};

use abide_fetch::pace::FleetMember;
use abide_fetch::store::{FileBounds, Place, SealKey};
use serde::Serialize;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// How the service runs: a [`Config`] that was checked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The address to listen at.
    pub listen: SocketAddr,
    /// The `User-Agent` to send to sites.
    pub user_agent: String,
    /// Whether nothing is fetched.
    pub offline: bool,
    /// Whether addresses that are not public may be connected to.
    pub allow_private: bool,
    /// The ports of sites that may be connected to.
    pub ports: Ports,
    /// Whether a name that has public addresses and others is fetched from the public ones.
    pub allow_mixed_names: bool,
    /// Where robots.txt files are kept beyond the process.
    pub cache: Option<Place>,
    /// Keys that sign records on a server.
    pub cache_keys: Vec<SealKey>,
    /// How much a cache in a folder keeps.
    pub cache_bounds: FileBounds,
    /// How many bytes of memory may be taken by robots.txt files and their rules, clients, and by
    /// bodies and answers on their way.
    pub memory: u64,
    /// The file with the hashes of the tokens that are accepted; `None` if no token is needed.
    pub tokens: Option<PathBuf>,
    /// Forward auth, if it is on.
    pub authz: Option<Authz>,
    /// How turns at sites are given, if they are.
    pub paced: Option<Paced>,
    /// How much one client may ask.
    pub quota: Quota,
    /// Limits of connections and requests.
    pub limits: Limits,
    /// How long requests in progress may take after SIGTERM.
    pub grace: Duration,
    /// How long new connections are accepted after SIGTERM, while `/readyz` fails.
    pub drain_delay: Duration,
    /// What is logged: directives of `tracing`.
    pub log: String,
    /// The form of logs.
    pub log_format: LogFormat,
    /// Which requests are logged.
    pub log_requests: LogRequests,
}

/// What each part may take of the memory, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryParts {
    /// robots.txt files and their rules.
    pub(crate) files: u64,
    /// Clients that ask.
    pub(crate) clients: u64,
    /// Which name of a client a file leads to.
    pub(crate) choices: u64,
    /// How files were fetched.
    pub(crate) fetches: u64,
    /// Bodies that were received, and answers that are not sent yet.
    pub(crate) in_flight: u64,
    /// Visits in turns, and as much again for the pace of sites.
    pub(crate) visits: u64,
}

impl Settings {
    /// How the memory is divided. No part has less than it needs for one file or long answer.
    pub(crate) fn memory_parts(&self) -> MemoryParts {
        let least = 1 << 20;
        let part = self.memory / 32;
        MemoryParts {
            files: (part * 17).max(2 * least),
            clients: (part * 2).max(least),
            choices: part.max(least),
            fetches: part.max(least),
            in_flight: (part * 10).max(16 * least),
            visits: part.max(least) / 2,
        }
    }
}

/// Forward auth.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Authz {
    /// The folder with the robots.txt files of the proxy's sites.
    pub folder: PathBuf,
    /// Whether nothing is refused: only reported.
    pub report_only: bool,
    /// What happens to robots if there is no robots.txt for a site that can be read.
    pub on_failure: OnFailure,
    /// Whether requests without `User-Agent` are refused.
    pub require_user_agent: bool,
}

/// How turns at sites are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Paced {
    /// The shortest delay.
    pub min_delay: Duration,
    /// The longest delay.
    pub max_delay: Duration,
    /// Which instance this is of those that share the pace of each site.
    pub member: Option<FleetMember>,
}

/// How much one client may ask: a token, or an address if no token is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Quota {
    /// Requests, and lines of batches, per second; 0 for any number.
    pub rate: u32,
    /// How many requests may come at once after a pause.
    pub burst: u32,
    /// Fetches from sites per second; 0 for any number.
    pub fetch_rate: u32,
    /// Requests that are answered at the same time.
    pub concurrency: u32,
}

/// Limits of connections and requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a request's head.
    pub head: usize,
    /// Bytes of a body, except that of a batch.
    pub body: usize,
    /// Bytes of a line of a batch.
    pub line: usize,
    /// Lines of a batch.
    pub lines: u64,
    /// Open connections.
    pub connections: usize,
    /// Requests in progress.
    pub requests: usize,
    /// Until the head of a request is there; also how long a connection may be idle.
    pub head_timeout: Duration,
    /// Until the next piece of a body is there, and until the client takes the next piece of an
    /// answer.
    pub body_timeout: Duration,
    /// Until a request other than a batch is answered.
    pub request_timeout: Duration,
    /// Until a batch is answered.
    pub batch_timeout: Duration,
}
