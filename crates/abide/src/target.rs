//! Reads a URL: the path that rules are compared with (REP-47), and the URL of its robots.txt.

use crate::moment::Moment;
use crate::pattern::byte_set::ByteSet;
use crate::pattern::{as_sent, without_trailing_spaces};
use crate::preference::{Documents, tdmrep};
use crate::profile::Profile;
use crate::tag::Response;
use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};
use thiserror::Error;

/// The URL that a decision is about, with what the client knows of the resource. Borrows from the
/// caller.
///
/// The URL is compared as written (AMB-REP-24): dot segments are not resolved, nothing is
/// re-encoded, and the fragment is ignored. If web clients would send another path, the decision
/// has the diagnostic `url-not-as-sent`.
///
/// ```
/// use abide::Target;
/// let target = Target::new("https://example.com/a?b#c")?;
/// assert_eq!(target.path_and_query(), "/a?b");
/// assert_eq!(target.robots_url().as_deref(), Some("https://example.com/robots.txt"));
/// # Ok::<(), abide::TargetError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target<'a> {
    url: &'a str,
    origin: Option<Origin<'a>>,
    path: &'a str,
    response: Option<&'a Response>,
    documents: Option<&'a Documents>,
    now: Option<Moment>,
    history: History,
}

/// What the client knows of earlier visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct History {
    /// When the resource was first indexed. Time limits of indexing count from then (ACAP-84).
    /// Without it, none of them has passed.
    pub first_indexed: Option<Moment>,
    /// When the resource was first copied. Time limits of keeping and presenting count from then
    /// (ACAP-92, AMB-ACAP-31). Without it, none of them has passed.
    pub first_copied: Option<Moment>,
    /// The version that the question is about.
    pub version: Version,
}

/// Which version of a resource the question is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Version {
    /// The version of the latest crawl.
    #[default]
    Latest,
    /// A version of an older crawl.
    Old,
}

crate::named!(Version, [Latest = "latest", Old = "old"]);

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

/// The path of robots.txt.
const FILE: &str = "/robots.txt";

impl<'a> Target<'a> {
    /// Reads an absolute URL, or a path with query that begins with `/`.
    ///
    /// # Errors
    /// [`TargetError`] for any other text, and for an authority that clients read in different
    /// ways.
    pub fn new(url: &'a str) -> Result<Self, TargetError> {
        if url.starts_with('/') {
            return Ok(Self::at(url, None, until(url, b'#')));
        }
        if let Some(found) = Self::plain(url) {
            return Ok(found);
        }
        let (scheme, rest) = url
            .split_once(':')
            .filter(|(scheme, _)| is_scheme(scheme))
            .ok_or(TargetError::NoScheme)?;
        let Some(rest) = rest.strip_prefix("//") else {
            let hierarchical = rest.starts_with('/') && !is_web(scheme);
            let origin = Some(Origin {
                scheme,
                authority: None,
            });
            return if hierarchical {
                Ok(Self::at(url, origin, until(rest, b'#')))
            } else {
                Err(TargetError::NoAuthority)
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

    /// Reads a URL of the usual shape (see [`plain`]) without checking more.
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
            documents: None,
            now: None,
            history: History::default(),
        }
    }

    /// Sets the robots tags of the response.
    #[must_use]
    pub fn with_response(self, response: &'a Response) -> Self {
        Self {
            response: Some(response),
            ..self
        }
    }

    /// Sets what is known of the documents beside robots.txt, for AI preferences.
    #[must_use]
    pub fn with_documents(self, documents: &'a Documents) -> Self {
        Self {
            documents: Some(documents),
            ..self
        }
    }

    /// Sets the time of the decision [default: before every date in a rule].
    #[must_use]
    pub fn with_now(self, now: Moment) -> Self {
        Self {
            now: Some(now),
            ..self
        }
    }

    /// Sets what the client knows of earlier visits.
    #[must_use]
    pub fn with_history(self, history: History) -> Self {
        Self { history, ..self }
    }

    pub(crate) fn history(&self) -> History {
        self.history
    }

    pub(crate) fn response(&self) -> Option<&'a Response> {
        self.response
    }

