//! A proxy: requests to all sites go through it, and it looks up names and connects.

use super::connection::earlier;
use super::network::Stream;
use super::{Failure, FetcherInner};
use abide::rep::Cause;
use base64::engine::{Engine, general_purpose::STANDARD};
use hyper::header::HeaderValue;
use percent_encoding::percent_decode_str;
use std::fmt::{self, Debug};
use std::str::FromStr;
use thiserror::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;
use url::{Host, Position, Url};

/// The largest head of an answer to CONNECT, in bytes.
const MAX_ANSWER_BYTES: usize = 16 << 10;
/// The status with which a proxy asks for a user name and a password.
const AUTHENTICATION_REQUIRED: u16 = 407;

/// An HTTP proxy, from text such as `http://user:password@proxy.example:3128`. `Debug` does not
/// show the password.
///
/// Requests to http sites are sent to the proxy, and https sites are reached through a tunnel
/// (CONNECT), so the proxy sees only their names. The proxy looks up the names of sites, so the
/// [`Guard`](crate::guard::Guard) checks ports, names of private networks, and addresses written
/// in a URL, but not the addresses behind names: let the proxy refuse those that are not public.
///
/// An http site cannot be told from its proxy: a 404 of the proxy counts as the site's.
#[derive(Clone, PartialEq, Eq)]
pub struct Proxy {
    pub(super) host: Host<String>,
    pub(super) port: u16,
    authorization: Option<HeaderValue>,
}

/// Why a text names no proxy. The text may have a password, so it is not repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a proxy as http://[user:password@]host[:port]")]
#[non_exhaustive]
pub struct ProxyError;

impl FromStr for Proxy {
    type Err = ProxyError;

    fn from_str(text: &str) -> Result<Self, ProxyError> {
        let url = Url::parse(text).map_err(|_| ProxyError)?;
        let host = url.host().map(|host| host.to_owned()).ok_or(ProxyError)?;
        if url.scheme() != "http" || !matches!(&url[Position::BeforePath..], "" | "/") {
            return Err(ProxyError);
        }
        let password = url.password().unwrap_or_default();
        let is_named = !url.username().is_empty() || !password.is_empty();
        Ok(Self {
            host,
            port: url.port_or_known_default().ok_or(ProxyError)?,
            authorization: is_named
                .then(|| basic(url.username(), password))
                .transpose()?,
        })
    }
}

impl Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Proxy(http://{}:{})", self.host, self.port)
    }
}

impl Proxy {
    /// The value of `Proxy-Authorization`, if there is a user.
    pub(super) fn authorization(&self) -> Option<&HeaderValue> {
        self.authorization.as_ref()
    }

    /// Whether requests to `url` are sent to the proxy itself, not through a tunnel.
    pub(super) fn is_asked(url: &Url) -> bool {
        url.scheme() == "http"
    }

    /// Refuses an answer in which the proxy speaks for itself: it would read as a missing file.
    pub(super) fn check(url: &Url, status: u16) -> Result<(), Failure> {
        match status {
            AUTHENTICATION_REQUIRED if Self::is_asked(url) => Err(refused(status)),
            _ => Ok(()),
        }
    }

    /// Makes `stream`, which is connected to the proxy, a tunnel to the site of `url`.
    pub(super) async fn tunnel(
        &self,
        stream: &mut Box<dyn Stream>,
        url: &Url,
        inner: &FetcherInner,
        until: Instant,
    ) -> Result<(), Failure> {
        let within = earlier(until, inner.options.head_timeout);
        let answered = tokio::time::timeout_at(within, self.connected(stream, url, inner)).await;
        let status = answered
            .map_err(|_| Failure::new(Cause::Timeout, "no answer of the proxy in time"))??;
        match status {
            200..300 => Ok(()),
            // The proxy could not reach the site.
            500.. => Err(Failure {
                is_local: false,
                ..refused(status)
            }),
            _ => Err(refused(status)),
        }
    }

