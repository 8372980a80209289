//! Which octets a text is made of: one pass that tells whether it has to be normalised, and which rules
//! cannot match it.

use super::normal::{Class, class};
use crate::text::Part as _;
use crate::text::is_control;

/// The octets of a text, several of them to a bit, and what some of them mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OctetSet(u64);

impl OctetSet {
    const CONTROL: u64 = 1 << 63;
    const MAY_CHANGE: u64 = 1 << 62;
    const STAR: u64 = 1 << 61;
    const HASH: u64 = 1 << 60;
    const ENCODED: u64 = 1 << 59;
    const QUERY: u64 = 1 << 58;
    const EQUALS: u64 = 1 << 57;
    const AMPERSAND: u64 = 1 << 56;
    /// What says that an octet is there, and nothing else.
    const PRESENCE: u64 = Self::QUERY | Self::EQUALS | Self::AMPERSAND | (Self::AMPERSAND - 1);

    /// The octets of `text`.
    #[inline]
    pub(crate) fn of(text: &[u8]) -> Self {
        Self::of_end(text, 0)
    }

    /// The octets of `text` from `start` on, and of some before it where there are less than eight.
    #[inline]
    pub(crate) fn of_end(text: &[u8], start: usize) -> Self {
        let of_all =
            |set, octets: &[u8; 8]| octets.iter().fold(set, |set, octet| set | of_one(*octet));
        let (eights, rest) = text.part(start..).as_chunks();
        // What is left over is looked at once more with what stands before it: one more loop would be one more guess of
        // the processor's.
        if let Some(last) = text.last_chunk() {
            return Self(of_all(eights.iter().fold(0, of_all), last));
        }
        Self(rest.iter().fold(0, |set, octet| set | of_one(*octet)))
    }

    /// The octets of two texts.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The same octets and a `%`.
    pub(crate) const fn with_percent(self) -> Self {
        Self(self.0 | 1 << PERCENT)
    }

    /// The same octets but for `%`.
    pub(crate) const fn without_percent(self) -> Self {
        Self(self.0 & !(1 << PERCENT))
    }

    const fn has(self, bits: u64) -> bool {
        self.0 & bits != 0
    }

    /// Whether a control octet is there that no line admits.
    pub(crate) const fn has_control(self) -> bool {
        self.has(Self::CONTROL)
    }

    /// Whether every octet stands for itself alone, in patterns and paths and all their forms.
    pub(crate) const fn is_verbatim(self) -> bool {
        !self.may_change_in_target() && !self.may_differ_in_c2()
    }

    /// Whether a `#` is there.
    pub(crate) const fn has_hash(self) -> bool {
        self.has(Self::HASH)
    }

    /// Whether a `*` is there.
    pub(crate) const fn has_star(self) -> bool {
        self.has(Self::STAR)
    }

    /// Whether a `%` is there.
    pub(crate) const fn has_percent(self) -> bool {
        self.has(1 << PERCENT)
    }

    /// Whether a `.` is there.
    pub(crate) const fn has_point(self) -> bool {
        self.has(1 << POINT)
    }

    /// Whether form C1 of a pattern may differ from it.
    pub(crate) const fn may_change(self) -> bool {
        self.has(Self::MAY_CHANGE | 1 << PERCENT)
    }

    /// Whether form C1 of a target may differ from it, where a `*` is data.
    pub(crate) const fn may_change_in_target(self) -> bool {
        self.may_change() || self.has_star()
    }

    /// Whether form C1 of a target may differ from it in more than its escapes.
    pub(crate) const fn gains_escapes(self) -> bool {
        self.has(Self::MAY_CHANGE | Self::STAR)
    }

    /// Whether form C2 of a text in form C1 differs from it wherever these octets stand.
    pub(crate) const fn is_encoded_in_c2(self) -> bool {
        self.has(Self::ENCODED)
    }

    /// Whether form C2 of a text in form C1 may differ from it.
    pub(crate) const fn may_differ_in_c2(self) -> bool {
        self.has(Self::ENCODED | Self::QUERY | Self::EQUALS | Self::AMPERSAND)
    }

    /// What a text must have that all octets of `literals` stand in.
    pub(crate) fn required(literals: &[u8]) -> Self {
        Self::of(literals).presence()
    }

    /// Which octets are there, and nothing else of what is known.
    pub(crate) const fn presence(self) -> Self {
        Self(self.0 & Self::PRESENCE)
    }

    /// Whether a text of this set may hold all that is `required`.
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

/// The bits that `.` and `%` alone have.
const POINT: u8 = 46;
const PERCENT: u8 = 47;

#[inline]
fn of_one(octet: u8) -> u64 {
    BITS.get(usize::from(octet)).copied().unwrap_or_default()
}

/// Each octet's bits.
static BITS: [u64; 256] = {
    let mut table = [0; 256];
    let mut octet = 0_u8;
    loop {
        #[expect(clippy::indexing_slicing, reason = "an octet is less than 256")]
        {
            table[octet as usize] = bits(octet);
        }
        if octet == u8::MAX {
            break table;
        }
        octet = octet.wrapping_add(1);
    }
};

/// Frequent octets have a bit of their own; `/`, which every path has, has none.
const fn bits(octet: u8) -> u64 {
    let flags = match (class(octet), octet) {
        (Class::Unreserved | Class::Percent, _) | (Class::Reserved, b'/') => 0,
        (Class::Reserved, b'?') => OctetSet::QUERY,
        (Class::Reserved, b'=') => OctetSet::EQUALS,
        (Class::Reserved, b'&') => OctetSet::AMPERSAND,
        (Class::Reserved, b'#') => OctetSet::HASH | OctetSet::ENCODED,
        (Class::Reserved, _) => OctetSet::ENCODED,
        (Class::Special, b'*') => OctetSet::STAR,
        _ if is_control(octet) => OctetSet::CONTROL | OctetSet::MAY_CHANGE,
        _ => OctetSet::MAY_CHANGE,
    };
    let presence = match octet {
        b'/' | b'?' | b'=' | b'&' | b'*' | b'#' => return flags,
        b'a'..=b'z' => octet.wrapping_sub(b'a'),
        b'0'..=b'9' => octet.wrapping_sub(b'0').wrapping_add(26),
        b'A'..=b'Z' => (octet.wrapping_sub(b'A') % 8).wrapping_add(36),
        b'-' => 44,
        b'_' => 45,
        b'.' => POINT,
        b'%' => PERCENT,
        b'+' | b' ' => 48,
        b',' | b';' => 49,
        b':' | b'@' => 50,
        b'~' | b'!' | b'(' | b')' | b'\'' => 51,
        _ => (octet % 4).wrapping_add(52),
    };
    flags | 1 << presence
}
