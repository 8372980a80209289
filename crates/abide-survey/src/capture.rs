//! A robots.txt as one site served it once, or a response in its place.

use abide::Moment;
use abide::rep::{Access, Cause};
use abide_fetch::machine::{Chain, Hop, RetrievalSettings, StatusClass, outcome_of};
use abide_fetch::{Origin, RequestUrl};
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use ring::digest::{Context, SHA256};
use std::io::Read;

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
    /// Why there was no response, if that is what was captured.
    pub failure: Option<Cause>,
    /// The values of the response's `Location` fields.
    pub locations: Vec<Vec<u8>>,
    /// The body of the response.
    pub body: Body,
    /// The URL of the response at the end of the redirects that were followed.
    pub redirect: Option<String>,
}

/// The body of a response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Body {
    /// Its beginning, up to [`BODY_KEPT`] bytes.
    pub bytes: Vec<u8>,
    /// Its length in bytes.
    pub length: u64,
    /// Its SHA-256; `None` for an empty body that was not read.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Coding {
    pub(crate) is_chunked: bool,
    pub(crate) compression: Compression,
}

/// The content coding of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Compression {
    #[default]
    None,
    Gzip,
    Deflate,
    /// One that abide does not read.
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
    pub fn of(mut bytes: Vec<u8>) -> Self {
        let digest = ring::digest::digest(&SHA256, &bytes);
        let length = bytes.len() as u64;
        bytes.truncate(BODY_KEPT);
        Self {
            digest: digest.as_ref().try_into().ok(),
            length,
            bytes,
            is_cut: false,
        }
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

/// How a body is encoded, by the fields of its response.
pub(crate) fn coding(transfer: &[u8], content: &[u8]) -> Coding {
    let word = content.trim_ascii();
    let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
    let compression = match () {
        () if word.is_empty() || is("identity") || is("none") => Compression::None,
        () if is("gzip") || is("x-gzip") => Compression::Gzip,
        () if is("deflate") => Compression::Deflate,
        () => {
            let mut named = ["br", "zstd", "compress"]
                .into_iter()
                .filter(|name| is(name));
            Compression::Unknown(named.next().unwrap_or("another coding"))
        }
    };
    Coding {
        is_chunked: transfer
            .trim_ascii()
            .to_ascii_lowercase()
            .ends_with(b"chunked"),
        compression,
    }
}

/// Why a body cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecodeError {
    /// A content coding that abide does not read.
    Coding(&'static str),
    /// The bytes are not what the fields say.
    Damaged,
}

/// Decodes a body. Many archives keep the fields of the transfer beside a body that they decoded,
/// so a body that does not look encoded is taken as it is.
pub(crate) fn decoded(raw: Vec<u8>, coding: Coding) -> Result<Vec<u8>, DecodeError> {
    let dechunked = if coding.is_chunked {
        dechunked(&raw)?
    } else {
        None
    };
    let raw = dechunked.unwrap_or(raw);
    match unpacked(&raw, coding.compression)? {
        None => Ok(raw),
        Some((plain, Ok(_))) => Ok(plain),
        Some((_, Err(_))) => Err(DecodeError::Damaged),
    }
}

/// What could be unpacked of a body, and whether that is all; `None` if it is not compressed.
type Unpacked = Option<(Vec<u8>, std::io::Result<usize>)>;

fn unpacked(raw: &[u8], compression: Compression) -> Result<Unpacked, DecodeError> {
    let most = BODY_KEPT as u64 * 2;
    let mut plain = Vec::new();
    let read = match compression {
        Compression::Gzip if raw.starts_with(&[0x1f, 0x8b]) => {
            MultiGzDecoder::new(raw).take(most).read_to_end(&mut plain)
        }
        Compression::Deflate if raw.first().is_some_and(|byte| byte & 0x0f == 8) => {
            ZlibDecoder::new(raw).take(most).read_to_end(&mut plain)
        }
        Compression::Unknown(name) if !looks_like_text(raw) => {
            return Err(DecodeError::Coding(name));
        }
        _ => return Ok(None),
    };
    Ok(Some((plain, read)))
}

/// Decodes the beginning of a longer body as far as possible.
pub(crate) fn decoded_start(mut raw: Vec<u8>, coding: Coding) -> Result<Vec<u8>, DecodeError> {
    if coding.is_chunked {
        let mut whole = Vec::new();
        let mut rest = raw.as_slice();
        while let Some((size, after)) = chunk_size(rest) {
            let chunk = after.get(..size).unwrap_or(after);
            whole.extend_from_slice(chunk);
            rest = after.get(size + 2..).unwrap_or_default();
        }
        if !whole.is_empty() {
            raw = whole;
        }
    }
    match unpacked(&raw, coding.compression)? {
        None => Ok(raw),
        Some((plain, _)) if plain.is_empty() => Err(DecodeError::Damaged),
        // What can be read before the end of the bytes is kept.
        Some((plain, _)) => Ok(plain),
    }
}

/// Whether bytes are readable as they are, although a field says that they are compressed.
fn looks_like_text(bytes: &[u8]) -> bool {
    let start = bytes.get(..256).unwrap_or(bytes);
    let is_control = |byte: &u8| *byte < 32 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    !start.iter().any(is_control)
        && std::str::from_utf8(start).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// The body without its chunks; `None` if it has none.
fn dechunked(raw: &[u8]) -> Result<Option<Vec<u8>>, DecodeError> {
    let mut plain = Vec::with_capacity(raw.len());
    let mut rest = raw;
    let mut is_first = true;
    loop {
        let Some((size, after)) = chunk_size(rest) else {
            return if is_first {
                Ok(None)
            } else {
                Err(DecodeError::Damaged)
            };
        };
        is_first = false;
        if size == 0 {
            return Ok(Some(plain));
        }
        let (chunk, after) = after.split_at_checked(size).ok_or(DecodeError::Damaged)?;
        plain.extend_from_slice(chunk);
        rest = match after {
            [b'\r', b'\n', rest @ ..] | [b'\n', rest @ ..] => rest,
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
        let chunked = Coding {
            is_chunked: true,
            ..Coding::default()
        };
        let body = b"3\r\nUse\r\n4;x=y\r\nr-ag\r\n0\r\n\r\n".to_vec();
        assert_eq!(decoded(body, chunked), Ok(b"User-ag".to_vec()));
        let plain = b"User-agent: *\n".to_vec();
        assert_eq!(decoded(plain.clone(), chunked), Ok(plain.clone()));
        let broken = b"ff\r\nUser".to_vec();
        assert_eq!(decoded(broken, chunked), Err(DecodeError::Damaged));
        let gzip = coding(b"", b"gzip");
        assert_eq!(decoded(plain.clone(), gzip), Ok(plain.clone()));
        assert_eq!(decoded(plain.clone(), coding(b"", b"br")), Ok(plain));
        let brotli = b"\x0b\x02\x80abc\x03".to_vec();
        assert_eq!(
            decoded(brotli, coding(b"", b"br")),
            Err(DecodeError::Coding("br"))
        );
        let cut = b"\x1f\x8b\x08\0\0\0\0\0\0\x03ab".to_vec();
        assert_eq!(decoded(cut, gzip), Err(DecodeError::Damaged));
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
