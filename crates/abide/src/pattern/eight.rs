//! Comparisons of eight bytes at once, without a branch for each.

use crate::text::offset;

/// How many bytes are compared at once.
pub(super) const BYTES: usize = 8;

/// Returns eight bytes of `text` from `at` on, with zeros behind its end.
#[inline]
pub(super) fn eight_from(text: &[u8], at: usize) -> [u8; BYTES] {
    let Some(latest) = text.len().checked_sub(BYTES) else {
        return fewer(text.get(at..).unwrap_or_default()).to_le_bytes();
    };
    // If fewer than eight bytes follow, read the last eight of the text and shift the earlier ones
    // out. A loop over the rest would be a branch that the processor cannot predict.
    let start = at.min(latest);
    let excess = offset(at.wrapping_sub(start)).saturating_mul(8);
    let eight = text.get(start..).and_then(<[u8]>::first_chunk);
    let eight = eight.map_or(0, |eight| u64::from_le_bytes(*eight));
    eight.checked_shr(excess).unwrap_or(0).to_le_bytes()
}

/// Fewer than eight bytes as a number: the first one lowest, zeros above them.
#[inline]
fn fewer(bytes: &[u8]) -> u64 {
    // Four to seven bytes are two overlapping reads of four; bytes in both land in the same
    // place.
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let behind = offset(bytes.len().wrapping_sub(4)).wrapping_mul(8);
        let last = u64::from(u32::from_le_bytes(*last)).checked_shl(behind);
        return u64::from(u32::from_le_bytes(*first)) | last.unwrap_or(0);
    }
    let places = (0..u64::BITS).step_by(8);
    let bytes = bytes.iter().zip(places);
    bytes.fold(0, |eight, (byte, place)| eight | u64::from(*byte) << place)
}

/// Returns where `one` is followed by `other` among nine bytes, as the highest bit of each byte.
/// The lowest bit set is exact; higher ones may be wrong (see [`zeros`]).
#[inline]
pub(super) fn places_of_pair(nine: &[u8; BYTES + 1], one: u8, other: u8) -> u64 {
    let [first, behind @ ..] = *nine;
    let eight = u64::from_le_bytes(behind) << 8 | u64::from(first);
    // A byte of the `|` is zero only where both bytes of the pair are equal.
    zeros(differ(eight.to_le_bytes(), one) | differ(behind, other))
}

/// Eight bytes of which exactly those equal to `byte` become zero.
#[inline]
const fn differ(eight: [u8; BYTES], byte: u8) -> u64 {
    u64::from_le_bytes(eight) ^ u64::from_le_bytes([byte; BYTES])
}

/// The highest bit of each byte that is zero. Bits above the lowest one may be set for bytes of
/// 1, because the subtraction borrows.
#[inline]
const fn zeros(eight: u64) -> u64 {
    const LOW: u64 = u64::from_le_bytes([1; BYTES]);
    const HIGH: u64 = u64::from_le_bytes([0x80; BYTES]);
    eight.wrapping_sub(LOW) & !eight & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array_windows::array_windows;
    use proptest::prelude::*;

    fn byte() -> impl Strategy<Value = u8> {
        prop_oneof![Just(b'a'), Just(b'b'), Just(0x80), Just(0xFF), Just(1)]
    }

    proptest! {
        #[test]
        fn eight_bytes_from_any_place_with_zeros_behind_the_end(text in prop::collection::vec(any::<u8>(), 0..20), at in 0_usize..30) {
            let mut eight = [0; BYTES];
            for (to, from) in eight.iter_mut().zip(text.iter().skip(at)) {
                *to = *from;
            }
            prop_assert_eq!(eight_from(&text, at), eight);
        }

        /// The first place is exact, and no place is missed. Later places may be wrong.
        #[test]
        fn places_of_two_neighbouring_bytes(nine in prop::array::uniform9(byte()), one in byte(), other in byte()) {
            let found = places_of_pair(&nine, one, other);
            let is_pair = |pair: &[u8; 2]| *pair == [one, other];
            let first = array_windows(&nine).position(is_pair);
            prop_assert_eq!((found != 0).then(|| found.trailing_zeros() as usize / 8), first);
            for (at, pair) in array_windows(&nine).enumerate() {
                prop_assert!(!is_pair(pair) || found >> (at * 8 + 7) & 1 == 1, "{at} of {found:x}");
            }
        }
    }
}
