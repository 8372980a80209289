//! How URLs are spelt: which bytes may follow in form C1, and what form C2 makes of them
//! (AMB-REP-1).
//!
//! The engine is asked about every byte once; there is no second table of bytes here.

use super::glob::Reads;
use abide::Profile;
use abide::syntax::normal;
use std::sync::LazyLock;

/// What may be read next in a path in form C1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spelling {
    /// Whether the first `?` was read.
    in_query: bool,
    escape: Escape,
    segment: Segment,
}

/// What was read since the last `/` of the path. Clients remove the segments `.` and `..`, and
/// their escaped spellings, before they send a URL (<https://url.spec.whatwg.org/#path-state>): no
/// URL that is sent has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Segment {
    #[default]
    Start,
    Dot,
    DotDot,
    /// Anything else.
    Other,
    /// `%`, at the start or behind a dot.
    Percent,
    DotPercent,
    /// `%2`, at the start or behind a dot.
    Two,
    DotTwo,
    /// The query, in which dots mean nothing.
    Query,
}

impl Segment {
    const ALL: [Self; 9] = [
        Self::Start,
        Self::Dot,
        Self::DotDot,
        Self::Other,
        Self::Percent,
        Self::DotPercent,
        Self::Two,
        Self::DotTwo,
        Self::Query,
    ];

    const fn is_removed(self) -> bool {
        matches!(self, Self::Dot | Self::DotDot)
    }

    /// What follows with `byte`; `None` if that ends a segment which no client sends.
    fn after(self, byte: u8) -> Option<Self> {
        Some(match (self, byte) {
            (Self::Query, _) => Self::Query,
            (_, b'/' | b'?') if self.is_removed() => return None,
            (_, b'/') => Self::Start,
            (_, b'?') => Self::Query,
            (Self::Start, b'.') | (Self::Two, b'e' | b'E') => Self::Dot,
            (Self::Dot, b'.') | (Self::DotTwo, b'e' | b'E') => Self::DotDot,
            (Self::Start, b'%') => Self::Percent,
            (Self::Dot, b'%') => Self::DotPercent,
            (Self::Percent, b'2') => Self::Two,
            (Self::DotPercent, b'2') => Self::DotTwo,
            _ => Self::Other,
        })
    }
}

/// The part of an escape that was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Escape {
    /// Nothing.
    #[default]
    None,
    /// A `%`. `stray`: it directly follows a `%` that does not begin an escape, or such a `%` and a
    /// digit.
    Percent { stray: bool },
    /// A `%` and a digit.
    Digit { digit: u8, stray: bool },
}

/// What the engine says about bytes and escapes.
#[derive(Clone, Debug)]
pub(crate) struct Alphabet {
    /// Bytes that form C1 does not encode.
    literal: Set,
    /// Bytes that form C2 encodes in the path, and in the query.
    encoded: [Set; 2],
    /// Bytes whose escapes form C1 keeps, normally and after a stray `%`.
    escaped: [Set; 2],
    /// All bytes that occur in form C1, the easiest to read first.
    readable: Vec<u8>,
    /// Whether paths have canonical forms.
    is_canonical: bool,
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Set([u64; 4]);

impl Set {
    pub(crate) fn insert(&mut self, byte: u8) {
        if let Some(bits) = self.0.get_mut(usize::from(byte >> 6)) {
            *bits |= 1 << (byte & 63);
        }
    }

    pub(crate) fn has(&self, byte: u8) -> bool {
        let bits = self.0.get(usize::from(byte >> 6)).copied();
        bits.unwrap_or_default() & (1 << (byte & 63)) != 0
    }

    pub(crate) fn extend(&mut self, other: &Self) {
        for (own, others) in self.0.iter_mut().zip(other.0) {
            *own |= others;
        }
    }

    /// The bytes that escapes are made of, in both cases of their digits.
    pub(crate) const IN_ESCAPES: Self = {
        let digits = ((1 << 10) - 1) << b'0';
        let letters = 0b111_1110 | 0b111_1110 << 32;
        Self([1 << b'%' | digits, letters, 0, 0])
    };

    /// The set with both cases of every letter in it.
    pub(crate) fn in_both_cases(&self) -> Self {
        // Bits 65 to 90 are A to Z, and 97 to 122 a to z.
        const UPPER: u64 = 0x07FF_FFFE;
        let Self([low, letters, ..]) = *self;
        let both = letters | (letters & UPPER) << 32 | (letters >> 32) & UPPER;
        let [.., third, fourth] = self.0;
        Self([low, both, third, fourth])
    }

    pub(crate) fn is_disjoint(&self, other: &Self) -> bool {
        self.0
            .iter()
            .zip(other.0)
            .all(|(own, other)| own & other == 0)
    }

