//! A redirect as the status of the robots.txt fetch: it says nothing about the site.

use abide::rep::Access;
use thiserror::Error;

/// A number that cannot be the status of a final response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a final HTTP status from 200 to 599, but found {found}")]
pub struct StatusError {
    found: u16,
}

/// What an HTTP status means in a request. A redirect leaves the file unknown, because the caller
/// did not follow it (REP-71).
///
/// # Errors
/// [`StatusError`] for a number that cannot be the status of a final response.
pub(crate) fn access(status: u16) -> Result<Access, StatusError> {
    match status {
        200..=299 | 400..=599 => Ok(Access::from_status(status)),
        300..=399 => Ok(Access::Unknown),
        found => Err(StatusError { found }),
    }
}

/// Whether a status is a redirect.
pub(crate) const fn is_redirect(status: Option<u16>) -> bool {
    matches!(status, Some(300..=399))
}

/// The URL that `location` means in a redirect of the robots.txt at `robots_url`; `None` if no
/// client follows it.
pub(crate) fn target(robots_url: &str, location: &str) -> Option<String> {
    let next = url::Url::parse(robots_url).ok()?.join(location).ok()?;
    matches!(next.scheme(), "http" | "https").then(|| next.into())
}

/// `url` with its origin as the URL Standard serialises it: lower case, punycode, no default port,
/// no escapes (REP-67). Unchanged if it cannot be parsed.
pub(crate) fn serialised(url: String) -> String {
    if is_serialised(&url) {
        return url;
    }
    url::Url::parse(&url).map_or(url, Into::into)
}

/// Whether a URL obviously has that form already, as nearly every one does: parsing it takes as
/// long as a small decision.
fn is_serialised(url: &str) -> bool {
    let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'/' | b'_');
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    let Some(rest) = rest.filter(|rest| rest.bytes().all(plain)) else {
        return false;
    };
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let last = host.rsplit('.').next().unwrap_or_default();
    // A last label that begins with a digit may be a number, and one with `xn--` may be invalid.
    last.starts_with(|c: char| c.is_ascii_lowercase())
        && !host.contains("xn--")
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
            ("http://[::ffff:1.2.3.4]/a", "http://[::ffff:102:304]/a"),
            ("file:/robots.txt", "file:///robots.txt"),
        ] {
            assert_eq!(serialised(given.to_owned()), expected);
        }
        assert_eq!(
            target("https://e.example/robots.txt", "/r?a#b").as_deref(),
            Some("https://e.example/r?a#b")
        );
        assert_eq!(target("https://e.example/robots.txt", "file:///x"), None);
    }
}
