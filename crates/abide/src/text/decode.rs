//! Decodes a file: byte order marks and UTF-16 (REP-57, AMB-REP-11, AMB-REP-13).

use super::Limits;
use super::limit::{Cut, within};
use super::part::Part as _;
use std::ops::Deref;
use std::sync::Arc;

/// How the bytes of a file were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// Well-formed UTF-8, which includes ASCII.
    Utf8,
    /// Bytes that are not well-formed UTF-8. They are read as they are (AMB-REP-11).
    NotUtf8,
    /// UTF-16, least significant byte first, with a byte order mark. Transcoded to UTF-8.
    Utf16Le,
    /// UTF-16, most significant byte first, with a byte order mark. Transcoded to UTF-8.
    Utf16Be,
}

/// A file's text, ready to be split into lines.
///
/// All spans in this crate are offsets into [`Text::as_bytes`]: the bytes of the file up to the
/// parsing limit, or its transcoded bytes if the file is UTF-16.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text<'a> {
    bytes: Bytes<'a>,
    body: usize,
    transcoded: Option<Encoding>,
    cut: Cut,
}

/// The bytes of a text, borrowed or shared.
#[derive(Clone, Debug)]
enum Bytes<'a> {
    Borrowed(&'a [u8]),
    /// The first bytes of a file, this many.
    Shared(Arc<[u8]>, usize),
}

impl Bytes<'_> {
    fn shared(bytes: &[u8]) -> Self {
        Self::Shared(bytes.into(), bytes.len())
    }

    fn into_owned(self) -> Bytes<'static> {
        match self {
            Self::Borrowed(bytes) => Bytes::shared(bytes),
            Self::Shared(bytes, length) => Bytes::Shared(bytes, length),
        }
    }
}

impl Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Shared(bytes, length) => bytes.part(..*length),
        }
    }
}

impl Default for Bytes<'_> {
    fn default() -> Self {
        Self::Borrowed(&[])
    }
}

impl PartialEq for Bytes<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Bytes<'_> {}

const UTF8_BOM: &[u8] = b"\xEF\xBB\xBF";

impl<'a> Text<'a> {
    /// Reads `bytes` as far as `limits` allow. The line that the limit cuts is dropped
    /// (AMB-REP-10), and a UTF-8 byte order mark at offset 0 is kept but not part of the first
    /// line.
    #[must_use]
    pub fn new(bytes: &'a [u8], limits: Limits) -> Self {
        match bytes {
            [0xFF, 0xFE, units @ ..] => {
                Self::utf16(units, limits, Encoding::Utf16Le, u16::from_le_bytes)
            }
            [0xFE, 0xFF, units @ ..] => {
                Self::utf16(units, limits, Encoding::Utf16Be, u16::from_be_bytes)
            }
            _ => {
                let (kept, cut) = within(bytes, limits.bytes());
                let body = if kept.starts_with(UTF8_BOM) {
                    UTF8_BOM.len()
                } else {
                    0
                };
                Self {
                    bytes: Bytes::Borrowed(kept),
                    body,
                    transcoded: None,
                    cut,
                }
            }
        }
    }

    /// Makes the text own `bytes`, from which it was read, instead of a copy.
    pub(crate) fn keeping(self, bytes: &Arc<[u8]>) -> Text<'static> {
        let bytes = match self.bytes {
            Bytes::Borrowed(kept) => Bytes::Shared(Arc::clone(bytes), kept.len()),
            Bytes::Shared(transcoded, length) => Bytes::Shared(transcoded, length),
        };
        Text {
            bytes,
            body: self.body,
            transcoded: self.transcoded,
            cut: self.cut,
        }
    }

    /// Reads a text as google/robotstxt does: a partial byte order mark counts as one, and UTF-16
    /// is not decoded.
    pub(crate) fn google(bytes: &'a [u8], limits: Limits) -> Self {
        let (kept, cut) = within(bytes, limits.bytes());
        let body = kept
            .iter()
            .zip(UTF8_BOM)
            .take_while(|(a, b)| a == b)
            .count();
        Self {
            bytes: Bytes::Borrowed(kept),
            body,
            transcoded: None,
            cut,
        }
    }

    fn utf16(
        units: &[u8],
        limits: Limits,
        encoding: Encoding,
        unit: fn([u8; 2]) -> u16,
    ) -> Text<'a> {
        let room = limits.bytes().saturating_sub(2) / 2;
        let truncated = units.len() / 2 > room;
        let code_units = units
            .chunks(2)
            .map(|pair| pair.try_into().map_or(0xFFFD, unit))
            .take(room);
        let mut decoded: String = char::decode_utf16(code_units)
            .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
        let next = units
            .chunks_exact(2)
            .nth(room)
            .and_then(|pair| pair.try_into().ok())
            .map(unit);
        let ends = matches!(next, Some(0x0A | 0x0D)) || decoded.ends_with(['\n', '\r']);
        let cut = match (truncated, ends) {
            (false, _) => Cut::Nothing,
            (true, true) => Cut::BetweenLines,
            (true, false) => Cut::Line,
        };
        if cut == Cut::Line {
            let end = decoded
                .rfind(['\n', '\r'])
                .map_or(0, |at| at.saturating_add(1));
            decoded.truncate(end);
        }
        Self {
            bytes: Bytes::shared(decoded.as_bytes()),
            body: 0,
            transcoded: Some(encoding),
            cut,
        }
    }

    /// The text. Every span is an offset into it.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Offset of the first line, after the byte order mark if there is one.
    #[must_use]
    pub fn body(&self) -> usize {
        self.body
    }

    /// Whether bytes past the parsing limit were dropped (REP-81).
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.cut != Cut::Nothing
    }

    /// Whether the parsing limit cut a line, which was dropped (AMB-REP-10).
    #[must_use]
    pub(crate) fn has_cut_line(&self) -> bool {
        self.cut == Cut::Line
    }

    /// The encoding of the file. Reads every byte.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.transcoded.unwrap_or_else(|| {
            if std::str::from_utf8(&self.bytes).is_ok() {
                Encoding::Utf8
            } else {
                Encoding::NotUtf8
            }
        })
    }

    /// This text, owned.
    #[must_use]
    pub fn into_owned(self) -> Text<'static> {
        Text {
            bytes: self.bytes.into_owned(),
            body: self.body,
            transcoded: self.transcoded,
            cut: self.cut,
        }
    }
}
