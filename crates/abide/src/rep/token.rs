//! Product tokens: the names by which crawlers find their group (REP-17, REP-24 to REP-28).

use super::user_agent::UserAgentLine;
use crate::profile::Profile;
use crate::reading::{Reading, Readings};
use crate::text::{has_control, is_blank};
use std::collections::BTreeSet;
use std::fmt;
use thiserror::Error;

/// The name that a crawler looks for in user-agent lines. Valid once built.
///
/// ```
/// use abide::ProductToken;
/// assert!(ProductToken::new("ExampleBot").is_ok());
/// assert!(ProductToken::new("ExampleBot/0.1").is_err());
/// assert!(ProductToken::nonstandard("MJ12bot").is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProductToken {
    text: Box<str>,
    comparison: Comparison,
}

/// How much of a `User-agent` value is compared with a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Comparison {
    /// Up to the first byte outside `A-Z a-z - _` (AMB-REP-6).
    Identifier,
    /// Up to the first SP, HTAB or `/` (AMB-REP-7).
    Word,
}

impl ProductToken {
    /// A token of RFC 9309 §2.2.1: one or more of `A-Z a-z - _` (REP-24).
    ///
    /// # Errors
    /// [`ProductTokenError`] for anything else: `ExampleBot/0.1`, `Foo Bar`, the empty string, `*`.
    pub fn new(token: &str) -> Result<Self, ProductTokenError> {
        if token.is_empty() {
            return Err(ProductTokenError::Empty);
        }
        match token
            .chars()
            .find(|&found| !found.is_ascii() || !is_identifier(found as u8))
        {
            Some(found) => Err(ProductTokenError::Character {
                token: token.into(),
                found,
            }),
            None => Ok(Self {
                text: token.into(),
                comparison: Comparison::Identifier,
            }),
        }
    }

    /// A token that RFC 9309 does not allow but real crawlers use, such as `MJ12bot` or
    /// `archive.org_bot` (AMB-REP-7, CLA-9). It is compared with a `User-agent` value up to the
    /// first SP, HTAB or `/`. A token that [`ProductToken::new`] accepts is compared as by that
    /// function.
    ///
    /// # Errors
    /// [`ProductTokenError`] for text that no `User-agent` line could name: the empty string, `*`,
    /// and anything with a space, tab, control, `/` or `#`.
    pub fn nonstandard(token: &str) -> Result<Self, ProductTokenError> {
        if token.is_empty() {
            return Err(ProductTokenError::Empty);
        }
        if let Ok(ordinary) = Self::new(token) {
            return Ok(ordinary);
        }
        if token == "*" {
            return Err(ProductTokenError::Character {
                token: token.into(),
                found: '*',
            });
        }
        match token
            .chars()
            .find(|&c| c.is_whitespace() || c.is_control() || matches!(c, '/' | '#'))
        {
            Some(found) => Err(ProductTokenError::Unfindable {
                token: token.into(),
                found,
            }),
            None => Ok(Self {
                text: token.into(),
                comparison: Comparison::Word,
            }),
        }
    }

    /// The token of the robot that sends this `User-Agent` line, if it does not depend on a file
    /// (REP-25, CLA-23): `ExampleBot` in `ExampleBot/1.0 (…)` and in `Mozilla/5.0 (compatible;
    /// ExampleBot/1.0; …)`. It is the first product that is no browser, library or crawling
    /// software; or else the first library or crawling software. `None` for the line of a browser.
    /// [`UserAgentLine`] has all names.
    ///
    /// ```
    /// use abide::ProductToken;
    /// let token = |line| ProductToken::of_user_agent(line).map(|token| token.to_string());
    /// assert_eq!(token("ExampleBot").as_deref(), Some("ExampleBot"));
    /// assert_eq!(token("Mozilla/5.0 (X11; Linux) ExampleBot/1.0").as_deref(), Some("ExampleBot"));
    /// assert_eq!(token("Mozilla/5.0 (X11; Linux) Gecko/20100101"), None);
    /// ```
    #[must_use]
    pub fn of_user_agent(line: &str) -> Option<Self> {
        let line = UserAgentLine::new(line);
        Self::nonstandard(line.own().or(line.software())?).ok()
    }

    /// Any string, as google/robotstxt accepts it (CLA-9). It is compared with the part of a
    /// `User-agent` value that consists of `A-Z a-z - _`, so a string with other characters matches
    /// no group. Meant for the google profile.
    #[must_use]
    pub fn verbatim(token: &str) -> Self {
        Self {
            text: token.into(),
            comparison: Comparison::Identifier,
        }
    }

    /// Reads a token by the rules of a client: any text in the google profile
    /// ([`ProductToken::verbatim`]), otherwise a token of RFC 9309, or one that real crawlers use
    /// if `nonstandard`.
    ///
    /// # Errors
    /// [`ProductTokenError`] for text that these rules do not allow.
    pub fn read(
        token: &str,
        profile: Profile,
        nonstandard: bool,
    ) -> Result<Self, ProductTokenError> {
        match (profile, nonstandard) {
            (Profile::Google, _) => Ok(Self::verbatim(token)),
            (Profile::Careful, true) => Self::nonstandard(token),
            (Profile::Careful, false) => Self::new(token),
        }
    }