    /// The documents of [`Target::with_documents`].
    #[must_use]
    pub fn documents(&self) -> Option<&'a Documents> {
        self.documents
    }

    pub(crate) fn now(&self) -> Option<Moment> {
        self.now
    }

    /// The URL as given.
    #[must_use]
    pub fn url(&self) -> &'a str {
        self.url
    }

    /// Whether the URL has a scheme, so that the URL of its robots.txt is known.
    #[must_use]
    pub fn is_absolute(&self) -> bool {
        self.origin.is_some()
    }

    /// Whether the URL's scheme is `http` or `https`.
    #[must_use]
    pub fn is_web(&self) -> bool {
        self.origin.is_some_and(|origin| is_web(origin.scheme))
    }

    /// Path and query as written, without the fragment. An empty path is `/` (REP-47). The result
    /// begins with `?` if the URL has a query and no path.
    #[must_use]
    pub fn path_and_query(&self) -> &'a str {
        if self.path.is_empty() { "/" } else { self.path }
    }

    /// The path and query that web clients send, if these differ from the URL: clients resolve dot
    /// segments, replace `\` by `/`, and encode or remove spaces and controls. `None` if they send
    /// the path as written, and for a URL that is neither http nor https.
    ///
    /// ```
    /// use abide::Target;
    /// let target = Target::new("https://example.com/public/../private/x")?;
    /// assert_eq!(target.path_as_sent().as_deref(), Some("/private/x"));
    /// assert_eq!(Target::new("https://example.com/private/x")?.path_as_sent(), None);
    /// # Ok::<(), abide::TargetError>(())
    /// ```
    #[must_use]
    pub fn path_as_sent(&self) -> Option<Cow<'a, str>> {
        let sent = as_sent(without_trailing_spaces(self.path, self.url));
        (sent != self.path && (self.is_web() || !self.is_absolute())).then_some(sent)
    }

    /// The URL of the robots.txt for this URL (REP-67, REP-68). Scheme and host are in lower case
    /// and without escapes, there is no user information, and no port if it is the default one. A
    /// host with letters outside ASCII keeps them. `None` for a path.
    #[must_use]
    pub fn robots_url(&self) -> Option<String> {
        self.url_on_site(FILE)
    }

    /// The URL of the `tdmrep.json` for this URL (PREF-69). `None` for a path.
    #[must_use]
    pub fn tdmrep_url(&self) -> Option<String> {
        self.url_on_site(tdmrep::PATH)
    }

    /// The URL of the file at `path` on the site of this URL.
    fn url_on_site(&self, path: &str) -> Option<String> {
        let origin = self.origin?;
        let room = "://"
            .len()
            .saturating_add(":65535".len())
            .saturating_add(path.len());
        let mut url = String::with_capacity(self.url.len().saturating_add(room));
        url.push_str(origin.scheme);
        let Some(authority) = origin.authority else {
            url.make_ascii_lowercase();
            url.push(':');
            url.push_str(path);
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
        url.push_str(path);
        Some(url)
    }

    /// Whether both URLs are on one site: same scheme, host and port. The spelling of a host does
    /// not matter as long as it needs no table of Unicode: case, escapes, a final dot, and the
    /// forms of an address of IPv6.
    pub(crate) fn is_on_site_of(&self, other: &Target<'_>) -> bool {
        let (Some(own), Some(others)) = (self.url_on_site(""), other.url_on_site("")) else {
            return false;
        };
        own == others || comparable(&own) == comparable(&others)
    }

    /// The path that rules are compared with in the reading of `reading`, before normalisation.
    pub(crate) fn requested(&self, reading: Profile) -> Cow<'a, str> {
        match reading {
            Profile::Careful => rooted(self.path),
            Profile::Google => google(self.url),
        }
    }
}

