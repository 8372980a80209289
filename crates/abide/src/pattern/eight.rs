//! Eight octets of a text at once.

use crate::text::offset;

/// How many octets are looked at together.
pub(super) const OCTETS: usize = 8;

/// The octets of `text` from `at` on, and zeros behind its end.
#[inline]
pub(super) fn eight_from(text: &[u8], at: usize) -> [u8; OCTETS] {
    let Some(latest) = text.len().checked_sub(OCTETS) else {
        return fewer(text.get(at..).unwrap_or_default()).to_le_bytes();
    };
    // Where less than eight octets follow, those before them are read too, and pushed out: how long a text is cannot be
    // guessed.
    let start = at.min(latest);
    let excess = offset(at.wrapping_sub(start)).saturating_mul(8);
    let eight = text.get(start..).and_then(<[u8]>::first_chunk);
    let eight = eight.map_or(0, |eight| u64::from_le_bytes(*eight));
    eight.checked_shr(excess).unwrap_or(0).to_le_bytes()
}

/// Less than eight octets, the first one lowest, and zeros above them.
#[inline]
fn fewer(octets: &[u8]) -> u64 {
    // Of four to seven octets those that are among the first four and among the last come twice, to the same place.
    if let (Some(first), Some(last)) = (octets.first_chunk(), octets.last_chunk()) {
        let behind = offset(octets.len().wrapping_sub(4)).wrapping_mul(8);
        let last = u64::from(u32::from_le_bytes(*last)).checked_shl(behind);
        return u64::from(u32::from_le_bytes(*first)) | last.unwrap_or(0);
    }
    let places = (0..u64::BITS).step_by(8);
    let octets = octets.iter().zip(places);
    octets.fold(0, |eight, (octet, place)| {
        eight | u64::from(*octet) << place
    })
}

/// Where `octet` stands first.
#[inline]
pub(super) fn first_in(eight: [u8; OCTETS], octet: u8) -> Option<usize> {
    let found = zeros(differ(eight, octet));
    (found != 0).then(|| found.trailing_zeros() as usize / 8)
}

/// Where the octets `one` and `other` may stand one behind the other among nine: the highest bit of each place, the first
/// one lowest. The lowest one is sure.
#[inline]
pub(super) fn places_of_pair(nine: &[u8; OCTETS + 1], one: u8, other: u8) -> u64 {
    let [first, behind @ ..] = *nine;
    let eight = u64::from_le_bytes(behind) << 8 | u64::from(first);
    zeros(differ(eight.to_le_bytes(), one) | differ(behind, other))
}

/// Eight octets, of which those are zero that are `octet`.
#[inline]
const fn differ(eight: [u8; OCTETS], octet: u8) -> u64 {
    u64::from_le_bytes(eight) ^ u64::from_le_bytes([octet; OCTETS])
}

/// The highest bit of each octet that is zero, and maybe of others above the lowest of them.
#[inline]
const fn zeros(eight: u64) -> u64 {
    const LOW: u64 = u64::from_le_bytes([1; OCTETS]);
    const HIGH: u64 = u64::from_le_bytes([0x80; OCTETS]);
    eight.wrapping_sub(LOW) & !eight & HIGH
}
