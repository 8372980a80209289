//! Bytes of a licence document to text.

use std::borrow::Cow;

/// Decodes UTF-8, or UTF-16 with a byte order mark (PREF-108). The bytes decide: the encoding that
/// an XML declaration names is not looked at, because a document is often encoded again on its way.
pub(crate) fn text(body: &[u8]) -> Option<Cow<'_, str>> {
    match body {
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => std::str::from_utf8(rest).ok().map(Cow::Borrowed),
        _ => std::str::from_utf8(body).ok().map(Cow::Borrowed),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<Cow<'_, str>> {
    let (units, rest) = bytes.as_chunks::<2>();
    let decoded = char::decode_utf16(units.iter().map(|pair| unit(*pair)));
    let text = decoded.collect::<Result<String, _>>().ok()?;
    rest.is_empty().then_some(Cow::Owned(text))
}
