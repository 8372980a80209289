//! The bytes of a file, and their hash.

use super::digest::sha256;
use crate::machine::RobotsTxt;
use abide::Limits;
use abide::{Client, Policy};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// The SHA-256 of a body; `Display` writes 64 hexadecimal digits, which `FromStr` reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyHash([u8; 32]);

impl BodyHash {
    /// The hash of `bytes`.
    ///
    /// ```
    /// use abide_fetch::BodyHash;
    /// let hash = BodyHash::of(b"");
    /// assert!(hash.to_string().starts_with("e3b0c44298fc1c14"));
    /// ```
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha256(bytes))
    }

    /// A hash that was computed elsewhere.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for BodyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Many rows have a hash, and formatting each byte takes ten times as long.
        let digit = |half: u8| match half {
            0..=9 => b'0'.saturating_add(half),
            _ => (b'a' - 10).saturating_add(half),
        };
        let digits = self.0.map(|byte| [digit(byte >> 4), digit(byte & 0x0f)]);
        f.write_str(str::from_utf8(digits.as_flattened()).unwrap_or_default())
    }
}

/// The text is no SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a SHA-256 of 64 hexadecimal digits")]
#[non_exhaustive]
pub struct BodyHashError;

/// Reads 64 hexadecimal digits, capital letters too.
///
/// ```
/// use abide_fetch::BodyHash;
/// let hash = BodyHash::of(b"");
/// assert_eq!(hash.to_string().parse(), Ok(hash));
/// assert_eq!(hash.to_string().to_uppercase().parse(), Ok(hash));
/// for wrong in ["", "e3b0", &format!("{hash}00"), &"+1".repeat(32), &"é".repeat(32)] {
///     assert!(wrong.parse::<BodyHash>().is_err(), "{wrong}");
/// }
/// ```
impl FromStr for BodyHash {
    type Err = BodyHashError;

    fn from_str(text: &str) -> Result<Self, BodyHashError> {
        let is_hex = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let text = Some(text).filter(|_| is_hex).ok_or(BodyHashError)?;
        let mut bytes = [0; 32];
        for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
            let digits = text.get(at..).and_then(|rest| rest.get(..2));
            let digits = digits.ok_or(BodyHashError)?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| BodyHashError)?;
        }
        Ok(Self(bytes))
    }
}

impl fmt::Debug for BodyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The body that a site sent, up to the limit. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct Body {
    bytes: Arc<[u8]>,
    hash: BodyHash,
    cut: Cut,
}

/// Whether a body continues after the bytes that are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The body is complete.
    #[default]
    Whole,
    /// It continues in the middle of the last line, which therefore is not read (AMB-REP-10).
    InLine,
    /// It continues, and the last line that is kept is complete.
    AtLineEnd,
}

impl Cut {
    /// The byte in records.
    pub(super) const fn to_byte(self) -> u8 {
        match self {
            Self::Whole => 0,
            Self::InLine => 1,
            Self::AtLineEnd => 2,
        }
    }

    pub(super) const fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            0 => Some(Self::Whole),
            1 => Some(Self::InLine),
            2 => Some(Self::AtLineEnd),
            _ => None,
        }
    }
}

impl Body {
    /// A complete body.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Self {
        Self {
            hash: BodyHash::of(&bytes),
            bytes: bytes.into(),
            cut: Cut::Whole,
        }
    }

    /// A body of which at most one byte more was fetched than is read: complete, or cut.
    #[must_use]
    pub fn fetched(bytes: Vec<u8>) -> Self {
        if bytes.len() > Limits::default().bytes() {
            Self::cut(bytes)
        } else {
            Self::new(bytes)
        }
    }

    /// The beginning of a longer body. `fetched` has exactly one byte more than is kept: it shows
    /// whether the last line is complete. The hash covers the bytes that are kept.
    #[must_use]
    pub fn cut(mut fetched: Vec<u8>) -> Self {
        let cut = match fetched.pop() {
            Some(b'\n' | b'\r') => Cut::AtLineEnd,
            Some(_) => Cut::InLine,
            None => Cut::Whole,
        };
        Self::new(fetched).kept_as(cut)
    }

    /// Sets what a record says about the end of the body.
    pub(crate) const fn kept_as(mut self, cut: Cut) -> Self {
        self.cut = cut;
        self
    }

    pub(crate) const fn end(&self) -> Cut {
        self.cut
    }

    /// Whether the body continues after the bytes that are kept.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        !matches!(self.cut, Cut::Whole)
    }

    /// Whether the bytes that are kept end within a line, which then does not count.
    #[must_use]
    pub const fn is_cut_in_line(&self) -> bool {
        matches!(self.cut, Cut::InLine)
    }

    /// The bytes to parse. For a body that continues, one byte is added so that the parser sees
    /// where it is cut: a line end if the last line is complete.
    #[must_use]
    pub fn to_parse(&self) -> Arc<[u8]> {
        let next = match self.cut {
            Cut::Whole => return Arc::clone(&self.bytes),
            Cut::InLine => b'#',
            Cut::AtLineEnd => b'\n',
        };
        self.bytes.iter().copied().chain([next]).collect()
    }

    /// The lines that are kept completely. The parsing limit of a client may be larger than what
    /// was fetched, and half a line must not become a statement.
    fn whole_lines(&self) -> &[u8] {
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let end = match self.cut {
            Cut::Whole | Cut::AtLineEnd => self.bytes.len(),
            Cut::InLine => {
                let last = self.bytes.iter().rposition(is_end);
                last.map_or(0, |last| last.saturating_add(1))
            }
        };
        self.bytes.get(..end).unwrap_or(&self.bytes)
    }

    /// The bytes that are kept, as sent.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Their hash.
    #[must_use]
    pub const fn hash(&self) -> BodyHash {
        self.hash
    }
}

impl RobotsTxt for Body {
    /// Compiles the rules for `client`. If the body was cut, parsing ends there, whatever the
    /// client's own limit is, so that half a line never becomes a rule.
    fn policy(&self, client: &Client) -> Policy {
        match Limits::new(self.bytes.len()) {
            Ok(fetched) if self.is_cut() && fetched.bytes() < client.limits().bytes() => {
                Policy::compile_shared(&self.to_parse(), &client.clone().with_limits(fetched))
            }
            _ => Policy::compile_shared(&self.to_parse(), client),
        }
    }

    fn add_to_unreachable(&self, policy: Policy) -> Policy {
        policy.with_last_known(self.whole_lines())
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(bytes)
    }
}

/// Shows the hash and the length, because the bytes are foreign text.
impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body({}, {} bytes)", self.hash, self.bytes.len())
    }
}
