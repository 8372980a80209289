//! URLs to the octets that rules are compared with (REP-47), and to the place of their robots.txt.

use super::octet_set::OctetSet;
use crate::moment::Moment;
use crate::profile::Profile;
use crate::tag::Response;
use std::borrow::Cow;
use thiserror::Error;

/// What a decision is asked about: a URL. Valid once built, and borrowed from the caller.
///
/// The URL is taken as the client will send it (AMB-REP-24): nothing is resolved, joined or
/// re-encoded here, and a fragment does not take part.
///
/// ```
/// use abide::Target;
/// let target = Target::new("https://example.com/a?b#c")?;
/// assert_eq!(target.path_and_query(), "/a?b");
/// assert_eq!(target.robots_url().as_deref(), Some("https://example.com/robots.txt"));
/// # Ok::<(), abide::InvalidTarget>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target<'a> {
    url: &'a str,
    origin: Option<Origin<'a>>,
    path: &'a str,
    response: Option<&'a Response>,
    now: Option<Moment>,
    history: History,
}

/// What the client remembers of the resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct History {
    pub(crate) first_indexed: Option<Moment>,
    pub(crate) first_copied: Option<Moment>,
    pub(crate) version: Version,
}

/// Which version of a resource is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Version {
    /// The one of the latest crawl.
    #[default]
    Latest,
    /// One of an older crawl.
    Old,
}

/// Scheme and authority of an absolute URL, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origin<'a> {
    scheme: &'a str,
    authority: Option<Authority<'a>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Authority<'a> {
    host: &'a str,
    port: Option<u16>,
}

/// Where the robots.txt of a site is.
const FILE: &str = "/robots.txt";

impl<'a> Target<'a> {
    /// Reads an absolute URL, or a path with query that begins with `/`.
    ///
    /// # Errors
    /// [`InvalidTarget`] for text that is neither, and for an authority that clients would read in
    /// different ways.
    pub fn new(url: &'a str) -> Result<Self, InvalidTarget> {
        if url.starts_with('/') {
            return Ok(Self::at(url, None, until(url, b'#')));
        }
        if let Some((scheme, host, path)) = plain(url) {
            let authority = Some(Authority { host, port: None });
            let origin = Origin { scheme, authority };
            return Ok(Self::at(url, Some(origin), until(path, b'#')));
        }
        let (scheme, rest) = url
            .split_once(':')
            .filter(|(scheme, _)| is_scheme(scheme))
            .ok_or(InvalidTarget::NoScheme)?;
        let Some(rest) = rest.strip_prefix("//") else {
            let hierarchical = rest.starts_with('/') && !is_web(scheme);
            let origin = Some(Origin {
                scheme,
                authority: None,
            });
            return if hierarchical {
                Ok(Self::at(url, origin, until(rest, b'#')))
            } else {
                Err(InvalidTarget::NoAuthority)
            };
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let authority = Some(Authority::read(authority, is_web(scheme))?);
        Ok(Self::at(
            url,
            Some(Origin { scheme, authority }),
            until(path, b'#'),
        ))
    }

    fn at(url: &'a str, origin: Option<Origin<'a>>, path: &'a str) -> Self {
        Self {
            url,
            origin,
            path,
            response: None,
            now: None,
            history: History::default(),
        }
    }

    /// Adds what the response said that brought the resource.
    #[must_use]
    pub fn response(self, response: &'a Response) -> Self {
        Self {
            response: Some(response),
            ..self
        }
    }

    /// Sets the instant of the decision. Without it no instant that a rule names has passed.
    #[must_use]
    pub fn now(self, now: Moment) -> Self {
        Self {
            now: Some(now),
            ..self
        }
    }

    /// Sets when the resource was first indexed, from which limits of so many days to indexing count
    /// (ACAP-84). Without it none of them has passed.
    #[must_use]
    pub fn first_indexed(mut self, first: Moment) -> Self {
        self.history.first_indexed = Some(first);
        self
    }

    /// Sets when the resource was first copied, from which limits of so many days to keeping and
    /// presenting count (ACAP-92, AMB-ACAP-31). Without it none of them has passed.
    #[must_use]
    pub fn first_copied(mut self, first: Moment) -> Self {
        self.history.first_copied = Some(first);
        self
    }

    /// Sets which version of the resource is asked about.
    #[must_use]
    pub fn version(mut self, version: Version) -> Self {
        self.history.version = version;
        self
    }

    pub(crate) fn history(&self) -> History {
        self.history
    }

    pub(crate) fn said(&self) -> Option<&'a Response> {
        self.response
    }