/// Whether `authority` obviously is as the URL Standard serialises it, as nearly every one is: an
/// address of IPv4 or a name in lower case, and a port that is nobody's default, if any (REP-67).
/// If not, only a parser of URLs can say: parsing takes as long as a small decision.
#[must_use]
pub fn is_serialised_authority(authority: &str) -> bool {
    let mut bytes = authority.bytes();
    let end = bytes.position(|byte| !is_of_a_host(byte));
    let end = end.unwrap_or(authority.len());
    let (host, port) = authority.split_at_checked(end).unwrap_or((authority, ""));
    let is_port = |port: &str| {
        let number = port.parse::<u16>();
        port.starts_with(|first| matches!(first, '1'..='9'))
            && number.is_ok_and(|number| !matches!(number, 80 | 443))
    };
    (is_lower_name(host.as_bytes()) || host.parse::<Ipv4Addr>().is_ok())
        && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
}

/// Whether `host`, whose bytes can all be part of one, is a name without labels that are encoded
/// for DNS. A name whose last label is a number is an address in another form.
fn is_lower_name(host: &[u8]) -> bool {
    let is_label = |label: &[u8]| (1..=63).contains(&label.len()) && !label.starts_with(b"xn--");
    let mut labels = host.split(|byte| *byte == b'.');
    let is_last = |label: &[u8]| is_label(label) && label.iter().all(u8::is_ascii_lowercase);
    host.len() <= 253 && labels.next_back().is_some_and(is_last) && labels.all(is_label)
}

impl<'a> Authority<'a> {
    fn read(authority: &'a str, needs_host: bool) -> Result<Self, TargetError> {
        let misread = |found: &char| {
            found.is_control() || found.is_whitespace() || "\\\"<>^`{|}".contains(*found)
        };
        if let Some(found) = authority.chars().find(misread) {
            return Err(TargetError::Authority { found });
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
            return Err(TargetError::Host);
        }
        if host.is_empty() && needs_host {
            return Err(TargetError::NoHost);
        }
        let port = match port {
            "" => None,
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(digits.parse().map_err(|_| TargetError::Port)?)
            }
            _ => return Err(TargetError::Port),
        };
        Ok(Self { host, port })
    }
}

/// The origin `site`, with its host in one spelling: lower case, without a final dot, and an
/// address of IPv6 in its shortest form.
fn comparable(site: &str) -> String {
    let address = site.split_once('[').and_then(|(scheme, rest)| {
        let (address, port) = rest.split_once(']')?;
        let address: Ipv6Addr = address.parse().ok()?;
        Some(format!("{scheme}[{address}]{port}"))
    });
    address.unwrap_or_else(|| {
        let site = site.to_lowercase().replace(".:", ":");
        site.strip_suffix('.').map_or(site.clone(), str::to_owned)
    })
}

/// Decodes the escapes of letters, digits, `-` and `.` in a host. Clients decode escapes before
/// they look a name up, and reject a name with any other byte.
fn unescaped(host: &str) -> Cow<'_, str> {
    let mut parts = host.split('%');
    let before = parts.next().unwrap_or(host);
    if before.len() == host.len() {
        return Cow::Borrowed(host);
    }
    let mut plain = String::from(before);
    for part in parts {
        let escape = part.split_at_checked(2).and_then(|(digits, behind)| {
            let byte = u8::from_str_radix(digits, 16).ok()?;
            let is_of_a_name = byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
            is_of_a_name.then_some((char::from(byte), behind))
        });
        let (first, rest) = escape.unwrap_or(('%', part));
        plain.push(first);
        plain.push_str(rest);
    }
    Cow::Owned(plain)
}

/// The path of `url` that rules are compared with under the profile `reading`, before
/// normalisation, and the bytes that it contains. `None` if the text is not a URL.
#[inline]
pub(crate) fn requested(url: &str, reading: Profile) -> Option<(Cow<'_, [u8]>, ByteSet)> {
    let path = match reading {
        Profile::Careful => rooted(Target::new(url).ok()?.path),
        Profile::Google => google(url),
    };
    let set = ByteSet::of(path.as_bytes());
    let path = match path {
        Cow::Borrowed(path) => Cow::Borrowed(path.as_bytes()),
        Cow::Owned(path) => Cow::Owned(path.into_bytes()),
    };
    Some((path, set))
}

