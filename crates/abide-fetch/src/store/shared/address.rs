//! The address of a server and the credentials for it. Passwords are never shown.

use super::ServerUrlError;
use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo, ProtocolVersion};
use std::fmt;
use std::path::PathBuf;

/// A server and its credentials.
pub(super) struct Address {
    pub(super) place: Endpoint,
    pub(super) is_tls: bool,
    /// Name, password and database.
    pub(super) greeting: redis::RedisConnectionInfo,
}

/// What to connect to.
pub(super) enum Endpoint {
    Tcp(String, u16),
    Unix(PathBuf),
}

impl Address {
    /// Reads an address from `url`.
    pub(super) fn of(url: &str) -> Result<Self, ServerUrlError> {
        let (scheme, rest) = url.split_once(':').ok_or(ServerUrlError::Scheme)?;
        let (plain, is_tls) = match scheme.to_ascii_lowercase().as_str() {
            "redis" | "valkey" => ("redis", false),
            "rediss" | "valkeys" => ("redis", true),
            "unix" => ("unix", false),
            _ => return Err(ServerUrlError::Scheme),
        };
        // The library's error may quote the URL with its password, so it is not shown.
        let info = format!("{plain}:{rest}")
            .into_connection_info()
            .map_err(|_| ServerUrlError::Shape)?;
        let place = place(&info)?;
        let greeting = info
            .redis_settings()
            .clone()
            .set_protocol(ProtocolVersion::RESP2)
            .set_skip_set_lib_name();
        Ok(Self {
            place,
            is_tls,
            greeting,
        })
    }

    /// `text` without the password, in case a server repeats it.
    pub(super) fn redacted(&self, text: &str) -> String {
        match self.greeting.password() {
            Some(password) if !password.is_empty() => text.replace(password, "(password)"),
            _ => text.to_owned(),
        }
    }
}

fn place(info: &ConnectionInfo) -> Result<Endpoint, ServerUrlError> {
    match info.addr() {
        ConnectionAddr::Tcp(host, port) if *port != 0 => Ok(Endpoint::Tcp(host.clone(), *port)),
        ConnectionAddr::Unix(path) if path.is_absolute() => Ok(Endpoint::Unix(path.clone())),
        _ => Err(ServerUrlError::Shape),
    }
}

/// Shows neither name nor password.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Endpoint::Tcp(host, port) => {
                let scheme = if self.is_tls { "rediss" } else { "redis" };
                let (open, close) = if host.contains(':') {
                    ("[", "]")
                } else {
                    ("", "")
                };
                write!(f, "{scheme}://{open}{host}{close}:{port}")?;
            }
            Endpoint::Unix(path) => write!(f, "unix://{}", path.display())?,
        }
        match self.greeting.db() {
            0 => Ok(()),
            number => write!(f, " (database {number})"),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
