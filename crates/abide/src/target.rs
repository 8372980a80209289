//! URLs to the octets that rules are compared with (REP-47), and to the place of their robots.txt.

use super::as_sent::{as_sent, without_trailing_spaces};
use super::octet_set::OctetSet;
use crate::moment::Moment;
use crate::profile::Profile;
use crate::tag::Response;
use std::borrow::Cow;
use thiserror::Error;

/// What a decision is asked about: a URL. Valid once built, and borrowed from the caller.
///
/// The URL is taken as the client will send it (AMB-REP-24): nothing is resolved, joined or
/// re-encoded here, and a fragment does not take part. A decision about a URL that web clients rewrite
/// before they send it has the diagnostic `url-not-as-sent`.
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
        if let Some(found) = Self::plain(url) {
            return Ok(found);
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

    /// A URL as most are, which needs no closer look.
    fn plain(url: &'a str) -> Option<Self> {
        let (scheme, path) = plain(url.as_bytes())?;
        let host = url.get(scheme.saturating_add("://".len())..path)?;
        let origin = Origin {
            scheme: url.get(..scheme)?,
            authority: Some(Authority { host, port: None }),
        };
        Some(Self::at(url, Some(origin), until(url.get(path..)?, b'#')))
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

    /// The path and query that web clients send instead of those of this URL, because they resolve dot
    /// segments, turn `\` into `/`, and encode or remove blanks and controls. `None` if they send it as
    /// it is, and for a URL that is neither http nor https.
    ///
    /// ```
    /// use abide::Target;
    /// let target = Target::new("https://example.com/public/../private/x")?;
    /// assert_eq!(target.path_as_sent().as_deref(), Some("/private/x"));
    /// assert_eq!(Target::new("https://example.com/private/x")?.path_as_sent(), None);
    /// # Ok::<(), abide::InvalidTarget>(())
    /// ```
    #[must_use]
    pub fn path_as_sent(&self) -> Option<Cow<'a, str>> {
        let sent = as_sent(without_trailing_spaces(self.path, self.url));
        (sent != self.path && (self.is_web() || !self.is_absolute())).then_some(sent)
    }

    /// Where the robots.txt of this URL lives (REP-67, REP-68): scheme and host in lower case and
    /// without escapes, without user information, and with the port unless it is the scheme's own.
    /// A host beyond ASCII keeps its letters. `None` for a path.
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
        url.push_str(&unescaped(authority.host));
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

    /// What rules are compared with in the reading of `reading`, before normalisation.
    pub(crate) fn requested(&self, reading: Profile) -> Cow<'a, str> {
        match reading {
            Profile::Careful => rooted(self.path),
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

/// A host with the escapes of letters, digits, `-` and `.` decoded: clients decode them all before
/// they look the name up, and refuse a name of other octets.
fn unescaped(host: &str) -> Cow<'_, str> {
    let mut parts = host.split('%');
    let before = parts.next().unwrap_or(host);
    if before.len() == host.len() {
        return Cow::Borrowed(host);
    }
    let mut plain = String::from(before);
    for part in parts {
        let escape = part.split_at_checked(2).and_then(|(digits, behind)| {
            let octet = u8::from_str_radix(digits, 16).ok()?;
            let is_of_a_name = octet.is_ascii_alphanumeric() || b"-.".contains(&octet);
            is_of_a_name.then_some((char::from(octet), behind))
        });
        let (first, rest) = escape.unwrap_or(('%', part));
        plain.push(first);
        plain.push_str(rest);
    }
    Cow::Owned(plain)
}

/// The octets that rules are compared with for `url` in the reading of `reading`, before normalisation, and what they are
/// made of; `None` for text that is no target.
#[inline]
pub(crate) fn requested(url: &str, reading: Profile) -> Option<(Cow<'_, [u8]>, OctetSet)> {
    let path = match reading {
        Profile::Careful => rooted(Target::new(url).ok()?.path),
        Profile::Google => google(url),
    };
    let set = OctetSet::of(path.as_bytes());
    let path = match path {
        Cow::Borrowed(path) => Cow::Borrowed(path.as_bytes()),
        Cow::Owned(path) => Cow::Owned(path.into_bytes()),
    };
    Some((path, set))
}

/// Where the path begins, with `/`, in a URL as most are, which goes on to its end where there is no fragment. `None` for
/// every other URL.
#[inline]
pub(crate) fn plain_start(url: &str) -> Option<usize> {
    match url.as_bytes() {
        [b'/', ..] => Some(0),
        octets => Some(plain(octets)?.1),
    }
}

/// Where the scheme ends and where the path begins, with `/`, in a URL that is as most are: `http` or `https` in lower
/// case, and a host of octets that mean nothing but themselves. `None` for every other URL.
#[inline]
fn plain(url: &[u8]) -> Option<(usize, usize)> {
    // Eight octets are compared at once, of which `http://` has one too few.
    const LONG: u64 = u64::from_le_bytes(*b"https://");
    const SHORT: u64 = u64::from_le_bytes(*b"http://\0");
    let (first, behind) = url.split_first_chunk()?;
    let first = u64::from_le_bytes(*first);
    let (scheme, rest): (usize, _) = match first {
        LONG => (5, behind),
        _ if first << 8 == SHORT << 8 => (4, url.get(7..)?),
        _ => return None,
    };
    let host = host_length(rest);
    let path = scheme.wrapping_add("://".len()).wrapping_add(host);
    (host > 0 && rest.get(host) == Some(&b'/')).then_some((scheme, path))
}

/// How many octets at the beginning of `text` are small letters, digits, `-` and `.`: what most hosts are made of.
#[inline]
fn host_length(text: &[u8]) -> usize {
    let (eights, rest) = text.as_chunks();
    let mut length = 0_usize;
    for eight in eights {
        let others = others_than_of_a_host(u64::from_le_bytes(*eight));
        if others != 0 {
            return length.wrapping_add(others.trailing_zeros() as usize / 8);
        }
        length = length.wrapping_add(8);
    }
    let is_of_a_host = |octet: &&u8| matches!(octet, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
    length.wrapping_add(rest.iter().take_while(is_of_a_host).count())
}

/// The highest bit of each of eight octets that is neither a small letter nor a digit, `-` or `.`.
#[inline]
const fn others_than_of_a_host(eight: u64) -> u64 {
    const fn each(octet: u8) -> u64 {
        u64::from_le_bytes([octet; 8])
    }
    /// Sets the highest bit of each octet from `low` to `high`; what is added never carries over.
    const fn within(seven_bits: u64, low: u8, high: u8) -> u64 {
        let from = seven_bits.wrapping_add(each(0x80_u8.wrapping_sub(low)));
        from & !seven_bits.wrapping_add(each(0x7F_u8.wrapping_sub(high)))
    }
    let low = eight & each(0x7F);
    let of_a_host = within(low, b'a', b'z') | within(low, b'0', b'9') | within(low, b'-', b'.');
    each(0x80) & (eight | !of_a_host)
}

/// An empty path is `/`, and a query alone belongs to `/` (REP-47).
fn rooted(path: &str) -> Cow<'_, str> {
    match path.as_bytes() {
        [] => Cow::Borrowed("/"),
        [b'/', ..] => Cow::Borrowed(path),
        _ => Cow::Owned(["/", path].concat()),
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
fn google(url: &str) -> Cow<'_, str> {
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
        return Cow::Borrowed("/");
    };
    let hash = find(search, &['#']);
    if hash.is_some_and(|hash| hash < start) {
        return Cow::Borrowed("/");
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
