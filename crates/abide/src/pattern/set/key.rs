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

/// Half of a key, as it is kept: signed, for these are what a machine compares many of at once.
pub(super) type Half = i32;

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

    /// The first four octets.
    #[inline]
    pub(super) const fn high(self) -> Half {
        half((self.0 >> 32) as u32)
    }

    /// The last four octets.
    #[inline]
    pub(super) const fn low(self) -> Half {
        half((self.0 & 0xFFFF_FFFF) as u32)
    }
}

/// A half that sorts as `octets` do without a sign.
#[inline]
const fn half(octets: u32) -> Half {
    (octets ^ 1 << 31).cast_signed()
}

/// A half as it is kept.
#[inline]
const fn of(key: [u8; 4]) -> Half {
    Half::from_le_bytes(key)
}

/// Half `at` of those that are kept; zero, which is none's, behind the last.
#[inline]
pub(super) fn at(keys: &[[u8; 4]], at: usize) -> Half {
    keys.get(at).copied().map_or(0, of)
}

/// How many octets two halves begin with together.
#[inline]
pub(super) const fn shared(one: Half, other: Half) -> usize {
    (one ^ other).leading_zeros() as usize / 8
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

/// How many of the sorted `keys`, of which none is greater than `own`, are less.
#[inline]
pub(super) fn less(keys: &[[u8; 4]], own: Half) -> usize {
    match keys {
        [.., before, _] if of(*before) == own => keys.partition_point(|key| of(*key) < own),
        [before @ .., last] if of(*last) == own => before.len(),
        _ => keys.len(),
    }
}

/// Keys that are counted rather than searched in halves.
const FEW: usize = 96;

/// How many of the sorted `keys` are not greater than `own`. Of few all are compared, many at once, which is quicker than
/// to wait for each answer before the next question is known.
#[inline]
pub(super) fn up_to(keys: &[[u8; 4]], own: Half) -> usize {
    if keys.len() > FEW {
        keys.partition_point(|key| of(*key) <= own)
    } else if keys.len() >= 16 {
        counted::<16>(keys, own)
    } else {
        counted::<4>(keys, own)
    }
}

/// The same, by comparing `N` at once. The last of them are compared again where they are not as many: where one of these
/// counts, all before them do.
#[inline]
fn counted<const N: usize>(keys: &[[u8; 4]], own: Half) -> usize {
    let count = |keys: &[[u8; 4]; N]| {
        let not_greater = keys.iter().map(|key| u32::from(of(*key) <= own));
        not_greater.sum::<u32>() as usize
    };
    let (chunks, rest) = keys.as_chunks::<N>();
    let whole = chunks
        .iter()
        .fold(0_usize, |sum, chunk| sum.wrapping_add(count(chunk)));
    match keys.last_chunk::<N>() {
        Some(last) => match count(last) {
            0 => whole,
            among_last => keys.len().wrapping_sub(N).wrapping_add(among_last),
        },
        None => rest.iter().filter(|key| of(**key) <= own).count(),
    }
}
