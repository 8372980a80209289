//! A Bloom filter of the stretches of bytes in a path: rules it out quickly that a literal occurs,
//! when many rules are compared with one path.

use crate::array_windows::array_windows;

/// How many bytes a short and a long stretch have. Short ones cover short literals; long ones rule
/// out more in long paths.
const SHORT_BYTES: usize = 3;
const LONG_BYTES: usize = 8;

/// The stretches of a path, one bit each, which few others share.
#[derive(Debug)]
pub(super) struct Windows {
    bits: Box<[u64]>,
    shift: u32,
}

impl Windows {
    /// The stretches of `path`. There are at least sixteen bits for each byte, of which two are
    /// set.
    pub(super) fn of(path: &[u8]) -> Self {
        let bits = path.len().saturating_mul(16).next_power_of_two().max(64);
        let mut windows = Self {
            bits: vec![0; bits / 64].into_boxed_slice(),
            shift: u64::BITS.wrapping_sub(bits.trailing_zeros()),
        };
        for short in array_windows::<_, SHORT_BYTES>(path) {
            windows.add(hash_of_short(*short));
        }
        for long in array_windows::<_, LONG_BYTES>(path) {
            windows.add(hash(u64::from_le_bytes(*long)));
        }
        windows
    }

    /// Whether the path may contain a literal. `false` is certain.
    pub(super) fn may_hold(&self, literal: &[u8]) -> bool {
        // A literal of fewer than three bytes has no stretch, so it may always be there.
        let ends = literal
            .first_chunk()
            .into_iter()
            .chain(literal.last_chunk());
        let mut longs = ends.map(|long| hash(u64::from_le_bytes(*long)));
        let mut shorts = array_windows(literal).map(|short| hash_of_short(*short));
        longs.all(|hash| self.has(hash)) && shorts.all(|hash| self.has(hash))
    }

    fn add(&mut self, hash: u64) {
        let (at, bit) = self.place(hash);
        if let Some(word) = self.bits.get_mut(at) {
            *word |= bit;
        }
    }

    #[inline]
    fn has(&self, hash: u64) -> bool {
        let (at, bit) = self.place(hash);
        self.bits.get(at).is_some_and(|word| word & bit != 0)
    }

    /// The word that a bit is in, and the bit.
    #[inline]
    fn place(&self, hash: u64) -> (usize, u64) {
        let number = hash >> self.shift;
        let at = usize::try_from(number / 64).unwrap_or(usize::MAX);
        (at, 1 << (number % 64))
    }
}

#[inline]
fn hash_of_short([a, b, c]: [u8; SHORT_BYTES]) -> u64 {
    hash(u32::from_le_bytes([a, b, c, 0]).into())
}

/// A hash whose highest bits depend on all of `bytes`.
#[inline]
const fn hash(bytes: u64) -> u64 {
    let mixed = bytes.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// It may take a literal for present that is not, and never the other way.
        #[test]
        fn every_part_of_a_path_may_be_held(path in "/[a-z]{0,60}", from in 0_usize..60, len in 1_usize..20) {
            let path = path.as_bytes();
            let part = path.get(from..).unwrap_or_default();
            let part = &part[..len.min(part.len())];
            prop_assert!(Windows::of(path).may_hold(part));
        }
    }

    #[test]
    fn most_literals_that_are_absent_are_told() {
        let windows = Windows::of(b"/products/category/item-4711.html");
        let absent =
            (0..1_000).filter(|number| !windows.may_hold(format!("x{number}y").as_bytes()));
        assert!(absent.count() > 900);
    }
}
