//! Bytes to text, in pieces that know where they came from.

use crate::reach::{Reach, reach};
use encoding_rs::{Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// A piece of a page. Pieces end before each `<` and behind each `>`, so that a tag begins with a
/// piece. Only a broken character from the piece before can come first, which ends there.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Its first byte in the page.
    pub(crate) offset: u64,
    pub(crate) text: String,
}

/// A piece has at most this many bytes, so that a page without tags is not decoded at once.
const MAX_PIECE_BYTES: usize = 16 << 10;

/// How many bytes are searched for a declaration of the encoding.
const PRESCAN: usize = 1_024;

/// The pieces of a page, decoded one by one: nothing is kept.
pub(crate) struct Pieces<'a> {
    page: &'a [u8],
    start: usize,
    encoding: &'static Encoding,
    decoder: Decoder,
    /// Whether the encoding has two bytes for what ASCII has one.
    wide: bool,
}

/// Decodes a page: by its byte order mark, else as the response says, else as the page itself
/// declares, else as UTF-8.
pub(crate) fn pieces<'a>(page: &'a [u8], charset: Option<&str>) -> Pieces<'a> {
    let marked = Encoding::for_bom(page);
    let encoding = marked
        .map(|(encoding, _)| encoding)
        .or_else(|| charset.and_then(|label| Encoding::for_label(label.trim().as_bytes())))
        .or_else(|| declared(page))
        .unwrap_or(UTF_8);
    Pieces {
        page,
        start: marked.map_or(0, |(_, length)| length),
        encoding,
        decoder: encoding.new_decoder_without_bom_handling(),
        wide: encoding == UTF_16LE || encoding == UTF_16BE,
    }
}

impl Pieces<'_> {
    /// How far they must be read.
    pub(crate) fn reach(&self) -> Reach {
        reach(self.page, self.encoding)
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        if self.start >= self.page.len() {
            return None;
        }
        let end = piece_end(self.page, self.start, self.wide);
        let last = end == self.page.len();
        let text = decode(&mut self.decoder, &self.page[self.start..end], last);
        let offset = self.start as u64;
        self.start = end;
        Some(Piece { offset, text })
    }
}

/// Where the piece ends that begins at `start`: before the next `<`, behind the next `>`, or where
/// it is long enough.
fn piece_end(page: &[u8], start: usize, wide: bool) -> usize {
    let step = if wide { 2 } else { 1 };
    let mut at = start;
    while at < page.len() {
        let unit = &page[at..page.len().min(at + step)];
        let is = |mark: u8| {
            if wide {
                unit == [mark, 0] || unit == [0, mark]
            } else {
                unit == [mark]
            }
        };
        if is(b'<') && at > start {
            return at;
        }
        at += unit.len();
        if is(b'>') || at - start >= MAX_PIECE_BYTES {
            return at;
        }
    }
    page.len()
}

fn decode(decoder: &mut Decoder, bytes: &[u8], last: bool) -> String {
    let room = decoder
        .max_utf8_buffer_length(bytes.len())
        .unwrap_or(bytes.len() * 4 + 16);
    let mut text = String::with_capacity(room);
    // The buffer is as large as the decoder can ask for, so that one call takes everything.
    let _ = decoder.decode_to_string(bytes, &mut text, last);
    text
}

/// The encoding that a `<meta charset>`, or an `http-equiv` with a `charset`, declares near the
/// beginning. One that says UTF-16 was read as ASCII, so it cannot be true, and means UTF-8.
fn declared(page: &[u8]) -> Option<&'static Encoding> {
    let near = page[..page.len().min(PRESCAN)].to_ascii_lowercase();
    let text = String::from_utf8_lossy(&near);
    let label = text.split("<meta").skip(1).find_map(|element| {
        let element = element.split('>').next()?;
        let (_, value) = element.split_once("charset")?;
        let value = value.trim_start().strip_prefix('=')?;
        let value = value.trim_start_matches([' ', '\t', '\n', '\r', '"', '\'']);
        value
            .split([' ', '\t', '\n', '\r', '"', '\'', ';', '/'])
            .next()
            .map(str::to_owned)
    })?;
    match Encoding::for_label(label.as_bytes())? {
        encoding if encoding == UTF_16LE || encoding == UTF_16BE => Some(UTF_8),
        encoding if encoding == X_USER_DEFINED => Some(WINDOWS_1252),
        encoding => Some(encoding),
    }
}