    fn of(holds: impl Fn(u8) -> bool) -> Self {
        let mut set = Self::default();
        for byte in 0..=u8::MAX {
            if holds(byte) {
                set.insert(byte);
            }
        }
        set
    }
}

impl Alphabet {
    /// The bytes of paths as a profile reads them.
    pub(crate) fn of(profile: Profile) -> &'static Self {
        // The engine is asked about each byte once: that takes longer than most comparisons.
        static CAREFUL: LazyLock<Alphabet> = LazyLock::new(Alphabet::careful);
        static GOOGLE: LazyLock<Alphabet> = LazyLock::new(Alphabet::google);
        match profile {
            Profile::Google => &GOOGLE,
            _ => &CAREFUL,
        }
    }

    /// google/robotstxt compares the bytes of a URL as they are written: every byte may follow
    /// every other, and there is one form only. Bytes outside ASCII match no pattern, so one of
    /// them is enough.
    fn google() -> Self {
        let literal = Set::of(|byte| (byte.is_ascii_graphic() && byte != b'#') || byte == 0x80);
        Self {
            encoded: [Set::default(); 2],
            escaped: [Set::of(|_| true); 2],
            readable: readable(&literal),
            literal,
            is_canonical: false,
        }
    }

    fn careful() -> Self {
        let stays = |text: &[u8]| *normal::target(text).c1 == *text;
        let escape = |byte: u8| format!("%{byte:02X}");
        let literal = Set::of(|byte| byte != b'#' && stays(&[b'/', byte]));
        let encoded = |before: &[u8]| {
            Set::of(|byte| {
                let text = [before, &[byte]].concat();
                literal.has(byte) && byte != b'%' && normal::target(&text).c2.is_some()
            })
        };
        let escaped =
            |before: &str| Set::of(|byte| stays(format!("{before}{}", escape(byte)).as_bytes()));
        Self {
            encoded: [encoded(b"/"), encoded(b"/?")],
            escaped: [escaped("/"), escaped("/%")],
            readable: readable(&literal),
            literal,
            is_canonical: true,
        }
    }

    /// The spelling after `byte`; `None` if the byte is impossible there.
    pub(crate) fn read(&self, spelling: Spelling, byte: u8) -> Option<Spelling> {
        if !self.literal.has(byte) {
            return None;
        }
        let segment = spelling.segment.after(byte)?;
        if !self.is_canonical {
            return Some(Spelling {
                segment,
                ..Spelling::default()
            });
        }
        // Clients escape it in a query
        // (https://url.spec.whatwg.org/#special-query-percent-encode-set).
        if spelling.in_query && byte == b'\'' {
            return None;
        }
        let is_digit = byte.is_ascii_hexdigit();
        let escape = match spelling.escape {
            Escape::None if byte == b'%' => Escape::Percent { stray: false },
            Escape::Percent { .. } | Escape::Digit { .. } if byte == b'%' => {
                Escape::Percent { stray: true }
            }
            Escape::Percent { stray } if is_digit => Escape::Digit { digit: byte, stray },
            Escape::Digit { digit, stray } if is_digit => {
                let upper = !digit.is_ascii_lowercase() && !byte.is_ascii_lowercase();
                let value = (hex(digit) << 4) | hex(byte);
                let may = self.escaped.get(usize::from(stray));
                may.filter(|may| upper && may.has(value))?;
                Escape::None
            }
            _ => Escape::None,
        };
        Some(Spelling {
            in_query: spelling.in_query || byte == b'?',
            escape,
            segment,
        })
    }

    /// Whether form C2 encodes `byte` there.
    fn is_encoded(&self, spelling: Spelling, byte: u8) -> bool {
        let encoded = self.encoded.get(usize::from(spelling.in_query));
        encoded.is_some_and(|encoded| encoded.has(byte))
    }

    /// What the text has for `byte` of the path: one byte, or the three of an escape.
    pub(crate) fn written(&self, spelling: Spelling, byte: u8, reads: Reads) -> ([u8; 3], usize) {
        if reads.second && self.is_encoded(spelling, byte) {
            let escape = [b'%', digit(byte >> 4), digit(byte & 0xF)];
            (escape.map(|byte| reads.byte(byte)), 3)
        } else {
            ([reads.byte(byte), 0, 0], 1)
        }
    }

    /// Adds the bytes that form C2 encodes there; each becomes an escape, which begins with `%`.
    pub(crate) fn add_encoded(&self, spelling: Spelling, to: &mut Set) {
        if let Some(encoded) = self.encoded.get(usize::from(spelling.in_query)) {
            to.extend(encoded);
        }
    }

    /// All bytes of form C1, the easiest to read first.
    pub(crate) fn readable(&self) -> &[u8] {
        &self.readable
    }
}

