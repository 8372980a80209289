//! A robots.txt as one site served it once, or a response in its place.

use abide::Moment;
use abide::rep::{Access, Cause};
use abide::tag::FieldLine;
use abide_fetch::machine::{Chain, Hop, RetrievalSettings, StatusClass, outcome_of};
use abide_fetch::{Origin, RequestUrl};
use flate2::read::MultiGzDecoder;
use flate2::{Decompress, FlushDecompress, Status};
use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::sync::Arc;

/// The largest number of bytes of a body that are kept: one more than the parsing limit, so that
/// the engine sees that a longer file is cut.
pub const BODY_KEPT: usize = abide::Limits::FLOOR + 1;

/// A robots.txt as one site served it once, or a response in its place.
///
/// ```
/// use abide_survey::Capture;
/// let capture = Capture::of_url("https://example.com/robots.txt")
///     .with_status(200)
///     .with_body(b"User-agent: *\nDisallow: /private/\n".to_vec());
/// assert_eq!(capture.host, "example.com");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capture {
    /// The URL of the robots.txt, if it is known.
    pub url: Option<String>,
    /// The host, with the port if it is not the default one.
    pub host: String,
    /// When it was captured, in milliseconds since 1970.
    pub date: Option<i64>,
    /// The status of the response. Without one, the body is the file.
    pub status: Option<u16>,
    /// The status of the record itself, if [`Capture::status`] is that of another one, to which it
    /// leads.
    pub first_status: Option<u16>,
    /// Why there was no response, if that is what was captured.
    pub failure: Option<Cause>,
    /// The values of the response's `Location` fields.
    pub locations: Vec<Vec<u8>>,
    /// All fields of the response to a request for a page. Of a robots.txt they are not kept.
    pub fields: Vec<FieldLine>,
    /// The body of the response.
    pub body: Body,
    /// The URL of the response at the end of the redirects that were followed.
    pub redirect: Option<String>,
    /// Where it was captured: of a redirect, the redirect itself.
    pub record: RecordPlace,
}

/// Where a record is, so that anybody can read it again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecordPlace {
    /// The name of the input.
    #[serde(skip)]
    pub source: Option<Arc<str>>,
    /// Where it begins there, in bytes.
    pub offset: Option<u64>,
    /// Its length there, in bytes.
    pub length: Option<u64>,
    /// The row of a table, counted from 0.
    pub row: Option<u64>,
}

impl RecordPlace {
    /// At a byte.
    pub(crate) fn at_byte(offset: u64, length: Option<u64>) -> Self {
        Self {
            offset: Some(offset),
            length,
            ..Self::default()
        }
    }

    /// In a row of a table.
    pub(crate) fn at_row(row: u64) -> Self {
        Self {
            row: Some(row),
            ..Self::default()
        }
    }

    /// Where a reader finds it.
    pub(crate) fn place(&self) -> u64 {
        self.row.or(self.offset).unwrap_or_default()
    }
}

/// The body of a response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Body {
    /// Its beginning, up to [`BODY_KEPT`] bytes.
    pub bytes: Vec<u8>,
    /// Its length in bytes.
    pub length: u64,
    /// Its SHA-256; `None` for an empty body that was not read, and for one that cannot be decoded.
    pub digest: Option<[u8; 32]>,
    /// Whether the capture ends before the body does.
    pub is_cut: bool,
}

/// What a capture says about a site, as retrieval reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The rules, or that there are none.
    Access(Access),
    /// The rules are at this URL.
    Redirect(String),
    /// The file did not change since an earlier capture.
    NotModified,
}

/// What decodes a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Coding {
    pub(crate) is_chunked: bool,
    /// In the order in which they are decoded.
    pub(crate) compressions: Vec<Compression>,
}

/// How a body is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Deflate,
    Zstd,
    /// In a way that abide does not read.
    Unknown(&'static str),
}

impl Capture {
    /// A capture of the file at this URL.
    #[must_use]
    pub fn of_url(url: &str) -> Self {
        Self {
            host: host_of(url).unwrap_or_default(),
            url: Some(url.to_owned()),
            ..Self::default()
        }
    }