    pub(crate) fn instant(&self) -> Option<Moment> {
        self.now
    }

    /// The URL as given.
    #[must_use]
    pub fn url(&self) -> &'a str {
        self.url
    }

    /// Whether the URL has a scheme, so that the place of its robots.txt is known.
    #[must_use]
    pub fn is_absolute(&self) -> bool {
        self.origin.is_some()
    }

    /// Whether the URL's scheme is `http` or `https`.
    #[must_use]
    pub fn is_web(&self) -> bool {
        self.origin.is_some_and(|origin| is_web(origin.scheme))
    }

    /// Path and query as written, without the fragment. An empty path is `/` (REP-47), and this
    /// may begin with `?` where only a query was given.
    #[must_use]
    pub fn path_and_query(&self) -> &'a str {
        if self.path.is_empty() { "/" } else { self.path }
    }

    /// Where the robots.txt of this URL lives (REP-67, REP-68): scheme and host in lower case,
    /// without user information, and with the port unless it is the scheme's own. `None` for a path.
    #[must_use]
    pub fn robots_url(&self) -> Option<String> {
        let origin = self.origin?;
        let room = "://"
            .len()
            .saturating_add(":65535".len())
            .saturating_add(FILE.len());
        let mut url = String::with_capacity(self.url.len().saturating_add(room));
        url.push_str(origin.scheme);
        let Some(authority) = origin.authority else {
            url.make_ascii_lowercase();
            url.push(':');
            url.push_str(FILE);
            return Some(url);
        };
        url.push_str("://");
        url.push_str(authority.host);
        url.make_ascii_lowercase();
        let is_own = |port| {
            [("http", 80), ("https", 443), ("ftp", 21)]
                .iter()
                .any(|(scheme, own)| origin.scheme.eq_ignore_ascii_case(scheme) && port == *own)
        };
        if let Some(port) = authority.port.filter(|port| !is_own(*port)) {
            url.push(':');
            url.push_str(&port.to_string());
        }
        url.push_str(FILE);
        Some(url)
    }

    /// The octets that rules are compared with, before normalisation.
    pub(crate) fn octets(&self) -> Cow<'a, [u8]> {
        rooted(self.path)
    }

    /// The same in the reading of `reading`.
    pub(crate) fn octets_as(&self, reading: Profile) -> Cow<'a, [u8]> {
        match reading {
            Profile::Careful => self.octets(),
            Profile::Google => google(self.url),
        }
    }
}

impl<'a> Authority<'a> {
    fn read(authority: &'a str, needs_host: bool) -> Result<Self, InvalidTarget> {
        let misread = |found: &char| {
            found.is_control() || found.is_whitespace() || "\\\"<>^`{|}".contains(*found)
        };
        if let Some(found) = authority.chars().find(misread) {
            return Err(InvalidTarget::Authority { found });
        }
        let host_and_port = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        let (host, port) = match host_and_port.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port),
            _ => (host_and_port, ""),
        };
        let literal = host.starts_with('[') && host.ends_with(']');
        if !literal && host.contains([':', '[', ']']) {
            return Err(InvalidTarget::Host);
        }
        if host.is_empty() && needs_host {
            return Err(InvalidTarget::NoHost);
        }
        let port = match port {
            "" => None,
            digits if digits.bytes().all(|octet| octet.is_ascii_digit()) => {
                Some(digits.parse().map_err(|_| InvalidTarget::Port)?)
            }
            _ => return Err(InvalidTarget::Port),
        };
        Ok(Self { host, port })
    }
}

