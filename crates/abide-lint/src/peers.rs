//! What other tools that judge robots.txt files will say about one.
//!
//! Each row of facts was read from the tool's own code; `docs/peers.md` has the sources and the
//! day. No rule of a crawler follows from what they say.

use abide::syntax::{Field, FieldKind};
use abide::{Limits, Named as _, Profile, Robots};
use std::str::FromStr;
use thiserror::Error;
use url::Url;

/// A tool that judges robots.txt files, and whose code is public.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Peer {
    /// The audit "robots.txt is valid" of Lighthouse 12.0 to 13.0.
    Lighthouse12,
    /// That audit of Lighthouse 13.1 to 13.5, which also knows `Content-Signal`.
    Lighthouse13,
    /// The parser that Google publishes, with its report of lines.
    Google,
}

abide::named!(
    Peer,
    [
        Lighthouse12 = "lighthouse@12",
        Lighthouse13 = "lighthouse@13",
        Google = "google"
    ]
);

/// What a tool says about a line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "it is a place and a sentence")]
pub struct Complaint {
    /// The line, from 1. Like robots, the tools count CR, LF and CR LF as ends of lines.
    pub line: u32,
    /// The tool's own words.
    pub message: &'static str,
}

/// A name that is no [`Peer`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "abide does not know the tool {name:?}; expected lighthouse, {}",
    Peer::listed()
)]
#[non_exhaustive]
pub struct UnknownPeerError {
    /// What was given.
    pub name: String,
}

/// The newest Lighthouse whose audit is known.
const NEWEST_LIGHTHOUSE: (u32, u32) = (13, 5);

/// Its name, for people.
pub(crate) const NEWEST: &str = "Lighthouse 13.5";

impl FromStr for Peer {
    type Err = UnknownPeerError;

    /// Reads a name, or `lighthouse` for the newest one, or `lighthouse@` and a version.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = |name: &str| {
            let mut all = Self::ALL.iter().copied();
            all.find(|peer| peer.name() == name)
        };
        let of_version = |version: &str| {
            let parts: Result<Vec<u32>, _> = version.split('.').map(str::parse).collect();
            let parts = parts.ok().filter(|parts| parts.len() <= 3)?;
            let major = *parts.first()?;
            let minor = parts.get(1).copied().unwrap_or(0);
            match (major, minor) {
                (12, 0..=8) | (13, 0) => Some(Self::Lighthouse12),
                version if ((13, 1)..=NEWEST_LIGHTHOUSE).contains(&version) => {
                    Some(Self::Lighthouse13)
                }
                _ => None,
            }
        };
        let version = || of_version(name.strip_prefix("lighthouse@")?);
        let found = match name {
            "lighthouse" => Some(Self::Lighthouse13),
            _ => known(name).or_else(version),
        };
        let name = || name.to_owned();
        found.ok_or_else(|| UnknownPeerError { name: name() })
    }
}

impl Peer {
    /// The tool, with the versions whose code was read.
    ///
    /// ```
    /// use abide_lint::peers::Peer;
    /// assert_eq!("lighthouse".parse::<Peer>()?.title(), "Lighthouse 13.1 to 13.5");
    /// # Ok::<(), abide_lint::peers::UnknownPeerError>(())
    /// ```
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Lighthouse12 => "Lighthouse 12.0 to 13.0",
            Self::Lighthouse13 => "Lighthouse 13.1 to 13.5",
            Self::Google => "Google's parser",
        }
    }

    /// Whether a single complaint makes the tool call the file invalid.
    #[must_use]
    pub const fn fails(self) -> bool {
        !matches!(self, Self::Google)
    }

    /// What the tool says about the lines of a robots.txt that was served with status 200. The
    /// bytes are read as UTF-8, without a limit of size.
    ///
    /// ```
    /// use abide_lint::peers::Peer;
    /// let file = b"User-agent: *\nContent-Usage: train-ai=n\nDisallow:\n";
    /// let said = Peer::Lighthouse13.complaints(file);
    /// assert_eq!((said[0].line, said[0].message), (2, "Unknown directive"));
    /// ```
    #[must_use]
    pub fn complaints(self, robots_txt: &[u8]) -> Vec<Complaint> {
        match self {
            Self::Google => unused_by_google(robots_txt),
            Self::Lighthouse12 | Self::Lighthouse13 => self.failed_audit(robots_txt),
        }
    }

    /// The audit of Lighthouse: a line has at most one error.
    fn failed_audit(self, robots_txt: &[u8]) -> Vec<Complaint> {
        let text = String::from_utf8_lossy(robots_txt);
        let mut in_group = false;
        let mut complaints = Vec::new();
        for (line, number) in lines(&text).zip(1..) {
            let message = match self.read(line) {
                Ok(Some("user-agent")) => {
                    in_group = true;
                    None
                }
                Ok(Some("allow" | "disallow")) if !in_group => Some(NO_AGENT),
                Ok(_) => None,
                Err(message) => Some(message),
            };
            complaints.extend(message.map(|message| Complaint {
                line: number,
                message,
            }));
        }
        complaints
    }

    /// The key of a line, if it has one, or what is wrong with it.
    fn read(self, line: &str) -> Result<Option<&'static str>, &'static str> {
        let line = trimmed(line.split('#').next().unwrap_or(line));
        if line.is_empty() {
            return Ok(None);
        }
        let (key, value) = line.split_once(':').ok_or("Syntax not understood")?;
        let (key, value) = (trimmed(key).to_lowercase(), trimmed(value));
        let mut known = OF_LIGHTHOUSE.iter().copied();
        let key = known
            .find(|known| *known == key && self.knows(known))
            .ok_or(UNKNOWN)?;
        match key {
            "sitemap" => check_sitemap(value)?,
            "user-agent" if value.is_empty() => return Err(NO_AGENT),
            "allow" | "disallow" => check_pattern(value)?,
            _ => {}
        }
        Ok(Some(key))
    }

    /// Whether this Lighthouse calls a key unknown.
    pub(crate) fn rejects_key(self, key: &[u8]) -> bool {
        let mut known = OF_LIGHTHOUSE.iter();
        !known.any(|known| self.knows(known) && key.eq_ignore_ascii_case(known.as_bytes()))
    }

    /// Whether this Lighthouse knows a key of the newest one.
    fn knows(self, key: &str) -> bool {
        key != "content-signal" || self == Self::Lighthouse13
    }
}