    /// A file of this host, of which nothing else is known.
    #[must_use]
    pub fn of_host(host: &str) -> Self {
        Self {
            host: host.to_owned(),
            ..Self::default()
        }
    }

    /// This capture, with the status of the response.
    #[must_use]
    pub fn with_status(self, status: u16) -> Self {
        Self {
            status: Some(status),
            ..self
        }
    }

    /// This capture, with its instant in milliseconds since 1970.
    #[must_use]
    pub fn with_date(self, date: i64) -> Self {
        Self {
            date: Some(date),
            ..self
        }
    }

    /// This capture, with a `Location` field of the response.
    #[must_use]
    pub fn with_location(mut self, location: impl Into<Vec<u8>>) -> Self {
        self.locations.push(location.into());
        self
    }

    /// This capture, with the body as the site means it: without chunks, not compressed.
    #[must_use]
    pub fn with_body(self, bytes: Vec<u8>) -> Self {
        Self {
            body: Body::of(bytes),
            ..self
        }
    }

    /// What it says. A redirect that leads nowhere is a missing or an unreachable file, as in
    /// retrieval.
    pub(crate) fn meaning(&self) -> Meaning {
        if let Some(cause) = self.failure {
            return Meaning::Access(Access::from_failure(cause));
        }
        let Some(status) = self.status else {
            return Meaning::Access(Access::Rules);
        };
        if Chain::redirects(status) {
            return self.redirected();
        }
        Meaning::Access(match outcome_of(status, &RetrievalSettings::default()) {
            StatusClass::File | StatusClass::EmptyFile => Access::Rules,
            StatusClass::NotModified => return Meaning::NotModified,
            StatusClass::Unavailable(cause) => Access::Unavailable(cause),
            StatusClass::Unreachable(cause) => Access::Unreachable(cause),
        })
    }

    fn redirected(&self) -> Meaning {
        let from = self.url.as_deref().unwrap_or_default();
        let hop = Chain::new(from).map(|mut chain| {
            let locations: Vec<&[u8]> = self.locations.iter().map(Vec::as_slice).collect();
            chain.follow(&locations, &RetrievalSettings::default())
        });
        match hop {
            Ok(Hop::Follow(url)) => Meaning::Redirect(url.as_str().to_owned()),
            Ok(Hop::End(cause)) | Err(cause) => Meaning::Access(Access::from_failure(cause)),
        }
    }

    /// Whether its response never has a body, whatever was captured (AMB-REP-19).
    pub(crate) fn has_no_body(&self) -> bool {
        matches!(self.status, Some(204 | 205))
    }
}

impl Body {
    /// A complete body.
    #[must_use]
    pub fn of(bytes: Vec<u8>) -> Self {
        Self::kept(bytes, BODY_KEPT)
    }

    /// A complete body, of which the first `kept` bytes are kept.
    fn kept(mut bytes: Vec<u8>, kept: usize) -> Self {
        let digest = ring::digest::digest(&SHA256, &bytes);
        let length = bytes.len() as u64;
        bytes.truncate(kept);
        Self {
            digest: digest.as_ref().try_into().ok(),
            length,
            bytes,
            is_cut: false,
        }
    }

    /// One that cannot be decoded. It has a length, but neither bytes nor a digest, so that equal
    /// bytes of another meaning are not taken for it.
    pub(crate) fn undecoded(length: u64) -> Self {
        Self {
            length,
            ..Self::default()
        }
    }

    pub(crate) fn is_undecoded(&self) -> bool {
        self.digest.is_none() && self.length > 0
    }

    /// Reads a body to its end and keeps the beginning of it.
    pub(crate) fn read(from: &mut dyn Read) -> std::io::Result<Self> {
        let mut body = Self::default();
        let mut digest = Context::new(&SHA256);
        let mut buffer = [0; 16 << 10];
        loop {
            let read = match from.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let bytes = buffer.get(..read).unwrap_or_default();
            digest.update(bytes);
            body.length += read as u64;
            let room = BODY_KEPT - body.bytes.len();
            body.bytes
                .extend_from_slice(bytes.get(..room).unwrap_or(bytes));
        }
        body.digest = digest.finish().as_ref().try_into().ok();
        Ok(body)
    }