    /// Asks for a tunnel. Returns the status of the answer.
    async fn connected(
        &self,
        stream: &mut Box<dyn Stream>,
        url: &Url,
        inner: &FetcherInner,
    ) -> Result<u16, Failure> {
        let host = url.host_str().unwrap_or_default();
        let port = url.port_or_known_default().unwrap_or_default();
        let head = format!("CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n");
        let agent = ("User-Agent", inner.options.user_agent.as_bytes());
        let own = self.authorization.as_ref();
        let own = own.map(|own| ("Proxy-Authorization", own.as_bytes()));
        let mut request = head.into_bytes();
        for (name, value) in [Some(agent), own].into_iter().flatten() {
            request.extend_from_slice(&[name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
        request.extend_from_slice(b"\r\n");
        let broken = |error: std::io::Error| local(&format!("the proxy: {error}"));
        stream.write_all(&request).await.map_err(broken)?;
        stream.flush().await.map_err(broken)?;
        let mut answer = Vec::new();
        // A byte at a time: what follows the head belongs to the site.
        while !answer.ends_with(b"\r\n\r\n") && !answer.ends_with(b"\n\n") {
            if answer.len() >= MAX_ANSWER_BYTES {
                return Err(local("the proxy's answer has no end"));
            }
            answer.push(stream.read_u8().await.map_err(broken)?);
        }
        status(&answer).ok_or_else(|| local("the proxy's answer is not HTTP"))
    }
}

/// A failure of the proxy, which says nothing about the site.
pub(super) fn local(message: &str) -> Failure {
    Failure {
        is_local: true,
        ..Failure::new(Cause::Connect, message)
    }
}

fn refused(status: u16) -> Failure {
    local(&match status {
        AUTHENTICATION_REQUIRED => "the proxy asks for a user name and a password (407)".to_owned(),
        _ => format!("the proxy answered with status {status}"),
    })
}

/// The status in the first line of an answer.
fn status(answer: &[u8]) -> Option<u16> {
    let line = answer.split(|byte| *byte == b'\n').next()?;
    let line = str::from_utf8(line).ok()?.strip_prefix("HTTP/1.")?;
    let status = line.split(' ').nth(1)?.trim_end();
    (status.len() == 3).then(|| status.parse().ok())?
}

/// The value of `Proxy-Authorization` (RFC 7617) for a name and a password as a URL has them.
fn basic(name: &str, password: &str) -> Result<HeaderValue, ProxyError> {
    let [name, password] =
        [name, password].map(|part| percent_decode_str(part).collect::<Vec<u8>>());
    let pair = [&*name, b":", &*password].concat();
    let value = format!("Basic {}", STANDARD.encode(pair));
    let mut value = HeaderValue::from_str(&value).map_err(|_| ProxyError)?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn proxies_are_named_by_urls() {
        let proxy: Proxy = "http://me:s%40crAt%+1@p.example:3128/".parse().unwrap();
        assert_eq!(format!("{proxy:?}"), "Proxy(http://p.example:3128)");
        // "me:s@crAt%+1"
        assert_eq!(proxy.authorization.unwrap(), "Basic bWU6c0BjckF0JSsx");
        let plain: Proxy = "http://[::1]".parse().unwrap();
        assert_eq!((plain.port, plain.authorization), (80, None));
        for text in [
            "",
            "p.example:3128",
            "https://p.example",
            "socks5://p.example:1080",
            "http://p.example/path",
            "http://p.example?q",
            "http://:80",
        ] {
            assert_eq!(text.parse::<Proxy>(), Err(ProxyError), "{text}");
        }
    }

    #[test]
    fn the_status_of_an_answer() {
        for (answer, is) in [
            ("HTTP/1.1 200 Connection established\r\n\r\n", Some(200)),
            ("HTTP/1.0 407\r\n\r\n", Some(407)),
            ("HTTP/1.1 2000 OK\r\n\r\n", None),
            ("HTTP/1.1  OK\r\n\r\n", None),
            ("HTTP/2 200\r\n\r\n", None),
            ("SSH-2.0\r\n\r\n", None),
            ("", None),
        ] {
            assert_eq!(status(answer.as_bytes()), is, "{answer}");
        }
    }
}
