//! The bytes of a file, and the name that they have for good.

use crate::machine::RobotsTxt;
use abide::Limits;
use abide::{Client, Policy};
use std::fmt;
use std::sync::Arc;

/// The SHA-256 of a body: shown as 64 hexadecimal digits.
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
        let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
        Self(<[u8; 32]>::try_from(digest.as_ref()).unwrap_or_default())
    }

    /// The hash of these bytes, as somebody else worked it out.
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
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for BodyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a site sent as its file, as far as it is kept. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct Body {
    bytes: Arc<[u8]>,
    hash: BodyHash,
    cut: Cut,
}

/// Whether a body goes on behind the bytes that are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Cut {
    /// It does not.
    #[default]
    Whole,
    /// It does, and the next byte belongs to the last line that is kept: that line is not read
    /// (AMB-REP-10).
    InLine,
    /// It does, and the next byte ends the last line that is kept.
    AtLineEnd,
}

impl Cut {
    /// As records write it.
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
    /// These bytes, and their hash.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Self {
        Self {
            hash: BodyHash::of(&bytes),
            bytes: bytes.into(),
            cut: Cut::Whole,
        }
    }

    /// The first bytes of a body that goes on, of which `fetched` has exactly one more than is
    /// kept: it says whether the last line is whole. The hash covers the bytes that are kept.
    #[must_use]
    pub fn cut(mut fetched: Vec<u8>) -> Self {
        let cut = match fetched.pop() {
            Some(b'\n' | b'\r') => Cut::AtLineEnd,
            Some(_) => Cut::InLine,
            None => Cut::Whole,
        };
        Self::new(fetched).kept_as(cut)
    }

    /// The body with what a record says about its end.
    pub(crate) const fn kept_as(mut self, cut: Cut) -> Self {
        self.cut = cut;
        self
    }

    pub(crate) const fn end(&self) -> Cut {
        self.cut
    }

    /// Whether it goes on behind the bytes that are kept.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        !matches!(self.cut, Cut::Whole)
    }

    /// The bytes, and for a body that goes on one more, so that a parser sees where it is cut: a
    /// line end if the last line is whole.
    #[must_use]
    pub fn to_parse(&self) -> Arc<[u8]> {
        let next = match self.cut {
            Cut::Whole => return Arc::clone(&self.bytes),
            Cut::InLine => b'#',
            Cut::AtLineEnd => b'\n',
        };
        self.bytes.iter().copied().chain([next]).collect()
    }

    /// The rules, compiled for `client`. Of a body that was cut nobody reads further than it was
    /// fetched, so that half a line is no rule, whatever the client's own limit is.
    #[must_use]
    pub fn policy(&self, client: &Client) -> Policy {
        match Limits::new(self.bytes.len()) {
            Ok(fetched) if self.is_cut() && fetched.bytes() < client.limits().bytes() => {
                Policy::compile_shared(&self.to_parse(), &client.clone().with_limits(fetched))
            }
            _ => Policy::compile_shared(&self.to_parse(), client),
        }
    }

    /// The bytes that are kept, as they came.
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
    fn policy(&self, client: &Client) -> Policy {
        Self::policy(self, client)
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(bytes)
    }
}

/// The hash and the length; the bytes are somebody else's text.
impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body({}, {} bytes)", self.hash, self.bytes.len())
    }
}