    /// The bytes to parse: of a body that was cut within a line, the lines before.
    pub(crate) fn to_parse(&self) -> &[u8] {
        if !self.is_cut || self.bytes.len() >= BODY_KEPT {
            return &self.bytes;
        }
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let last = self.bytes.iter().rposition(is_end);
        let whole = last.map_or(0, |last| last + 1);
        self.bytes.get(..whole).unwrap_or_default()
    }
}

/// The largest number of compressions of one body.
const MAX_COMPRESSIONS: usize = 4;
/// How much of a compressed body is decoded.
const MAX_DECODED_BYTES: u64 = BODY_KEPT as u64 * 2;
/// The binary logarithm of the largest window of a body in zstd: 8 MiB (RFC 9659).
const MAX_WINDOW_LOG: u32 = 23;

/// What begins a frame of zstd.
pub(crate) const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// How a body is encoded, by the fields of its response.
pub(crate) fn coding(transfer: &[u8], content: &[u8]) -> Coding {
    let words = |field| {
        <[u8]>::split(field, |byte| *byte == b',')
            .map(<[u8]>::trim_ascii)
            .rev()
    };
    let is_chunked = |word: &&[u8]| word.eq_ignore_ascii_case(b"chunked");
    // The one that was applied last is decoded first.
    let all = words(transfer).chain(words(content));
    let compressions = all.filter(|word| !is_chunked(word)).filter_map(compression);
    Coding {
        is_chunked: words(transfer).next().is_some_and(|last| is_chunked(&last)),
        compressions: compressions.collect(),
    }
}

fn compression(word: &[u8]) -> Option<Compression> {
    let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
    Some(match () {
        () if word.is_empty() || is("identity") || is("none") => return None,
        () if is("gzip") || is("x-gzip") => Compression::Gzip,
        () if is("deflate") => Compression::Deflate,
        () if is("zstd") => Compression::Zstd,
        () => {
            let mut named = ["br", "compress"].into_iter().filter(|name| is(name));
            Compression::Unknown(named.next().unwrap_or("another coding"))
        }
    })
}

