//! What plain rules are sorted and found by: their first octets, as numbers.

use crate::text::offset;

/// Eight octets of a rule or path, most often those behind its `/`, or fewer and zeros: no pattern and no path has an octet
/// that is zero. Keys sort as the octets do.
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
        Self::behind(octets, 1)
    }

    /// The key of what stands in `text` behind the first `skipped` octets.
    #[inline]
    pub(super) fn behind(text: &[u8], skipped: usize) -> Self {
        let Some(latest) = text.len().checked_sub(OCTETS) else {
            return Self(fewer(text.get(skipped..).unwrap_or_default()));
        };
        // Where less than eight octets follow, those before them are read too, and pushed out: how long a path is cannot be
        // guessed.
        let start = skipped.min(latest);
        let excess = offset(skipped.wrapping_sub(start)).saturating_mul(8);
        let eight = text.get(start..).and_then(<[u8]>::first_chunk);
        Self(eight.map_or(0, |eight| shifted(u64::from_be_bytes(*eight), excess)))
    }

    /// The key of the `len` octets of `text` that stand behind the first `skipped`.
    #[inline]
    pub(super) fn within(text: &[u8], skipped: usize, len: usize) -> Self {
        let rest = text.get(skipped..).unwrap_or_default();
        let Some(eight) = rest.first_chunk() else {
            return Self(fewer(rest.get(..len).unwrap_or_default()));
        };
        let excess = offset(OCTETS.saturating_sub(len)).saturating_mul(8);
        Self(u64::from_be_bytes(*eight) & shifted(u64::MAX, excess))
    }

    /// Whether a rule or path of this key begins with the `len` octets, the `/` among them, of a rule with another one, as
    /// far as keys tell.
    #[inline]
    pub(super) fn begins_as(self, other: Self, len: usize) -> bool {
        let behind = TOLD.saturating_sub(len).saturating_mul(8);
        let differ = (self.0 ^ other.0).checked_shr(offset(behind));
        differ.unwrap_or(0) == 0
    }

    /// The octets that the key was made of, and zeros behind them where they were fewer.
    #[inline]
    pub(super) const fn to_text(self) -> [u8; OCTETS] {
        self.0.to_be_bytes()
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

/// Less than eight octets, and zeros behind them, as a number that sorts as they do.
#[inline]
fn fewer(octets: &[u8]) -> u64 {
    // Of four to seven octets those that are among the first four and among the last come twice, to the same place.
    if let (Some(first), Some(last)) = (octets.first_chunk(), octets.last_chunk()) {
        let missing = offset(OCTETS.saturating_sub(octets.len())).wrapping_mul(8);
        let first = u64::from(u32::from_be_bytes(*first)) << 32;
        return first | u64::from(u32::from_be_bytes(*last)) << missing;
    }
    let places = (0..u64::BITS).step_by(8).rev();
    let octets = octets.iter().zip(places);
    octets.fold(0, |eight, (octet, place)| {
        eight | u64::from(*octet) << place
    })
}

/// `eight` without its first `bits`, and zeros behind it.
#[inline]
fn shifted(eight: u64, bits: u32) -> u64 {
    eight.checked_shl(bits).unwrap_or(0)
}

/// How many of the sorted `keys` are not greater than `own`.
#[inline]
pub(super) fn up_to(keys: &[[u8; OCTETS]], own: Key) -> usize {
    keys.partition_point(|key| Key::from_octets(*key) <= own)
}
