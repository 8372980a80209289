//! Permissions references: their URLs, and the result of fetching them (ACAP-38 to ACAP-43,
//! AMB-ACAP-14).

use crate::pattern::{as_sent, normal};
use crate::rep::Access;
use crate::verdict::Place;
use crate::verdict::resource::has_scheme;

/// A reference to further permissions that concerns the client.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PermissionsReference {
    /// The locator, as written.
    pub locator: String,
    /// The place of the reference.
    pub place: Place,
}

impl PermissionsReference {
    /// The URL of the reference in the robots.txt at `robots_url` (ACAP-39).
    #[must_use]
    pub fn url(&self, robots_url: &str) -> String {
        url(&self.locator, Some(robots_url))
    }
}

/// The result of fetching a permissions reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchedReference<'a> {
    /// Its bytes.
    Bytes(&'a [u8]),
    /// It failed. An unavailable file counts as empty. An unreachable file prohibits, because its
    /// content is not known (AMB-ACAP-14).
    Failed(Access),
}

/// `value` if it names a single resource: one word without `*` and `$`, as required for a locator
/// (ACAP-42) and for the path of a request (ACAP-118).
pub(super) fn single(value: &[u8]) -> Option<&str> {
    let is_single = !value.is_empty()
        && !value
            .iter()
            .any(|byte| b"*$ \t".contains(byte) || byte.is_ascii_control());
    std::str::from_utf8(value).ok().filter(|_| is_single)
}

/// Whether a locator names its own robots.txt, which would be a chain (ACAP-40): `/%72obots.txt`
/// does so too.
pub(crate) fn is_robots_txt(locator: &str) -> bool {
    let path = rooted(locator);
    let path = path.split('#').next().unwrap_or_default();
    *normal::target(path.as_bytes()).c1 == *b"/robots.txt"
}

/// The URL of a locator in the file at `robots_url`, or the locator itself if that URL is unknown.
/// Paths begin at the root of the site (ACAP-39).
pub(crate) fn url(locator: &str, robots_url: Option<&str>) -> String {
    if has_scheme(locator) {
        return rooted(locator);
    }
    let Some(robots_url) = robots_url else {
        return locator.to_owned();
    };
    let (scheme, rest) = robots_url.split_once("://").unwrap_or(("https", ""));
    if locator.starts_with("//") {
        return rooted(&format!("{scheme}:{locator}"));
    }
    let authority = rest.split('/').next().unwrap_or_default();
    format!("{scheme}://{authority}{}", rooted(locator))
}

/// A locator in the form in which answers are looked up: a path from the root of the site, without
/// dot segments (RFC 3986, sections 5.2.2 and 5.2.4).
pub(crate) fn rooted(locator: &str) -> String {
    let is_web = has_scheme(locator) && locator.contains("://");
    // Other URIs, such as `urn:x`, have no path. [`url`] gives `//host` a scheme first.
    if !is_web && (has_scheme(locator) || locator.starts_with("//")) {
        return locator.to_owned();
    }
    let path = match locator.split_once("://").filter(|_| is_web) {
        None => 0,
        Some((scheme, rest)) => {
            let authority = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
            scheme
                .len()
                .saturating_add("://".len())
                .saturating_add(authority)
        }
    };
    let (site, path) = locator.split_at_checked(path).unwrap_or((locator, ""));
    let (path, fragment) = path
        .split_at_checked(path.find('#').unwrap_or(path.len()))
        .unwrap_or((path, ""));
    let slash = if is_web || path.starts_with('/') {
        ""
    } else {
        "/"
    };
    format!("{site}{}{fragment}", as_sent(&format!("{slash}{path}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acap_39_locators_are_paths_or_uris() {
        let at = Some("https://e.example:8443/robots.txt");
        for (locator, expected) in [
            ("/searchbot.txt", "https://e.example:8443/searchbot.txt"),
            ("searchbot.txt", "https://e.example:8443/searchbot.txt"),
            ("./a/b.txt", "https://e.example:8443/a/b.txt"),
            (
                "../a/../b.txt?c/../d",
                "https://e.example:8443/b.txt?c/../d",
            ),
            ("/a/.", "https://e.example:8443/a/"),
            ("//p.example/x", "https://p.example/x"),
            ("http://p.example/policy.txt", "http://p.example/policy.txt"),
            ("http://p.example/a/../b/%2e%2E/c", "http://p.example/c"),
            ("//p.example/a/../b", "https://p.example/b"),
            ("/a/%2e%2e/b", "https://e.example:8443/b"),
        ] {
            assert_eq!(url(locator, at), expected);
        }
        assert_eq!(url("/x.txt", None), "/x.txt");
    }

    #[test]
    fn acap_40_a_robots_txt_does_not_refer_to_itself() {
        for own in [
            "/robots.txt",
            "robots.txt",
            "/a/../robots.txt",
            "/%72obots%2Etxt",
            "/robots.txt#a",
        ] {
            assert!(is_robots_txt(own), "{own}");
        }
        for other in [
            "/Robots.txt",
            "/robots.txt?a",
            "/a/robots.txt",
            "https://p.example/robots.txt",
        ] {
            assert!(!is_robots_txt(other), "{other}");
        }
    }

    #[test]
    fn acap_42_no_wildcards_in_a_reference() {
        assert_eq!(single(b"/x.txt"), Some("/x.txt"));
        for wrong in [&b"/*.txt"[..], b"/x$", b"", b"/a /b", b"/\xFF"] {
            assert_eq!(single(wrong), None, "{wrong:?}");
        }
    }
}
