//! What plain rules are sorted and found by: their first octets, as numbers.

use super::super::eight::{self, eight_from};
use crate::text::Part as _;
use crate::text::offset;

/// Eight octets of a rule or path, most often those behind its `/`, or fewer and zeros: no pattern and no path has an octet
/// that is zero. Keys sort as the octets do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u64);

/// Octets of a key.
pub(super) const OCTETS: usize = eight::OCTETS;

/// Octets that a key and the `/` before it tell.
pub(super) const TOLD: usize = 1 + OCTETS;

/// The same of a key and the one behind it.
pub(super) const TOLD_BY_TWO: usize = TOLD + OCTETS;

impl Key {
    /// The key of a rule or path.
    #[inline]
    pub(super) fn of(octets: &[u8]) -> Self {
        Self::behind(octets, 1)
    }

    /// The key of what stands in `text` behind the first `skipped` octets.
    #[inline]
    pub(super) fn behind(text: &[u8], skipped: usize) -> Self {
        Self(u64::from_be_bytes(eight_from(text, skipped)))
    }

    /// The key of the `len` octets of `text` that stand behind the first `skipped`.
    #[inline]
    pub(super) fn within(text: &[u8], skipped: usize, len: usize) -> Self {
        // But for the last of the text, eight octets follow.
        let rest = text.part(skipped..);
        let eight = rest.first_chunk().copied();
        let eight = u64::from_be_bytes(eight.unwrap_or_else(|| eight_from(text, skipped)));
        let behind = offset(OCTETS.saturating_sub(len)).saturating_mul(8);
        Self(eight & u64::MAX.checked_shl(behind).unwrap_or(0))
    }

    /// Whether two keys begin with the same octets, so many.
    #[inline]
    pub(super) fn begins_as(self, other: Self, octets: usize) -> bool {
        let behind = OCTETS.saturating_sub(octets).saturating_mul(8);
        let differ = (self.0 ^ other.0).checked_shr(offset(behind));
        differ.unwrap_or(0) == 0
    }

    /// Two keys, one behind the other, as one number.
    #[inline]
    pub(super) const fn and(self, next: Self) -> u128 {
        (self.0 as u128) << u64::BITS | next.0 as u128
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

    /// How many octets two keys begin with together.
    #[inline]
    pub(super) const fn shared(self, other: Self) -> usize {
        (self.0 ^ other.0).leading_zeros() as usize / 8
    }
}

/// How many of the sorted `keys` are not greater than `own`.
#[inline]
pub(super) fn up_to(keys: &[[u8; OCTETS]], own: Key) -> usize {
    keys.partition_point(|key| Key::from_octets(*key) <= own)
}
