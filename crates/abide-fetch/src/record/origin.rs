//! The authority that a robots.txt belongs to (REP-67, REP-68): scheme, host and port in their
//! canonical form.

use crate::request_url::plain;
use std::borrow::Cow;
use std::fmt;
use url::Url;

/// An authority: `https://www.example.com:8443`. Valid once built.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(Box<str>);

impl Origin {
    /// The authority of an http or https `url`; `None` for any other text. Case, user information,
    /// the default port, a final dot of the host and spellings of numbers make no difference.
    ///
    /// ```
    /// use abide_fetch::Origin;
    /// let origin = Origin::of("HTTPS://user@WWW.Example.com.:443/a?b#c").ok_or("no origin")?;
    /// assert_eq!(origin.as_str(), "https://www.example.com");
    /// assert_eq!(origin.robots_url(), "https://www.example.com/robots.txt");
    /// assert_eq!(Origin::of("mailto:a@b.example"), None);
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn of(url: &str) -> Option<Self> {
        key(url).map(|key| Self(key.into()))
    }

    /// The origin as text, without a final slash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The authority with this canonical text.
    pub(super) fn of_canonical(text: &str) -> Self {
        Self(text.into())
    }

    pub(super) fn into_text(self) -> Box<str> {
        self.0
    }

    /// The origin as text, and with the letters of a name that is encoded for DNS, if it is one.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn spellings(&self) -> impl Iterator<Item = Box<str>> {
        let parts = self.0.split_once("://");
        let encoded = parts.filter(|(_, host)| host.contains("xn--"));
        let decoded = encoded.and_then(|(scheme, host)| {
            let (name, is_valid) = idna::domain_to_unicode(host);
            is_valid.ok()?;
            Some(format!("{scheme}://{name}").into())
        });
        std::iter::once(self.0.clone()).chain(decoded)
    }

    /// The URL of its robots.txt (REP-67).
    #[must_use]
    pub fn robots_url(&self) -> String {
        format!("{}/robots.txt", self.0)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The authority of `url` in canonical form; borrowed if `url` already has that form, as nearly
/// every URL does.
pub(crate) fn key(url: &str) -> Option<Cow<'_, str>> {
    plain(url).map_or_else(
        || parsed(url).map(Cow::Owned),
        |key| Some(Cow::Borrowed(key)),
    )
}

fn parsed(url: &str) -> Option<String> {
    // A URL that the engine does not accept as a web URL has no robots.txt.
    abide::Target::new(url).ok().filter(abide::Target::is_web)?;
    let url = Url::parse(url).ok()?;
    if !matches!(url.scheme(), "http" | "https") || url.port() == Some(0) {
        return None;
    }
    let host = url.host_str().filter(|host| !host.is_empty())?;
    let host = host.strip_suffix('.').unwrap_or(host);
    let port = url
        .port()
        .map_or_else(String::new, |port| format!(":{port}"));
    (1..=253)
        .contains(&host.len())
        .then(|| format!("{}://{host}{port}", url.scheme()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoded_name_has_two_spellings() {
        let spellings = |url| Some(Origin::of(url)?.spellings().collect::<Vec<_>>());
        let boxed = |texts: &[&str]| Some(texts.iter().map(|text| Box::from(*text)).collect());
        let both = [
            "https://xn--bcher-kva.example:8443",
            "https://bücher.example:8443",
        ];
        assert_eq!(spellings("https://BÜCHER.example:8443/x"), boxed(&both));
        let one = ["http://e.example"];
        assert_eq!(spellings("http://e.example/"), boxed(&one));
    }

    #[test]
    fn text_that_seems_canonical_is() {
        let hosts = [
            "e.example",
            "a",
            "1.2.3.4",
            "01.2.3.4",
            "1.2.3",
            "1.2.3.256",
            "0x7f.1",
            "e.1",
            "1e.example",
            "e.example.",
            "xn--a",
            "E.example",
            "[::1]",
            "u@e.example",
            "",
            ".",
            "-",
            "a..b",
        ];
        let ports = [
            "", ":", ":0", ":1", ":01", ":+1", ":80", ":443", ":8080", ":65535", ":65536", ":x",
            ":1:2",
        ];
        for scheme in ["http", "https"] {
            for host in hosts {
                for port in ports {
                    let url = format!("{scheme}://{host}{port}/x");
                    if let Some(key) = plain(&url) {
                        assert_eq!(Some(key), parsed(&url).as_deref(), "{url}");
                    }
                }
            }
        }
        assert_eq!(plain("http://1.2.3.4:81/x"), Some("http://1.2.3.4:81"));
        assert_eq!(
            plain("https://e.example:8443?x"),
            Some("https://e.example:8443")
        );
    }
}
