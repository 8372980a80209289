//! Keys of plain rules: their first bytes as numbers, by which they are sorted and searched.

use super::super::eight::{self, eight_from};
use crate::text::offset;

/// Eight bytes of a rule or path, usually those after its `/`. If there are fewer, zeros follow:
/// no pattern and no path contains a zero. Keys sort as the bytes do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u64);

/// How many bytes a key has.
pub(super) const BYTES: usize = eight::BYTES;

/// How many bytes a key and the `/` before it have.
pub(super) const WITH_SLASH: usize = 1 + BYTES;

/// How many bytes two keys and the `/` before them have.
pub(super) const TWO_WITH_SLASH: usize = WITH_SLASH + BYTES;

impl Key {
    /// The key of a rule or path.
    #[inline]
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self::behind(bytes, 1)
    }

    /// The key of the bytes of `text` after the first `skipped`.
    #[inline]
    pub(super) fn behind(text: &[u8], skipped: usize) -> Self {
        // Big-endian, so that the numbers sort as the bytes do.
        Self(u64::from_be_bytes(eight_from(text, skipped)))
    }

    /// Whether the first `bytes` bytes of two keys are the same.
    #[inline]
    pub(super) fn begins_as(self, other: Self, bytes: usize) -> bool {
        let behind = BYTES.saturating_sub(bytes).saturating_mul(8);
        let differ = (self.0 ^ other.0).checked_shr(offset(behind));
        // For no bytes the shift is 64, which is `None`: all keys begin the same.
        differ.unwrap_or(0) == 0
    }

    /// This key followed by another, as one number.
    #[inline]
    pub(super) const fn and(self, next: Self) -> u128 {
        (self.0 as u128) << u64::BITS | next.0 as u128
    }

    /// The bytes that are kept of the key.
    #[inline]
    pub(super) const fn to_bytes(self) -> [u8; BYTES] {
        self.0.to_le_bytes()
    }

    /// The key that these bytes were kept of.
    #[inline]
    pub(super) const fn from_bytes(bytes: [u8; BYTES]) -> Self {
        Self(u64::from_le_bytes(bytes))
    }

    /// How many bytes at the beginning of two keys are the same.
    #[inline]
    pub(super) const fn shared(self, other: Self) -> usize {
        (self.0 ^ other.0).leading_zeros() as usize / 8
    }
}

/// How many of the sorted `keys` are not greater than `own`.
#[inline]
pub(super) fn up_to(keys: &[[u8; BYTES]], own: Key) -> usize {
    keys.partition_point(|key| Key::from_bytes(*key) <= own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The first eight bytes, or fewer and zeros.
    fn naive(text: &[u8]) -> [u8; BYTES] {
        let mut eight = [0; BYTES];
        for (to, from) in eight.iter_mut().zip(text) {
            *to = *from;
        }
        eight
    }

    fn shared(a: [u8; BYTES], b: [u8; BYTES]) -> usize {
        a.iter().zip(b).take_while(|(a, b)| *a == b).count()
    }

    proptest! {
        #[test]
        fn keys_sort_and_begin_as_their_bytes_do(a in "/[ab]{0,12}", b in "/[ab]{0,12}", bytes in 0_usize..9) {
            let keys = [&a, &b].map(|text| Key::of(text.as_bytes()));
            let [first, second] = [&a, &b].map(|text| naive(&text.as_bytes()[1..]));
            prop_assert_eq!(keys[0].cmp(&keys[1]), first.cmp(&second));
            prop_assert_eq!(keys[0].shared(keys[1]), shared(first, second));
            prop_assert_eq!(keys[0].begins_as(keys[1], bytes), first[..bytes] == second[..bytes]);
            prop_assert_eq!(Key::from_bytes(keys[0].to_bytes()), keys[0]);
        }

        #[test]
        fn the_key_of_the_end_of_a_text(text in "[a-f]{0,30}", skipped in 0_usize..30) {
            let part = text.as_bytes().get(skipped..).unwrap_or_default();
            let key = Key(u64::from_be_bytes(naive(part)));
            prop_assert_eq!(Key::behind(text.as_bytes(), skipped), key);
        }

        #[test]
        fn keys_up_to_another(keys in prop::collection::vec("[ab]{0,3}", 0..40), own in "[ab]{0,3}") {
            let key = |text: &String| Key::behind(text.as_bytes(), 0);
            let mut keys: Vec<Key> = keys.iter().map(key).collect();
            keys.sort();
            let count = keys.iter().filter(|other| **other <= key(&own)).count();
            let kept: Vec<_> = keys.into_iter().map(Key::to_bytes).collect();
            prop_assert_eq!(up_to(&kept, key(&own)), count);
        }
    }
}