    /// The token as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether a `User-agent` line with this value names the token. Whole tokens are compared, and
    /// case is ignored (REP-27, REP-28).
    pub(crate) fn is_named_by(&self, value: &[u8]) -> bool {
        let token = self.text.as_bytes();
        // Most lines name other robots, and differ early.
        let beginning = value.get(..token.len());
        if !beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(token)) {
            return false;
        }
        self.comparison.part(value).len() == token.len()
    }

    /// Whether a robots tag with this value names the token. Profiles concern robots.txt only
    /// (CLA-16), so a [`verbatim`](Self::verbatim) token is compared like any other.
    pub(crate) fn is_named_by_tag(&self, value: &[u8]) -> bool {
        let token = self.text.as_bytes();
        let comparison = if identifier(token).len() == token.len() {
            Comparison::Identifier
        } else {
            Comparison::Word
        };
        comparison.part(value).eq_ignore_ascii_case(token)
    }
}

impl Comparison {
    /// The part of a user-agent value that is compared.
    fn part(self, value: &[u8]) -> &[u8] {
        match self {
            Self::Identifier => identifier(value),
            Self::Word => word(value),
        }
    }
}

/// A key to look up `User-agent` values by, if there are many values and many tokens: a value names
/// a token if they share a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AgentKey(Comparison, Vec<u8>);

impl AgentKey {
    pub(crate) fn of(token: &ProductToken) -> Self {
        Self(token.comparison, token.text.as_bytes().to_ascii_lowercase())
    }

    /// The keys of a user-agent value, one for each way to compare it.
    pub(crate) fn of_value(value: &[u8]) -> [Self; 2] {
        [Comparison::Identifier, Comparison::Word]
            .map(|comparison| Self(comparison, comparison.part(value).to_ascii_lowercase()))
    }

    /// The keys of a user-agent value as a client with these readings takes it.
    pub(crate) fn of_value_as(value: &[u8], readings: Readings) -> [Self; 2] {
        match named_part(value, readings) {
            None => Self::of_value(value),
            Some(part) => [Comparison::Identifier, Comparison::Word]
                .map(|comparison| Self(comparison, part.to_ascii_lowercase())),
        }
    }
}

/// The robots that the `User-agent` lines of a file name.
///
/// ```
/// use abide::{Client, Policy, ProductToken};
/// let policy = Policy::compile(b"User-agent: ExampleBot/2 *\n", &Client::unnamed());
/// let named = policy.named_robots();
/// assert!(named.have(&ProductToken::new("examplebot")?));
/// assert!(!named.have(&ProductToken::new("Example")?));
/// # Ok::<(), abide::ProductTokenError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NamedRobots(BTreeSet<AgentKey>);

impl NamedRobots {
    /// Adds those of a `User-agent` line with this value.
    pub(crate) fn add(&mut self, value: &[u8]) {
        if !is_any(value, is_blank) && !is_unusable(value) {
            self.0.extend(AgentKey::of_value(value));
        }
    }

    /// Whether some line names the robot with this token.
    #[must_use]
    pub fn have(&self, token: &ProductToken) -> bool {
        self.0.contains(&AgentKey::of(token))
    }
}

impl fmt::Display for ProductToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::str::FromStr for ProductToken {
    type Err = ProductTokenError;

    fn from_str(token: &str) -> Result<Self, Self::Err> {
        Self::new(token)
    }
}

/// The beginning of a user-agent value that is a product token (AMB-REP-6). Empty for a value that
/// names nobody.
pub(crate) fn identifier(value: &[u8]) -> &[u8] {
    let end = value.iter().position(|&byte| !is_identifier(byte));
    end.and_then(|at| value.get(..at)).unwrap_or(value)
}

/// The beginning of a user-agent value up to the first SP, HTAB or `/` (AMB-REP-7).
pub(crate) fn word(value: &[u8]) -> &[u8] {
    let ends = |byte: &u8| is_blank(*byte) || *byte == b'/';
    let end = value.iter().position(ends);
    end.and_then(|at| value.get(..at)).unwrap_or(value)
}

/// Whether a user-agent value addresses every crawler: `*`, alone or before a blank (AMB-REP-6).
pub(crate) fn is_any(value: &[u8], blank: fn(u8) -> bool) -> bool {
    match value {
        [b'*'] => true,
        [b'*', next, ..] => blank(*next),
        _ => false,
    }
}

/// Whether a user-agent value addresses every crawler, with these readings.
pub(crate) fn is_any_as(value: &[u8], readings: Readings) -> bool {
    is_any(value, is_blank) && (value == b"*" || !readings.has(Reading::AgentWhole))
}

/// The part of a user-agent value that is the name of a robot, if these readings have another one
/// than abide's (AMB-REP-6).
pub(crate) fn named_part(value: &[u8], readings: Readings) -> Option<&[u8]> {
    if readings.has(Reading::AgentWord) {
        Some(word(value))
    } else {
        readings.has(Reading::AgentWhole).then_some(value)
    }
}

/// Whether a `User-agent` line names no robot because of a control byte (AMB-REP-8, AMB-REP-12).
pub(crate) fn is_unusable(value: &[u8]) -> bool {
    has_control(value)
}

const fn is_identifier(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_')
}

/// Why a text is not a product token.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProductTokenError {
    /// Nothing was given.
    #[error("expected a product token of letters, '-' and '_', but found an empty string")]
    Empty,
    /// A byte outside of REP-24's set.
    #[error(
        "expected a product token of letters, '-' and '_' (RFC 9309, 2.2.1), but found {found:?} in {token:?}"
    )]
    Character {
        /// What was given.
        token: Box<str>,
        /// The first character that does not belong there.
        found: char,
    },
    /// A character that ends a name in a `User-agent` line, so that nothing could match.
    #[error("expected a name that a user-agent line can hold, but found {found:?} in {token:?}")]
    Unfindable {
        /// What was given.
        token: Box<str>,
        /// The first character that does not belong there.
        found: char,
    },
}
