//! The octets of a file, and the name that they have for good.

use abide::text::Limits;
use abide::{Client, Policy};
use std::fmt;
use std::sync::Arc;

/// The SHA-256 of a body: shown as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyHash([u8; 32]);

impl BodyHash {
    /// The hash of `octets`.
    ///
    /// ```
    /// use abide_fetch::BodyHash;
    /// let hash = BodyHash::of(b"");
    /// assert!(hash.to_string().starts_with("e3b0c44298fc1c14"));
    /// ```
    #[must_use]
    pub fn of(octets: &[u8]) -> Self {
        let digest = ring::digest::digest(&ring::digest::SHA256, octets);
        Self(<[u8; 32]>::try_from(digest.as_ref()).unwrap_or_default())
    }

    /// The hash of these octets, as somebody else worked it out.
    #[must_use]
    pub const fn from_octets(octets: [u8; 32]) -> Self {
        Self(octets)
    }

    /// Its 32 octets.
    #[must_use]
    pub const fn as_octets(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for BodyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|octet| write!(f, "{octet:02x}"))
    }
}

impl fmt::Debug for BodyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a site sent as its file. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct Body {
    octets: Arc<[u8]>,
    hash: BodyHash,
    is_cut: bool,
}

impl Body {
    /// These octets, and their hash.
    #[must_use]
    pub fn new(octets: Vec<u8>) -> Self {
        Self {
            hash: BodyHash::of(&octets),
            octets: octets.into(),
            is_cut: false,
        }
    }

    /// The same, where it goes on behind its last octet, and what goes on was not fetched (`true`). Whoever reads
    /// it reads no further than whoever fetched it wanted to: up to the octet before the last, and so no half
    /// line.
    #[must_use]
    pub const fn cut(mut self, is_cut: bool) -> Self {
        self.is_cut = is_cut;
        self
    }

    /// Whether it goes on behind its last octet.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The rules, compiled for `client`, as far as there are any.
    #[must_use]
    pub fn policy(&self, client: &Client) -> Policy {
        let fetched = Limits::new(self.octets.len().saturating_sub(1));
        match fetched {
            Ok(limit) if self.is_cut && limit.octets() < client.parsing_limit().octets() => {
                Policy::compile_shared(&self.octets, &client.clone().limits(limit))
            }
            _ => Policy::compile_shared(&self.octets, client),
        }
    }

    /// The octets, as they came.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Their hash.
    #[must_use]
    pub const fn hash(&self) -> BodyHash {
        self.hash
    }
}

impl AsRef<[u8]> for Body {
    fn as_ref(&self) -> &[u8] {
        &self.octets
    }
}

impl From<Vec<u8>> for Body {
    fn from(octets: Vec<u8>) -> Self {
        Self::new(octets)
    }
}

/// The hash and the length; the octets are somebody else's text.
impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body({}, {} octets)", self.hash, self.octets.len())
    }
}
