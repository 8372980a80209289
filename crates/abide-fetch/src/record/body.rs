//! The octets of a file, and the name that they have for good.

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
}

impl Body {
    /// These octets, and their hash.
    #[must_use]
    pub fn new(octets: Vec<u8>) -> Self {
        Self {
            hash: BodyHash::of(&octets),
            octets: octets.into(),
        }
    }

    /// The octets, as they came.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// The octets, to be kept by others too.
    #[must_use]
    pub const fn shared(&self) -> &Arc<[u8]> {
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