impl Spelling {
    /// The spelling without the part that only form C2 needs.
    pub(crate) fn without_query(self) -> Self {
        Self {
            in_query: false,
            ..self
        }
    }

    pub(crate) fn is_in_query(self) -> bool {
        self.in_query
    }

    /// Whether a URL that a client sends can end here: it does not end in a segment of dots.
    pub(crate) fn may_end(self) -> bool {
        !self.segment.is_removed()
    }

    /// Whether a byte that no pattern distinguishes may be a digit of an escape.
    pub(crate) fn is_in_escape(self) -> bool {
        self.escape != Escape::None
    }

    /// The spelling as a number.
    pub(crate) fn number(self) -> u32 {
        let escape = match self.escape {
            Escape::None => 0,
            Escape::Percent { stray } => 1 + u32::from(stray),
            Escape::Digit { digit, stray } => u32::from(digit) << 2 | u32::from(stray),
        };
        let segment = self.segment as u32;
        escape << 5 | segment << 1 | u32::from(self.in_query)
    }

    /// The spelling with this number.
    pub(crate) fn of(number: u32) -> Self {
        let stray = |bits: u32| bits & 1 == 1;
        let segment = Segment::ALL.get((number >> 1 & 0xF) as usize).copied();
        let escape = match number >> 5 {
            0 => Escape::None,
            1 => Escape::Percent { stray: false },
            2 => Escape::Percent { stray: true },
            bits => Escape::Digit {
                digit: u8::try_from(bits >> 2).unwrap_or_default(),
                stray: stray(bits),
            },
        };
        Self {
            in_query: stray(number),
            escape,
            segment: segment.unwrap_or_default(),
        }
    }
}

/// Letters, digits, then the rest; bytes without a special meaning first.
fn readable(literal: &Set) -> Vec<u8> {
    let rank = |byte: u8| match byte {
        b'a'..=b'z' => 0,
        b'0'..=b'9' => 1,
        b'A'..=b'Z' => 2,
        b'/' | b'-' | b'_' | b'.' | b'~' => 3,
        b'%' => 5,
        _ => 4,
    };
    let mut bytes: Vec<u8> = (0..=u8::MAX).filter(|byte| literal.has(*byte)).collect();
    // In an example URL, "x" says "anything" more clearly than "a".
    bytes.sort_by_key(|byte| (rank(*byte), *byte != b'x', *byte));
    bytes
}

fn digit(nibble: u8) -> u8 {
    match nibble {
        0..=9 => b'0' + nibble,
        _ => b'A' + (nibble - 10),
    }
}

fn hex(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        b'A'..=b'F' => digit - b'A' + 10,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_bytes() {
        let expected = Set::of(|byte| byte == b'%' || byte.is_ascii_hexdigit());
        assert_eq!(Set::IN_ESCAPES, expected);
        let letters = Set::of(|byte| b"aZ1[`{@".contains(&byte)).in_both_cases();
        assert_eq!(letters, Set::of(|byte| b"aAzZ1[`{@".contains(&byte)));
    }

    /// Every short text of the interesting bytes is in form C1, or is refused.
    #[test]
    fn what_is_refused_is_what_the_engine_writes_otherwise() {
        let alphabet = Alphabet::of(Profile::Careful);
        let bytes = b"/a%24aFf:?1G";
        let mut texts = vec![b"/".to_vec()];
        for _ in 0..5 {
            let longer = texts
                .iter()
                .flat_map(|text| bytes.iter().map(|byte| [text, &[*byte][..]].concat()));
            texts = longer.collect();
            for text in &texts {
                let read = |spelling, byte: &u8| alphabet.read(spelling, *byte);
                let spelt = text.iter().try_fold(Spelling::default(), read);
                let canonical = *normal::target(text).c1 == **text;
                assert_eq!(
                    spelt.is_some(),
                    canonical,
                    "{}",
                    String::from_utf8_lossy(text)
                );
                if let Some(spelling) = spelt {
                    assert_eq!(Spelling::of(spelling.number()), spelling);
                }
            }
            texts.retain(|text| {
                let read = |spelling, byte: &u8| alphabet.read(spelling, *byte);
                text.iter().try_fold(Spelling::default(), read).is_some()
            });
        }
    }

    #[test]
    fn form_c2_is_the_engine_s() {
        let alphabet = Alphabet::of(Profile::Careful);
        let reads = Reads::ALL[2];
        for text in ["/a:b?c=d&e=/f?:%3A%", "/=&@!?[]"] {
            let (mut spelling, mut second) = (Spelling::default(), Vec::new());
            for &byte in text.as_bytes() {
                let (written, len) = alphabet.written(spelling, byte, reads);
                second.extend_from_slice(&written[..len]);
                spelling = alphabet.read(spelling, byte).unwrap();
            }
            assert_eq!(second, normal::target(text.as_bytes()).c2());
        }
    }
}