/// Where the path of a usual URL begins. It ends with the URL if that has no fragment. `None` for
/// an unusual URL.
#[inline]
pub(crate) fn plain_start(url: &str) -> Option<usize> {
    match url.as_bytes() {
        [b'/', ..] => Some(0),
        bytes => Some(plain(bytes)?.1),
    }
}

/// Where the scheme ends and where the path begins in a usual URL: `http` or `https` in lower case,
/// a host of small letters, digits, `-` and `.`, then `/`. `None` for an unusual URL.
///
/// Most URLs are usual, and this costs them one comparison for the scheme and one per eight bytes
/// of the host. It replaces splitting at `://` and `/`, then checking each part.
#[inline]
fn plain(url: &[u8]) -> Option<(usize, usize)> {
    // The first eight bytes are compared as one number. `http://` has seven, and the eighth belongs
    // to the host: in little-endian order it is the highest byte, which `<< 8` shifts out.
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

/// How many bytes at the beginning of `text` are small letters, digits, `-` or `.`.
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
    length.wrapping_add(rest.iter().take_while(|byte| is_of_a_host(**byte)).count())
}

/// Whether a byte is a small letter, a digit, `-` or `.`.
#[inline]
const fn is_of_a_host(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.')
}

/// Tests eight bytes at once. In the result, the highest bit of a byte is set if that byte cannot
/// be part of a host: if it is not a small letter, a digit, `-` or `.`. All other bits are 0.
#[inline]
const fn others_than_of_a_host(eight: u64) -> u64 {
    const fn each(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    /// Sets the highest bit of each byte that is in `low..=high`. All bytes are below 0x80, so
    /// adding `0x80 - low` reaches the highest bit exactly if the byte is at least `low`, adding
    /// `0x7F - high` exactly if it is above `high`, and neither sum carries into the next byte.
    const fn within(seven_bits: u64, low: u8, high: u8) -> u64 {
        let from = seven_bits.wrapping_add(each(0x80_u8.wrapping_sub(low)));
        from & !seven_bits.wrapping_add(each(0x7F_u8.wrapping_sub(high)))
    }
    // A byte from 0x80 on is never part of a host: `eight` itself has its highest bit.
    let low = eight & each(0x7F);
    let of_a_host = within(low, b'a', b'z') | within(low, b'0', b'9') | within(low, b'-', b'.');
    each(0x80) & (eight | !of_a_host)
}

/// Adds the `/` of an empty path, or of a query without a path (REP-47).
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
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

fn is_web(scheme: &str) -> bool {
    ["http", "https"]
        .iter()
        .any(|web| scheme.eq_ignore_ascii_case(web))
}

/// The path that google/robotstxt compares: it accepts any text as a URL, removes what looks like
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

/// Why a text is not a URL. [`Policy::allows`](crate::Policy::allows) returns `false` for such a
/// text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TargetError {
    /// Neither a scheme nor a `/` at the beginning.
    #[error("the URL has no scheme; expected one such as https://example.com/page")]
    NoScheme,
    /// A scheme, but no `//` after it.
    #[error("expected \"//\" and a host after the scheme")]
    NoAuthority,
    /// `http` or `https` without a host.
    #[error("expected a host after \"//\", but found none")]
    NoHost,
    /// A host that is neither a name nor an address.
    #[error("expected a host name or an IP address, but found a stray ':', '[' or ']'")]
    Host,
    /// A port that is not a number up to 65535.
    #[error("expected a port from 0 to 65535")]
    Port,
    /// A character that clients read in different ways.
    #[error("expected a host, but found {found:?} in the authority")]
    Authority {
        /// The first such character.
        found: char,
    },
}
