//! Which bytes a text contains, as a 64-bit set. One pass over a path shows whether it has to be
//! normalised, and the set rules out most wildcard rules without comparing them.

use super::normal::{Class, class};
use crate::text::is_control;

/// The bytes of a text. Rare bytes share bits; the highest bits are flags (see `bits`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ByteSet(u64);

impl ByteSet {
    const CONTROL: u64 = 1 << 63;
    const MAY_CHANGE: u64 = 1 << 62;
    const STAR: u64 = 1 << 61;
    const HASH: u64 = 1 << 60;
    const ENCODED: u64 = 1 << 59;
    const QUERY: u64 = 1 << 58;
    const EQUALS: u64 = 1 << 57;
    const AMPERSAND: u64 = 1 << 56;
    /// The bits that say that a byte is present. The others are flags.
    const PRESENCE: u64 = Self::QUERY | Self::EQUALS | Self::AMPERSAND | (Self::AMPERSAND - 1);

    /// The bytes of `text`.
    #[inline]
    pub(crate) fn of(text: &[u8]) -> Self {
        let of_all = |set, bytes: &[u8; 8]| bytes.iter().fold(set, |set, byte| set | of_one(*byte));
        let (eights, rest) = text.as_chunks();
        // Read the last eight bytes again instead of looping over the rest: a loop of unknown
        // length is a branch that the processor cannot predict.
        if let Some(last) = text.last_chunk() {
            return Self(of_all(eights.iter().fold(0, of_all), last));
        }
        Self(rest.iter().fold(0, |set, byte| set | of_one(*byte)))
    }

    /// The bytes of two texts.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// This set with `%`.
    pub(crate) const fn with_percent(self) -> Self {
        Self(self.0 | 1 << PERCENT)
    }

    /// This set without `%`.
    pub(crate) const fn without_percent(self) -> Self {
        Self(self.0 & !(1 << PERCENT))
    }

    const fn has(self, bits: u64) -> bool {
        self.0 & bits != 0
    }

    /// Whether the text contains a control byte that no line may contain.
    pub(crate) const fn has_control(self) -> bool {
        self.has(Self::CONTROL)
    }

    /// Whether every byte is itself in patterns, in paths and in both canonical forms.
    pub(crate) const fn is_verbatim(self) -> bool {
        !self.may_change_in_target() && !self.may_differ_in_c2()
    }

    /// Whether the text contains `#`.
    pub(crate) const fn has_hash(self) -> bool {
        self.has(Self::HASH)
    }

    /// Whether the text contains `*`.
    pub(crate) const fn has_star(self) -> bool {
        self.has(Self::STAR)
    }

    /// Whether the text contains `%`.
    pub(crate) const fn has_percent(self) -> bool {
        self.has(1 << PERCENT)
    }

    /// Whether the text contains `.`.
    pub(crate) const fn has_point(self) -> bool {
        self.has(1 << POINT)
    }

    /// Whether form C1 of a pattern with these bytes may differ from the pattern.
    pub(crate) const fn may_change(self) -> bool {
        self.has(Self::MAY_CHANGE | 1 << PERCENT)
    }

    /// Whether form C1 of a path with these bytes may differ from the path. In paths `*` is data.
    pub(crate) const fn may_change_in_target(self) -> bool {
        self.may_change() || self.has_star()
    }

    /// Whether form C1 of a path may have escapes that the path does not have.
    pub(crate) const fn gains_escapes(self) -> bool {
        self.has(Self::MAY_CHANGE | Self::STAR)
    }

    /// Whether form C2 of a text in form C1 differs from it, wherever these bytes are.
    pub(crate) const fn is_encoded_in_c2(self) -> bool {
        self.has(Self::ENCODED)
    }

    /// Whether form C2 of a text in form C1 may differ from it.
    pub(crate) const fn may_differ_in_c2(self) -> bool {
        self.has(Self::ENCODED | Self::QUERY | Self::EQUALS | Self::AMPERSAND)
    }

    /// The bytes that a text must contain if it contains all of `literals`.
    pub(crate) fn required(literals: &[u8]) -> Self {
        Self::of(literals).presence()
    }

    /// This set without its flags.
    pub(crate) const fn presence(self) -> Self {
        Self(self.0 & Self::PRESENCE)
    }

