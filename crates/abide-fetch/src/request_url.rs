//! The URL of a request: the one function from the text that a caller has to what is sent.

use abide::Target;
use abide::explain::visible_url;
use abide::syntax::is_serialised_authority;
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
pub struct RequestUrl(Box<str>);

impl RequestUrl {
    /// Reads an absolute http or https URL as the URL Standard does.
    ///
    /// # Errors
    /// [`RequestUrlError`] for text that is not a URL, for another scheme, and for a URL without a
    /// host or with port 0.
    pub fn new(url: &str) -> Result<Self, RequestUrlError> {
        if is_as_sent(url) {
            return Ok(Self(url.into()));
        }
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
        Some(Self(String::from(url).into()))
    }

    /// The whole URL, in the spelling of the URL Standard.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        &self.0
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

    /// Scheme, host with the port, and path with the query.
    fn parts(&self) -> (&str, &str, &str) {
        let (scheme, rest) = self.0.split_once("://").unwrap_or_default();
        let end = rest.find('/').unwrap_or(rest.len());
        let (authority, path) = rest.split_at_checked(end).unwrap_or_default();
        (scheme, authority, path)
    }

    /// Whether it is sent with TLS.
    pub(crate) fn is_https(&self) -> bool {
        self.0.starts_with("https:")
    }

    /// The path, with the query.
    pub(crate) fn path(&self) -> &str {
        self.parts().2
    }

    /// The host as it is sent.
    #[must_use]
    pub fn host(&self) -> &str {
        let (_, authority, _) = self.parts();
        // The colons of an address of IPv6 are within its brackets.
        let end = authority.find(']').map(|bracket| bracket.saturating_add(1));
        let end = end.or_else(|| authority.find(':'));
        authority
            .get(..end.unwrap_or(authority.len()))
            .unwrap_or_default()
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
        let (scheme, authority, _) = self.parts();
        let own = authority.strip_prefix(self.host()).unwrap_or_default();
        let own = own.strip_prefix(':').and_then(|port| port.parse().ok());
        own.unwrap_or(if scheme == "https" { 443 } else { 80 })
    }

    /// The URL, read for a client.
    #[expect(clippy::expect_used, reason = "it is the text of one")]
    pub(crate) fn url(&self) -> Url {
        Url::parse(&self.0).expect("what can be requested is a URL")
    }
}

/// Whether the URL Standard obviously serialises `url` as it is, as it does nearly every URL. If
/// not, only its parser can say, which takes as long as several decisions.
fn is_as_sent(url: &str) -> bool {
    // Quotes, brackets and what is not ASCII may have to be encoded.
    let is_plain = |byte: &u8| {
        matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'!' | b'$'..=b'&' | b'('..=b'/')
            || matches!(byte, b':' | b';' | b'=' | b'?' | b'@' | b'_' | b'~')
    };
    // A segment that begins so may be a dot segment: `/%2e`.
    let may_begin_dots = |pair: &[u8]| matches!(pair, b"/." | b"/%");
    let path = plain(url).and_then(|site| url.as_bytes().get(site.len()..));
    path.is_some_and(|path| {
        path.first() == Some(&b'/')
            && path.iter().all(is_plain)
            && !path.windows(2).any(may_begin_dots)
    })
}

/// The scheme, host and port of `url`, if they are canonical already: an address, or a name in
/// lower case whose last label is not a number.
pub(crate) fn plain(url: &str) -> Option<&str> {
    let scheme = ["https://", "http://"]
        .into_iter()
        .find(|scheme| url.starts_with(scheme))?;
    let rest = url.get(scheme.len()..)?;
    let mut bytes = rest.bytes();
    let length = bytes.position(|byte| matches!(byte, b'/' | b'?' | b'#'));
    let length = length.unwrap_or(rest.len());
    is_serialised_authority(rest.get(..length)?)
        .then(|| url.get(..scheme.len().saturating_add(length)))
        .flatten()
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
