//! What plain rules are sorted and found by: their first octets, as numbers.

use crate::text::offset;

/// Eight octets behind the `/` of a rule or path, or fewer and zeros: no pattern and no path has an octet that is zero.
/// Keys sort as the octets do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u64);

/// Octets of a key.
pub(super) const OCTETS: usize = 8;

/// Octets that a key and the `/` before it tell.
pub(super) const TOLD: usize = 1 + OCTETS;

impl Key {
    /// The key of a rule or path.
    #[inline]
    pub(super) fn of(octets: &[u8]) -> Self {
        Self(eight(octets.get(1..).unwrap_or_default()))
    }

    /// Whether a rule or path of this key begins with the `len` octets, the `/` among them, of a rule with another one, as
    /// far as keys tell.
    #[inline]
    pub(super) fn begins_as(self, other: Self, len: usize) -> bool {
        let behind = TOLD.saturating_sub(len).saturating_mul(8);
        let differ = (self.0 ^ other.0).checked_shr(offset(behind));
        differ.unwrap_or(0) == 0
    }

    /// The key as it is kept.
    #[inline]
    pub(super) const fn to_octets(self) -> [u8; OCTETS] {
        self.0.to_le_bytes()
    }

    /// A key as it was kept.
    #[inline]
    pub(super) const fn from_octets(octets: [u8; OCTETS]) -> Self {
        Self(u64::from_le_bytes(octets))
    }

    /// How many octets, the `/` among them, two keys begin with together.
    #[inline]
    pub(super) const fn shared(self, other: Self) -> usize {
        ((self.0 ^ other.0).leading_zeros() as usize / 8).wrapping_add(1)
    }
}

/// The first eight octets, or fewer and zeros, as a number that sorts as they do.
#[inline]
fn eight(octets: &[u8]) -> u64 {
    if let Some(eight) = octets.first_chunk() {
        return u64::from_be_bytes(*eight);
    }
    // Of four to seven octets those that are among the first four and among the last come twice, to the same place.
    if let (Some(first), Some(last)) = (octets.first_chunk(), octets.last_chunk()) {
        let missing = offset(OCTETS.wrapping_sub(octets.len())).wrapping_mul(8);
        let first = u64::from(u32::from_be_bytes(*first)) << 32;
        return first | u64::from(u32::from_be_bytes(*last)) << missing;
    }
    let places = (0..u64::BITS).step_by(8).rev();
    let octets = octets.iter().zip(places);
    octets.fold(0, |eight, (octet, place)| {
        eight | u64::from(*octet) << place
    })
}

/// How many of the sorted `keys` are not greater than `own`.
#[inline]
pub(super) fn up_to(keys: &[[u8; OCTETS]], own: Key) -> usize {
    keys.partition_point(|key| Key::from_octets(*key) <= own)
}

/// How many of the sorted `keys` are less than `own`.
#[inline]
pub(super) fn less(keys: &[[u8; OCTETS]], own: Key) -> usize {
    keys.partition_point(|key| Key::from_octets(*key) < own)
}