    /// Whether a text with this set may contain all `required` bytes.
    #[inline]
    pub(crate) const fn may_hold(self, required: Self) -> bool {
        required.0 & !self.0 == 0
    }

    pub(crate) const fn to_bits(self) -> u64 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

/// The numbers of the bits of `.` and `%`, which share theirs with no other byte.
const POINT: u8 = 46;
const PERCENT: u8 = 47;

#[inline]
fn of_one(byte: u8) -> u64 {
    BITS.get(usize::from(byte)).copied().unwrap_or_default()
}

/// The bits of each byte.
static BITS: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    loop {
        #[expect(clippy::indexing_slicing, reason = "a byte is less than 256")]
        {
            table[byte as usize] = bits(byte);
        }
        if byte == u8::MAX {
            break table;
        }
        byte = byte.wrapping_add(1);
    }
};

/// The bits of a byte: frequent bytes have a bit of their own, and `/`, which is in every path,
/// has none.
const fn bits(byte: u8) -> u64 {
    let flags = match (class(byte), byte) {
        (Class::Unreserved | Class::Percent, _) | (Class::Reserved, b'/') => 0,
        (Class::Reserved, b'?') => ByteSet::QUERY,
        (Class::Reserved, b'=') => ByteSet::EQUALS,
        (Class::Reserved, b'&') => ByteSet::AMPERSAND,
        (Class::Reserved, b'#') => ByteSet::HASH | ByteSet::ENCODED,
        (Class::Reserved, _) => ByteSet::ENCODED,
        (Class::Special, b'*') => ByteSet::STAR,
        _ if is_control(byte) => ByteSet::CONTROL | ByteSet::MAY_CHANGE,
        _ => ByteSet::MAY_CHANGE,
    };
    let presence = match byte {
        // The flags of `?`, `=` and `&` also say that they are present. A `*` in a pattern is a
        // wildcard, which a path need not contain.
        b'/' | b'?' | b'=' | b'&' | b'*' | b'#' => return flags,
        b'a'..=b'z' => byte.wrapping_sub(b'a'),
        b'0'..=b'9' => byte.wrapping_sub(b'0').wrapping_add(26),
        // Few paths have upper-case letters, so these share eight bits.
        b'A'..=b'Z' => (byte.wrapping_sub(b'A') % 8).wrapping_add(36),
        b'-' => 44,
        b'_' => 45,
        b'.' => POINT,
        b'%' => PERCENT,
        b'+' | b' ' => 48,
        b',' | b';' => 49,
        b':' | b'@' => 50,
        b'~' | b'!' | b'(' | b')' | b'\'' => 51,
        _ => (byte % 4).wrapping_add(52),
    };
    flags | 1 << presence
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            prop::collection::vec(any::<u8>(), 0..30),
            "[/a-cA-C0-3?=&%*#.~+;:_-]{0,30}".prop_map(String::into_bytes),
        ]
    }

    proptest! {
        #[test]
        fn a_text_may_hold_what_it_holds(text in text(), from in any::<prop::sample::Index>()) {
            let part = &text[from.index(text.len() + 1)..];
            prop_assert!(ByteSet::of(&text).may_hold(ByteSet::required(part)));
            let absent = (b'a'..=b'z').find(|letter| !text.contains(letter));
            if let Some(letter) = absent {
                prop_assert!(!ByteSet::of(&text).may_hold(ByteSet::required(&[letter])));
            }
        }

        #[test]
        fn single_bytes_are_told(text in text()) {
            let set = ByteSet::of(&text);
            prop_assert_eq!(set.has_star(), text.contains(&b'*'));
            prop_assert_eq!(set.has_hash(), text.contains(&b'#'));
            prop_assert_eq!(set.has_percent(), text.contains(&b'%'));
            prop_assert_eq!(set.has_point(), text.contains(&b'.'));
            prop_assert_eq!(set.has_control(), text.iter().any(|byte| is_control(*byte)));
        }

        #[test]
        fn a_text_is_the_sum_of_its_parts(text in text(), at in any::<prop::sample::Index>()) {
            let (before, behind) = text.split_at(at.index(text.len() + 1));
            let both = ByteSet::of(before).and(ByteSet::of(behind));
            prop_assert_eq!(ByteSet::of(&text), both);
        }
    }
}