/// Lighthouse on a key that it does not know.
const UNKNOWN: &str = "Unknown directive";
const NO_AGENT: &str = "No user-agent specified";

/// The keys that the newest Lighthouse knows.
const OF_LIGHTHOUSE: [&str; 11] = [
    "user-agent",
    "disallow",
    "allow",
    "sitemap",
    "crawl-delay",
    "clean-param",
    "host",
    "request-rate",
    "visit-time",
    "noindex",
    "content-signal",
];

/// The keys that Google's report calls unused: other search engines may use them.
const UNUSED_BY_GOOGLE: [&str; 12] = [
    "clean-param",
    "content-signal",
    "content-usage",
    "crawl-delay",
    "domain",
    "host",
    "noarchive",
    "nofollow",
    "noindex",
    "request-rate",
    "revisit-after",
    "visit-time",
];

/// The lines of a text, the last one even if it is empty.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.find(['\r', '\n']) else {
            return rest.take();
        };
        let (line, after) = text.split_at(end);
        let after = after.strip_prefix("\r\n").or_else(|| after.get(1..));
        rest = after;
        Some(line)
    })
}

/// Without what JavaScript takes for white space, which is not quite what Unicode does.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|found: char| {
        found == '\u{feff}' || (found.is_whitespace() && found != '\u{85}')
    })
}

fn check_pattern(value: &str) -> Result<(), &'static str> {
    if !value.is_empty() && !value.starts_with(['/', '*']) {
        return Err("Pattern should either be empty, start with \"/\" or \"*\"");
    }
    match value.find('$') {
        Some(at) if at + 1 != value.len() => {
            Err("\"$\" should only be used at the end of the pattern")
        }
        _ => Ok(()),
    }
}

fn check_sitemap(value: &str) -> Result<(), &'static str> {
    let url = Url::parse(value).map_err(|_| "Invalid sitemap URL")?;
    match url.scheme() {
        "http" | "https" | "ftp" => Ok(()),
        _ => Err("Invalid sitemap URL protocol"),
    }
}

/// google/robotstxt reads a key that begins with one of these as that key.
const KEYS_OF_GOOGLE: [&str; 5] = ["user-agent", "useragent", "allow", "disallow", "sitemap"];

/// The key that google/robotstxt takes a key for, because it begins like it.
pub(crate) fn taken_by_google(key: &[u8]) -> Option<&'static str> {
    let begins = |known: &&str| {
        let start = key.get(..known.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(known.as_bytes()))
    };
    KEYS_OF_GOOGLE.into_iter().find(begins)
}

/// The fields that Google's report calls unused, or knows nothing about.
fn unused_by_google(robots_txt: &[u8]) -> Vec<Complaint> {
    let robots = Robots::parse_as(robots_txt, Profile::Google, Limits::GOOGLE);
    let text = robots.text().as_bytes();
    let fields = robots.lines().iter();
    let fields = fields.filter_map(|line| Some((line.number, line.field()?)));
    let message = |field: &Field| {
        let key = field.key.of(text).to_ascii_lowercase();
        let is_unused = UNUSED_BY_GOOGLE.iter().any(|one| one.as_bytes() == key);
        match field.kind {
            FieldKind::UserAgent | FieldKind::Allow | FieldKind::Disallow | FieldKind::Sitemap => {
                None
            }
            _ if taken_by_google(&key).is_some() => None,
            _ if is_unused => Some("Google does not use this field"),
            _ => Some("Google does not know this field"),
        }
    };
    let complaint = |(line, field)| {
        let message = message(field)?;
        Some(Complaint { line, message })
    };
    fields.filter_map(complaint).collect()
}