/// The octets that rules are compared with for `url`, before normalisation, and what they are made of.
#[inline]
pub(crate) fn requested(url: &str) -> Result<(Cow<'_, [u8]>, OctetSet), InvalidTarget> {
    let path = if url.starts_with('/') {
        Some(url)
    } else {
        plain(url).map(|(_, _, path)| path)
    };
    if let Some(path) = path.map(str::as_bytes) {
        let set = OctetSet::of(path);
        if !set.has_hash() {
            return Ok((Cow::Borrowed(path), set));
        }
    }
    let path = Target::new(url)?.octets();
    let set = OctetSet::of(&path);
    Ok((path, set))
}

/// Scheme, host, and what stands from the first `/` on in a URL that is as most are: `http` or `https` in lower case, and
/// a host of octets that mean nothing but themselves. `None` for every other URL.
#[inline]
fn plain(url: &str) -> Option<(&str, &str, &str)> {
    let scheme = match url.as_bytes() {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => 5,
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => 4,
        _ => return None,
    };
    let (scheme, rest) = url.split_at_checked(scheme)?;
    let rest = rest.get("://".len()..)?;
    let (host, path) = rest.split_at_checked(memchr::memchr(b'/', rest.as_bytes())?)?;
    (!host.is_empty() && OctetSet::of(host.as_bytes()).is_verbatim())
        .then_some((scheme, host, path))
}

/// An empty path is `/`, and a query alone belongs to `/` (REP-47).
fn rooted(path: &str) -> Cow<'_, [u8]> {
    match path.as_bytes() {
        [] => Cow::Borrowed(b"/"),
        [b'/', ..] => Cow::Borrowed(path.as_bytes()),
        query => Cow::Owned([b"/", query].concat()),
    }
}

#[inline]
fn until(text: &str, end: u8) -> &str {
    memchr::memchr(end, text.as_bytes())
        .and_then(|at| text.get(..at))
        .unwrap_or(text)
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet))
}

fn is_web(scheme: &str) -> bool {
    ["http", "https"]
        .iter()
        .any(|web| scheme.eq_ignore_ascii_case(web))
}

/// The octets that google/robotstxt compares: it takes any text for a URL, strips what looks like
/// scheme and authority, and never normalises the rest (`GetPathParamsQuery` in its source).
pub(crate) fn google(url: &str) -> Cow<'_, [u8]> {
    const PATH: [char; 3] = ['/', '?', ';'];
    let find = |from: usize, pattern: &[char]| {
        let at = url.get(from..)?.find(pattern)?;
        Some(from.saturating_add(at))
    };
    let search = if url.starts_with("//") { 2 } else { 0 };
    let early = find(search, &PATH);
    let scheme = url.get(search..).and_then(|rest| rest.find("://"));
    let scheme = scheme.map(|at| search.saturating_add(at));
    let authority = match (early, scheme) {
        (Some(early), Some(end)) if early < end => search,
        (_, Some(end)) => end.saturating_add(3),
        (_, None) => search,
    };
    let Some(start) = find(authority, &PATH) else {
        return Cow::Borrowed(b"/");
    };
    let hash = find(search, &['#']);
    if hash.is_some_and(|hash| hash < start) {
        return Cow::Borrowed(b"/");
    }
    let path = url
        .get(start..hash.unwrap_or(url.len()))
        .unwrap_or_default();
    rooted(until(path, 0))
}

/// Why text is no target. Asked about such text, [`Policy::allows`](crate::Policy::allows) says no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidTarget {
    /// Neither a scheme nor a `/` at the beginning.
    #[error("expected an absolute URL such as https://example.com/page, but found no scheme")]
    NoScheme,
    /// A scheme, but no `//` after it.
    #[error("expected \"//\" and a host after the scheme")]
    NoAuthority,
    /// `http` or `https` without a host.
    #[error("expected a host after \"//\", but found none")]
    NoHost,
    /// A host that is no name and no address.
    #[error("expected a host name or an IP address, but found a stray ':', '[' or ']'")]
    Host,
    /// A port that is no number up to 65535.
    #[error("expected a port from 0 to 65535")]
    Port,
    /// A character that clients read in different ways.
    #[error("expected a host, but found {found:?} in the authority")]
    Authority {
        /// The first such character.
        found: char,
    },
}
