//! Lines with known keys, for passes over every line of every file.

use super::key::{begins_a_key, frequent};
use super::read::{LineKind, LineParts, find, google_space, read};
use super::{Content, Field, FieldKind};
use crate::profile::Profile;
use crate::text::{RawLine, Span, is_blank, leading_blanks, offset, trim};

/// A line with a known key. Its value is only trimmed when it is needed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyedLine<'t> {
    pub(crate) kind: FieldKind,
    /// Number of the line, from 1.
    pub(crate) number: u32,
    /// Whether the key is one of the most frequent ones.
    is_frequent: bool,
    /// Where the value begins, with blanks around it.
    at: u32,
    value: &'t [u8],
}

impl<'t> KeyedLine<'t> {
    /// Reads a line. `None` if it has no known key.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "the answer stays in registers, for every line of every file"
    )]
    pub(crate) fn new(text: &'t [u8], raw: &RawLine, profile: Profile) -> Option<Self> {
        let line = Span::new(raw.span.start, raw.hash).of(text);
        if profile == Profile::Careful
            && let Some((kind, len)) = frequent(text.get(raw.span.start as usize..)?, line)
        {
            let behind = len.wrapping_add(1);
            return Some(Self {
                kind,
                number: raw.number,
                is_frequent: true,
                at: raw.span.start.wrapping_add(offset(behind)),
                value: line.get(behind..)?,
            });
        }
        let lead = match profile {
            Profile::Careful => leading_blanks(line),
            Profile::Google => line.iter().take_while(|&&byte| google_space(byte)).count(),
        };
        if begins_a_key(line.get(lead..)?) {
            Self::rare(text, *raw, profile)
        } else {
            None
        }
    }

    /// Reads a line with a rare key. Takes a copy of the line, so that the caller can keep its own
    /// in registers.
    #[inline(never)]
    fn rare(text: &'t [u8], raw: RawLine, profile: Profile) -> Option<Self> {
        let found = find(text, &raw, profile).0;
        match found.what {
            LineKind::Field(kind) if kind != FieldKind::Other => Some(Self {
                kind,
                number: raw.number,
                is_frequent: false,
                at: found.value.start,
                value: found.value.of(text),
            }),
            _ => None,
        }
    }

    /// Whether the key is certainly spelt correctly, with a colon right after it. `false` is
    /// uncertain.
    pub(crate) fn is_exact(&self) -> bool {
        self.is_frequent
    }

    /// The value without blanks before it, with everything after it.
    #[inline]
    pub(crate) fn begins_with(&self) -> &'t [u8] {
        let mut value = self.value;
        while let [byte, rest @ ..] = value
            && is_blank(*byte)
        {
            value = rest;
        }
        value
    }

    /// The value, without blanks around it.
    #[inline]
    pub(crate) fn value(&self) -> &'t [u8] {
        trim(self.value, 0, is_blank).0
    }

    /// The whole field. `raw` is the line that was read.
    #[inline]
    pub(crate) fn field(&self, text: &[u8], raw: &RawLine, profile: Profile) -> Option<Field> {
        if self.is_frequent {
            let found = LineParts::frequent(self.kind, raw.span.start, self.at, self.value);
            return Some(found.field(self.kind));
        }
        rare_field(text, *raw, profile)
    }
}

/// The field of a line with a rare key; takes a copy, like [`KeyedLine::rare`].
#[inline(never)]
fn rare_field(text: &[u8], raw: RawLine, profile: Profile) -> Option<Field> {
    match read(text, &raw, profile).0 {
        Content::Field(field) => Some(field),
        Content::Blank | Content::Unreadable => None,
    }
}
