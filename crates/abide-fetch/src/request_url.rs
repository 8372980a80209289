//! The URL of a request: the one function from the text that a caller has to what is sent.

use abide::Target;
use abide::explain::visible_url;
use std::fmt;
#[cfg(not(target_family = "wasm"))]
use std::net::Ipv4Addr;
use thiserror::Error;
use url::Url;

/// How many characters of a text an error shows.
const MAX_SHOWN_CHARS: usize = 200;

/// The URL of a request, exactly as it is sent. Valid once built.
///
/// Clients rewrite a URL before they send it: `/public/../private/` becomes `/private/`. What is
/// judged must be what is sent (AMB-REP-24), so everything here that fetches builds a `RequestUrl`
/// first, asks the rules about its text, and sends its path and query.
///
/// User information and the fragment are dropped, because neither is part of a request line.
///
/// ```
/// use abide_fetch::RequestUrl;
/// let url = RequestUrl::new("https://me:secret@E.example/public/%2e%2e/private\\x#top")?;
/// assert_eq!(url.as_str(), "https://e.example/private/x");
/// assert!(RequestUrl::new("file:///etc/passwd").is_err());
/// # Ok::<(), abide_fetch::RequestUrlError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RequestUrl(Url);

impl RequestUrl {
    /// Reads an absolute http or https URL as the URL Standard does.
    ///
    /// # Errors
    /// [`RequestUrlError`] for text that is not a URL, for another scheme, and for a URL without a
    /// host or with port 0.
    pub fn new(url: &str) -> Result<Self, RequestUrlError> {
        let error = |reason: &str| RequestUrlError {
            url: visible_url(url).chars().take(MAX_SHOWN_CHARS).collect(),
            reason: reason.to_owned(),
        };
        let read = Url::parse(url).map_err(|cause| error(&cause.to_string()))?;
        Self::of(read)
            .ok_or_else(|| error("expected http or https, a host, and a port other than 0"))
    }

    /// `url` without what is not sent; `None` if it cannot be requested.
    pub(crate) fn of(mut url: Url) -> Option<Self> {
        let is_web = matches!(url.scheme(), "http" | "https");
        if !is_web || url.host_str().is_none_or(str::is_empty) || url.port() == Some(0) {
            return None;
        }
        url.set_fragment(None);
        if !url.username().is_empty() || url.password().is_some() {
            url.set_username("").ok()?;
            url.set_password(None).ok()?;
        }
        // The URL Standard accepts hosts with `{` or `"`; for the engine they have no robots.txt.
        Target::new(url.as_str()).ok()?;
        Some(Self(url))
    }

    /// The whole URL, in the spelling of the URL Standard.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The URL as the target of a decision.
    ///
    /// # Panics
    /// Only on a bug.
    #[must_use]
    #[expect(clippy::expect_used, reason = "`of` has read it")]
    pub fn target(&self) -> Target<'_> {
        Target::new(self.as_str()).expect("a URL that can be requested is a target")
    }

    /// Where the path begins.
    pub(crate) fn path_at(&self) -> usize {
        self.0[..url::Position::BeforePath].len()
    }

    /// The host as it is sent.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The registrable domain of the host, from the public suffix list. An address is its own
    /// domain. What [`Turns`](crate::Turns) are asked for.
    #[cfg(not(target_family = "wasm"))]
    #[must_use]
    pub fn domain(&self) -> &str {
        domain(self.host())
    }

    /// The port that is connected to.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or_default()
    }

    pub(crate) const fn url(&self) -> &Url {
        &self.0
    }
}

impl fmt::Display for RequestUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The URL or path that web clients send for `target`, if that is not its text.
///
/// ```
/// use abide::Target;
/// use abide_fetch::as_sent;
/// let target = Target::new("https://e.example/public/../private/x")?;
/// assert_eq!(as_sent(&target).as_deref(), Some("https://e.example/private/x"));
/// assert_eq!(as_sent(&Target::new("/a/./b")?).as_deref(), Some("/a/b"));
/// assert_eq!(as_sent(&Target::new("/a/b")?), None);
/// # Ok::<(), abide::TargetError>(())
/// ```
#[must_use]
pub fn as_sent(target: &Target<'_>) -> Option<String> {
    let path = target.path_as_sent()?;
    if target.is_web() {
        // The whole URL has one more rule or two, such as the port that is the default.
        let request = RequestUrl::new(target.url()).ok()?;
        Some(request.as_str().to_owned())
    } else {
        Some(path.into_owned())
    }
}

/// The registrable domain of `host`, from the public suffix list. An address is its own domain.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn domain(host: &str) -> &str {
    // The list takes any last label for a suffix, so also the last number of an address.
    if host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok() {
        return host;
    }
    psl::domain_str(host).unwrap_or(host)
}

/// Text that cannot be requested. The message shows the text without user information, which may be
/// a password.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cannot request {url}: {reason}")]
pub struct RequestUrlError {
    url: String,
    reason: String,
}