/// The code of an error, and what is wrong.
pub(crate) type Wrong = (&'static str, String);

/// Why a body cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecodeError {
    /// A coding that abide does not read.
    Coding(&'static str),
    /// The bytes are not what the fields say.
    Damaged,
}

impl DecodeError {
    pub(crate) fn problem(self) -> Wrong {
        match self {
            Self::Coding(name) => (
                "content-encoding",
                format!(
                    "the body is encoded with {name}, which abide does not read; its state is damaged. Store it decoded"
                ),
            ),
            Self::Damaged => (
                "body-damaged",
                "the body is not encoded as its HTTP fields say; its state is damaged".to_owned(),
            ),
        }
    }
}

/// A body by its bytes, of which the first `kept` are kept, and what is wrong with them. Of one
/// that cannot be decoded, only the length is known.
pub(crate) fn body(raw: Vec<u8>, coding: &Coding, kept: usize) -> (Body, Option<DecodeError>) {
    if *coding == Coding::default() {
        return (Body::kept(raw, kept), None);
    }
    let length = raw.len() as u64;
    match decoded(raw, coding) {
        Ok((plain, is_cut)) => {
            let mut body = Body::kept(plain, kept);
            body.is_cut = is_cut;
            (body, None)
        }
        Err(error) => (Body::undecoded(length), Some(error)),
    }
}

/// Decodes a body, as far as it goes; also returns whether it ends early. Many archives keep the
/// fields of the transfer beside a body that they decoded, so a body that does not look encoded is
/// taken as it is.
fn decoded(mut raw: Vec<u8>, coding: &Coding) -> Result<(Vec<u8>, bool), DecodeError> {
    if coding.compressions.len() > MAX_COMPRESSIONS {
        return Err(DecodeError::Damaged);
    }
    let mut is_cut = false;
    if coding.is_chunked
        && let Some((plain, is_short)) = dechunked(&raw)?
    {
        raw = plain;
        is_cut = is_short;
    }
    for compression in &coding.compressions {
        if let Some((plain, is_short)) = unpacked(&raw, *compression)? {
            raw = plain;
            is_cut |= is_short;
        }
    }
    if is_cut && raw.is_empty() {
        return Err(DecodeError::Damaged);
    }
    Ok((raw, is_cut))
}

/// What could be unpacked of a body, and whether it ends early; `None` if it is not compressed.
fn unpacked(raw: &[u8], compression: Compression) -> Result<Option<(Vec<u8>, bool)>, DecodeError> {
    let mut plain = Vec::new();
    let mut unpack = |from: &mut dyn Read| from.take(MAX_DECODED_BYTES).read_to_end(&mut plain);
    let read = match compression {
        Compression::Gzip if raw.starts_with(&[0x1f, 0x8b]) => {
            unpack(&mut MultiGzDecoder::new(raw))
        }
        // Some servers leave out the head.
        Compression::Deflate if has_zlib_head(raw) || !looks_like_text(raw) => {
            return inflated(raw, has_zlib_head(raw)).map(Some);
        }
        Compression::Zstd if raw.starts_with(&ZSTD) => {
            let unpacker = zstd::stream::read::Decoder::with_buffer(raw);
            let mut unpacker = unpacker.map_err(|_| DecodeError::Damaged)?;
            let limited = unpacker.window_log_max(MAX_WINDOW_LOG);
            limited.map_err(|_| DecodeError::Damaged)?;
            unpack(&mut unpacker)
        }
        Compression::Unknown(name) if !looks_like_text(raw) => {
            return Err(DecodeError::Coding(name));
        }
        _ => return Ok(None),
    };
    match read {
        Ok(_) => Ok(Some((plain, false))),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(Some((plain, true))),
        Err(_) => Err(DecodeError::Damaged),
    }
}

/// The bytes of a stream of deflate, and whether it ends early.
fn inflated(raw: &[u8], has_head: bool) -> Result<(Vec<u8>, bool), DecodeError> {
    let mut inflate = Decompress::new(has_head);
    let (mut plain, mut rest) = (Vec::new(), raw);
    let mut buffer = vec![0; 64 << 10];
    while (plain.len() as u64) < MAX_DECODED_BYTES {
        let (used, made) = (inflate.total_in(), inflate.total_out());
        let status = inflate.decompress(rest, &mut buffer, FlushDecompress::None);
        let status = status.map_err(|_| DecodeError::Damaged)?;
        let used = usize::try_from(inflate.total_in() - used).unwrap_or(usize::MAX);
        let made = usize::try_from(inflate.total_out() - made).unwrap_or(usize::MAX);
        plain.extend_from_slice(buffer.get(..made).unwrap_or_default());
        rest = rest.get(used..).unwrap_or_default();
        match status {
            Status::StreamEnd => break,
            _ if (used, made) == (0, 0) => return Ok((plain, true)),
            _ => {}
        }
    }
    Ok((plain, false))
}

/// Whether bytes begin as zlib does (RFC 1950).
fn has_zlib_head(bytes: &[u8]) -> bool {
    matches!(bytes, [first, second, ..]
        if first & 0x0f == 8 && u16::from_be_bytes([*first, *second]) % 31 == 0)
}

/// Whether bytes are readable as they are, although a field says that they are compressed.
fn looks_like_text(bytes: &[u8]) -> bool {
    let start = bytes.get(..256).unwrap_or(bytes);
    let is_control = |byte: &u8| *byte < 32 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    !start.iter().any(is_control)
        && std::str::from_utf8(start).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// The body without its chunks, and whether it ends early; `None` if it has none.
pub(crate) fn dechunked(raw: &[u8]) -> Result<Option<(Vec<u8>, bool)>, DecodeError> {
    let mut plain = Vec::with_capacity(raw.len());
    let mut rest = raw;
    loop {
        let Some((size, after)) = chunk_size(rest) else {
            return match rest {
                _ if rest.len() == raw.len() => Ok(None),
                // The line with the size was not captured as a whole.
                _ if !rest.contains(&b'\n') && rest.len() < 16 => Ok(Some((plain, true))),
                _ => Err(DecodeError::Damaged),
            };
        };
        if size == 0 {
            return Ok(Some((plain, false)));
        }
        let Some((chunk, after)) = after.split_at_checked(size) else {
            plain.extend_from_slice(after);
            return Ok(Some((plain, true)));
        };
        plain.extend_from_slice(chunk);
        rest = match after {
            [b'\r', b'\n', rest @ ..] | [b'\n', rest @ ..] => rest,
            [] | [b'\r'] => return Ok(Some((plain, true))),
            _ => return Err(DecodeError::Damaged),
        };
    }
}

/// The size of a chunk, and what follows its line.
fn chunk_size(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let end = memchr::memchr(b'\n', bytes.get(..256).unwrap_or(bytes))?;
    let line = bytes.get(..end)?;
    let digits = line.split(|byte| *byte == b';').next()?.trim_ascii();
    if digits.is_empty() || digits.len() > 8 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let size = usize::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    Some((size, bytes.get(end + 1..)?))
}

/// Whether a status is that of a final response. From 600 on none is defined, and clients take it
/// for a failure of the server (RFC 9110, 15); some servers refuse robots with 999.
pub(crate) const fn is_final(status: u16) -> bool {
    200 <= status && status <= 999
}

/// What is said about a status that is not final.
pub(crate) fn no_final_status(status: &str) -> Wrong {
    let message = format!("{status} is not the status of a final response, 200 to 999");
    ("http-status", message)
}

/// The host of a URL, with the port if it is not the default one.
pub(crate) fn host_of(url: &str) -> Option<String> {
    let origin = Origin::of(url)?;
    let (_, host) = origin.as_str().split_once("://")?;
    Some(host.to_owned())
}

/// The URL as clients request it: what redirects and captures are compared by.
pub(crate) fn requested(url: &str) -> Option<String> {
    Some(RequestUrl::new(url).ok()?.as_str().to_owned())
}

/// Whether a URL is that of a robots.txt. With a query it is another page, which no robot asks for.
pub(crate) fn is_robots_txt(url: &str) -> bool {
    let after = url.find("://").map_or(0, |at| at + 3);
    let rest = url.get(after..).unwrap_or_default();
    let path = rest.find('/').and_then(|at| rest.get(at..));
    let path = path.map(|path| path.split('#').next().unwrap_or(path));
    path == Some("/robots.txt")
}

/// An instant in milliseconds since 1970, from text such as `2026-11-20T12:00:00.5Z` or the 14
/// digits of archives.
pub(crate) fn date(text: &str) -> Option<i64> {
    let text = text.trim();
    if text.len() == 14 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
        let written = format!(
            "{}-{}-{}T{}:{}:{}Z",
            part(0, 4),
            part(4, 6),
            part(6, 8),
            part(8, 10),
            part(10, 12),
            part(12, 14)
        );
        return date(&written);
    }
    let (whole, thousandths) = match text.split_once('.') {
        None => (text.to_owned(), 0),
        Some((before, after)) => {
            let end = after.find(|c: char| !c.is_ascii_digit());
            let (digits, zone) = after.split_at(end.unwrap_or(after.len()));
            let digits = digits.bytes().chain(*b"000").take(3);
            let number = digits.fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
            (format!("{before}{zone}"), number)
        }
    };
    let moment: Moment = whole.parse().ok()?;
    moment
        .unix_seconds()
        .checked_mul(1_000)?
        .checked_add(thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_decoded_where_they_are_encoded() {
        let whole = |text: &[u8]| Ok((text.to_vec(), false));
        let cut = |text: &[u8]| Ok((text.to_vec(), true));
        let damaged = Err(DecodeError::Damaged);
        let chunked = |body: &[u8]| decoded(body.to_vec(), &coding(b"chunked", b""));
        assert_eq!(
            chunked(b"3\r\nUse\r\n4;x=y\r\nr-ag\r\n0\r\n\r\n"),
            whole(b"User-ag")
        );
        assert_eq!(chunked(b"User-agent: *\n"), whole(b"User-agent: *\n"));
        for early in [
            &b"ff\r\nUser"[..],
            b"4\r\nUser",
            b"4\r\nUser\r",
            b"4\r\nUser\r\n1",
        ] {
            assert_eq!(chunked(early), cut(b"User"));
        }
        assert_eq!(chunked(b"4\r\nUser\r\nno size\n"), damaged);
        assert_eq!(chunked(b"ff\r\n"), damaged);
        let plain = b"User-agent: *\n";
        for name in [&b"gzip"[..], b"deflate", b"zstd", b"br", b"x, y"] {
            assert_eq!(decoded(plain.to_vec(), &coding(b"", name)), whole(plain));
        }
        let br = decoded(b"\x0b\x02\x80abc\x03".to_vec(), &coding(b"", b"br"));
        assert_eq!(br, Err(DecodeError::Coding("br")));
        let gzip = b"\x1f\x8b\x08\0\0\0\0\0\0\x03ab".to_vec();
        assert_eq!(decoded(gzip, &coding(b"", b"gzip")), damaged);
        let five = coding(b"gzip, gzip", b"gzip, gzip, gzip");
        assert_eq!(decoded(plain.to_vec(), &five), damaged);
    }

    #[test]
    fn compressed_bodies_are_decoded_as_far_as_they_go() {
        use flate2::Compression as Level;
        use flate2::bufread::{DeflateEncoder, GzEncoder, ZlibEncoder};
        fn packed(mut by: impl Read) -> Vec<u8> {
            let mut packed = Vec::new();
            by.read_to_end(&mut packed).expect("memory can be read");
            packed
        }
        let numbers =
            (0..30_000_u32).map(|number| format!("Disallow: /{}\n", number * 7_919 % 99_991));
        let text = numbers.collect::<String>().into_bytes();
        let gzip = |text: &[u8]| packed(GzEncoder::new(text, Level::fast()));
        let bodies = [
            (gzip(&text), coding(b"", b"gzip")),
            (gzip(&gzip(&text)), coding(b"", b"gzip, gzip")),
            (gzip(&text), coding(b"gzip, chunked", b"")),
            (
                packed(ZlibEncoder::new(&text[..], Level::fast())),
                coding(b"", b"deflate"),
            ),
            (
                packed(DeflateEncoder::new(&text[..], Level::fast())),
                coding(b"", b"deflate"),
            ),
            (
                zstd::encode_all(&text[..], 3).expect("memory can be read"),
                coding(b"", b"zstd"),
            ),
        ];
        for (bytes, coding) in bodies {
            assert_eq!(
                decoded(bytes.clone(), &coding),
                Ok((text.clone(), false)),
                "{coding:?}"
            );
            let half = bytes.get(..bytes.len() / 2).unwrap_or_default().to_vec();
            let (start, is_cut) = decoded(half, &coding).expect("what is there can be decoded");
            assert!(is_cut && text.starts_with(&start), "{coding:?}");
        }
    }

    #[test]
    fn dates_are_read_as_archives_write_them() {
        assert_eq!(date("1970-01-01T00:00:01Z"), Some(1_000));
        assert_eq!(date("1970-01-01T00:00:01.5Z"), Some(1_500));
        assert_eq!(date("19700101000001"), Some(1_000));
        assert_eq!(date("yesterday"), None);
    }

    #[test]
    fn only_the_whole_path_makes_a_robots_txt() {
        assert!(is_robots_txt("https://a.example/robots.txt"));
        assert!(is_robots_txt("https://a.example:8080/robots.txt#x"));
        assert!(!is_robots_txt("https://a.example/robots.txt?x=1"));
        assert!(!is_robots_txt("https://a.example/robots.txt?"));
        assert!(!is_robots_txt("https://a.example/x/robots.txt"));
        assert!(!is_robots_txt("https://a.example"));
    }
}
