//! The status of the robots.txt fetch. A redirect says nothing about the site.

use abide::rep::Access;
use abide::syntax::is_serialised_authority;
use abide::verdict::Note;
use serde::de::{Deserialize, Deserializer, Visitor};
use std::fmt;
use thiserror::Error;

/// A number that is given as a status. Any integer, so that the error for one that is out of range
/// names the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Status(i128);

impl<'de> Deserialize<'de> for Status {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Integer;

        impl Visitor<'_> for Integer {
            type Value = Status;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an HTTP status from 200 to 599")
            }

            fn visit_i64<E>(self, number: i64) -> Result<Status, E> {
                Ok(Status(number.into()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Status, E> {
                Ok(Status(number.into()))
            }
        }

        deserializer.deserialize_i64(Integer)
    }
}

/// A number that cannot be the status of a final response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a final HTTP status from 200 to 599, but found {found}")]
pub(crate) struct StatusError {
    found: i128,
}

/// What an HTTP status means in a request. A redirect leaves the file unknown, because the caller
/// did not follow it (REP-71), and so does 304, because the caller has the file (CLA-20).
///
/// # Errors
/// [`StatusError`] for a number that cannot be the status of a final response.
pub(crate) fn access(Status(found): Status) -> Result<Access, StatusError> {
    let error = StatusError { found };
    let status = u16::try_from(found).map_err(|_| error)?;
    match status {
        200..=299 | 400..=599 => Ok(Access::from_status(status)),
        300..=399 => Ok(Access::Unknown),
        _ => Err(error),
    }
}

/// What the evidence notes of a status that leaves the file unknown: that a redirect was not
/// followed, or that the file is the one that the caller has stored, which has to be given
/// (CLA-20). `None` for all other statuses.
pub(crate) const fn unread(status: Option<Status>) -> Option<&'static [Note]> {
    match status {
        Some(Status(304)) => Some(&[Note::NotModified]),
        Some(Status(300..=399)) => Some(&[Note::RedirectNotFollowed]),
        _ => None,
    }
}

/// Whether a response with this status never has a body (AMB-REP-19).
pub(crate) const fn has_no_body(status: Option<Status>) -> bool {
    matches!(status, Some(Status(204 | 205)))
}

/// The URL to request for `location` in a redirect of the robots.txt at `robots_url`: without user
/// information and fragment, which no request has. `None` if no client follows it.
pub(crate) fn target(robots_url: &str, location: &str) -> Option<String> {
    let mut next = url::Url::parse(robots_url).ok()?.join(location).ok()?;
    if !matches!(next.scheme(), "http" | "https") || next.port() == Some(0) {
        return None;
    }
    next.set_fragment(None);
    next.set_username("").ok()?;
    next.set_password(None).ok()?;
    Some(next.into())
}

/// `url` with its origin as the URL Standard serialises it: lower case, punycode, no default port,
/// no escapes (REP-67); and without a final dot of the host, which stands for the same name, and is
/// not part of a cache key either. Unchanged if it cannot be parsed.
pub(crate) fn serialised(url: String) -> String {
    if is_serialised(&url) {
        return url;
    }
    let Ok(mut parsed) = url::Url::parse(&url) else {
        return url;
    };
    let host = parsed.host_str().and_then(|host| host.strip_suffix('.'));
    // A dot behind another dot, or behind nothing, ends no name.
    let host = host.filter(|host| !host.is_empty() && !host.ends_with('.'));
    if let Some(host) = host.map(str::to_owned) {
        let _ = parsed.set_host(Some(&host));
    }
    parsed.into()
}

/// Whether a URL obviously has that form already, as nearly every one does: parsing it takes as
/// long as a small decision.
fn is_serialised(url: &str) -> bool {
    let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'/' | b'_');
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    let Some(rest) = rest else { return false };
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    is_serialised_authority(authority)
        && path.bytes().all(plain)
        && !path.starts_with('.')
        && !path.contains("/.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rep_67_origins_have_one_spelling() {
        for (given, expected) in [
            (
                "https://e.example/robots.txt",
                "https://e.example/robots.txt",
            ),
            ("https://.../robots.txt", "https://.../robots.txt"),
            ("https://./robots.txt", "https://./robots.txt"),
            (
                "https://bücher.example/robots.txt",
                "https://xn--bcher-kva.example/robots.txt",
            ),
            (
                "http://%61.example/robots.txt",
                "http://a.example/robots.txt",
            ),
            (
                "https://E.example:443/robots.txt",
                "https://e.example/robots.txt",
            ),
            ("http://0x7f.1/robots.txt", "http://127.0.0.1/robots.txt"),
            ("http://1.2.3.4:81/a/b", "http://1.2.3.4:81/a/b"),
            ("http://1.2.3.04/a", "http://1.2.3.4/a"),
            ("http://1.2.3/a", "http://1.2.0.3/a"),
            ("http://e.example:0081/a", "http://e.example:81/a"),
            ("http://e.example:80/a", "http://e.example/a"),
            ("https://e.example:80/a", "https://e.example:80/a"),
            ("http://e.example:/a", "http://e.example/a"),
            ("http://e.example:8080/a", "http://e.example:8080/a"),
            ("http://e.example:65536/a", "http://e.example:65536/a"),
            ("http://[::ffff:1.2.3.4]/a", "http://[::ffff:102:304]/a"),
            ("file:/robots.txt", "file:///robots.txt"),
            (
                "https://e.example./robots.txt",
                "https://e.example/robots.txt",
            ),
            (
                "https://E.example.:443/robots.txt",
                "https://e.example/robots.txt",
            ),
        ] {
            assert_eq!(serialised(given.to_owned()), expected);
        }
        for (location, expected) in [
            ("/r?a#b", Some("https://e.example/r?a")),
            ("http://u:p@h/r", Some("http://h/r")),
            ("//u@h/", Some("https://h/")),
            ("http://h:0/", None),
            ("file:///x", None),
        ] {
            let next = target("https://e.example/robots.txt", location);
            assert_eq!(next.as_deref(), expected, "{location}");
        }
    }
}
