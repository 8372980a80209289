//! What plain rules are sorted and found by: their first octets, as numbers.

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
        Self(eight_from(octets, 1))
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

/// How many octets two halves begin with together.
#[inline]
pub(super) const fn shared(one: Half, other: Half) -> usize {
    (one ^ other).leading_zeros() as usize / 8
}

/// Eight octets from octet `at` on, or fewer and zeros, as a number that sorts as they do.
#[inline]
pub(super) fn eight_from(octets: &[u8], at: usize) -> u64 {
    let Some(last) = octets.len().checked_sub(8) else {
        let rest = octets.get(at..).unwrap_or_default();
        return rest
            .iter()
            .zip((0..u64::BITS).step_by(8).rev())
            .fold(0, |eight, (octet, shift)| {
                eight | u64::from(*octet) << shift
            });
    };
    // Where fewer than eight are left, the last eight have them, behind others that are shifted away.
    let start = at.min(last);
    let eight = octets.get(start..).and_then(<[u8]>::first_chunk);
    let eight = eight.map_or(0, |eight| u64::from_be_bytes(*eight));
    let before = at.wrapping_sub(start);
    if before < 8 {
        eight << (before.wrapping_mul(8))
    } else {
        0
    }
}

/// Keys that are counted rather than searched in halves.
const FEW: usize = 96;

/// How many of the sorted `keys`, of which none is greater than `own`, are less.
#[inline]
pub(super) fn less(keys: &[[u8; 4]], own: Half) -> usize {
    match keys {
        [.., before, _] if of(*before) == own => keys.partition_point(|key| of(*key) < own),
        [before @ .., last] if of(*last) == own => before.len(),
        _ => keys.len(),
    }
}

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
