//! Lines of known keys alone, for passes that go over every line of every file.

use super::key::{begins_a_key, frequent};
use super::read::{Found, What, find, google_space, read};
use super::{Content, Field, FieldKind};
use crate::profile::Profile;
use crate::text::{RawLine, Span, is_blank, leading_blanks, offset, trim};

/// A line whose key is known here: for passes that need no other, and not the value of every one of these.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keyed<'t> {
    pub(crate) kind: FieldKind,
    /// Number of the line, from 1.
    pub(crate) number: u32,
    /// Whether the key alone told the kind.
    is_frequent: bool,
    /// Where the value begins, with blanks round it.
    at: u32,
    value: &'t [u8],
}

impl<'t> Keyed<'t> {
    /// The line as one of a known key; `None` where it is no such line.
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

    /// The line is a copy, so that it has to lie in memory for this alone.
    #[inline(never)]
    fn rare(text: &'t [u8], raw: RawLine, profile: Profile) -> Option<Self> {
        let found = find(text, &raw, profile).0;
        match found.what {
            What::Field(kind) if kind != FieldKind::Other => Some(Self {
                kind,
                number: raw.number,
                is_frequent: false,
                at: found.value.start,
                value: found.value.of(text),
            }),
            _ => None,
        }
    }

    /// Whether the key is known to be spelt as it should be, with a colon right behind it. False may be either.
    pub(crate) fn is_exact(&self) -> bool {
        self.is_frequent
    }

    /// The value as it begins, with what stands behind it.
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

    /// The value, without blanks round it.
    #[inline]
    pub(crate) fn value(&self) -> &'t [u8] {
        trim(self.value, 0, is_blank).0
    }

    /// The whole field, of the line that it was made of.
    #[inline]
    pub(crate) fn field(&self, text: &[u8], raw: &RawLine, profile: Profile) -> Option<Field> {
        if self.is_frequent {
            let found = Found::frequent(self.kind, raw.span.start, self.at, self.value);
            return Some(found.field(self.kind));
        }
        rare_field(text, *raw, profile)
    }
}

/// The field of a line, which is a copy for the same reason.
#[inline(never)]
fn rare_field(text: &[u8], raw: RawLine, profile: Profile) -> Option<Field> {
    match read(text, &raw, profile).0 {
        Content::Field(field) => Some(field),
        Content::Blank | Content::Unreadable => None,
    }
}
