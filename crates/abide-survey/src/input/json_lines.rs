//! Files with one JSON object per line: `url`, `status`, `headers`, `body` or `body_base64`,
//! `date`.

use super::packed::Tracked;
use super::response::Response;
use super::sources::Source;
use super::{InputProblem, Item, Sink};
use crate::capture::{self, RecordPlace};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::bufread::MultiGzDecoder;
use serde::Deserialize;
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read};

/// The longest line.
const MAX_LINE_BYTES: usize = 16 << 20;

/// Reads the lines that begin from `from` on and before `until`. Offsets in a compressed file are
/// those of the unpacked text, and `from` is 0.
pub(crate) fn read(
    source: &Source,
    is_gzip: bool,
    (from, until): (u64, u64),
    takes_pages: bool,
    sink: &mut Sink<'_>,
) -> io::Result<()> {
    if is_gzip {
        let file = Tracked::open(&source.path, 0)?;
        let unpacked = BufReader::with_capacity(128 << 10, MultiGzDecoder::new(file));
        let mut lines = Lines::new(source, unpacked, 0);
        return lines.read((from, until), takes_pages, sink);
    }
    // The line that begins before `from` ends at a line end, which can be the last byte before it.
    let start = from.saturating_sub(1);
    let mut lines = Lines::new(source, Tracked::open(&source.path, start)?, start);
    if from > 0 {
        if !lines.skip_line()? {
            return Ok(());
        }
        lines.begun = (from, u64::from(lines.at > from));
    }
    lines.read((from, until), takes_pages, sink)
}

struct Lines<'s, R> {
    source: &'s Source,
    from: R,
    at: u64,
    line: Vec<u8>,
    /// A place, and how many lines ended between it and the line that is read.
    begun: (u64, u64),
}

#[derive(Deserialize)]
struct Line {
    url: Option<String>,
    status: Option<Value>,
    headers: Option<Value>,
    body: Option<String>,
    body_base64: Option<String>,
    date: Option<Value>,
}

impl<'s, R: BufRead> Lines<'s, R> {
    fn new(source: &'s Source, from: R, at: u64) -> Self {
        Self {
            source,
            from,
            at,
            line: Vec::new(),
            begun: (at, 0),
        }
    }

    /// Where the line is, for a message.
    fn place(&self) -> String {
        let (from, passed) = self.begun;
        let lines = &self.source.lines;
        match lines.ended_before(&self.source.path, from) {
            Ok(before) => format!("line {}", before + passed + 1),
            Err(_) => format!("byte {}", self.at),
        }
    }

    /// Where the line is, with its end.
    fn record(&self) -> RecordPlace {
        RecordPlace::at_byte(self.at, Some(self.line.len() as u64))
    }

    fn failed(&self, code: &'static str, message: impl Into<String>) -> Item {
        Item::Failed(InputProblem {
            place: self.place(),
            code,
            message: message.into(),
            record: self.record(),
            ..InputProblem::default()
        })
    }

    /// Skips the rest of a line. Returns false at the end of the file.
    fn skip_line(&mut self) -> io::Result<bool> {
        loop {
            let bytes = self.from.fill_buf()?;
            if bytes.is_empty() {
                return Ok(false);
            }
            let end = memchr::memchr(b'\n', bytes);
            let count = end.map_or(bytes.len(), |end| end + 1);
            self.from.consume(count);
            self.at += count as u64;
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    fn read(
        &mut self,
        (from, until): (u64, u64),
        takes_pages: bool,
        sink: &mut Sink<'_>,
    ) -> io::Result<()> {
        loop {
            let at = self.at;
            if at >= until || !sink(Item::Reached(at)) {
                return Ok(());
            }
            self.line.clear();
            let most = MAX_LINE_BYTES as u64 + 1;
            let read = (&mut self.from)
                .take(most)
                .read_until(b'\n', &mut self.line);
            let count = match read {
                Ok(count) => count,
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::InvalidInput
                            | io::ErrorKind::UnexpectedEof
                            | io::ErrorKind::InvalidData
                    ) =>
                {
                    let message =
                        "the gzip file is damaged or ends early; what follows is left out";
                    sink(self.failed("gzip-damaged", message));
                    return Ok(());
                }
                Err(error) => return Err(error),
            };
            if count == 0 {
                return Ok(());
            }
            let is_whole = self.line.ends_with(b"\n") || count <= MAX_LINE_BYTES;
            let is_wanted = match is_whole {
                _ if at < from => true,
                true if self.line.trim_ascii().is_empty() => true,
                true => self.add(takes_pages, sink),
                false => {
                    let message = format!(
                        "the line has more than {} MiB; it is left out",
                        MAX_LINE_BYTES >> 20
                    );
                    sink(self.failed("line-too-long", message))
                }
            };
            if !is_wanted {
                return Ok(());
            }
            self.at += count as u64;
            if !is_whole {
                self.skip_line()?;
            }
            self.begun.1 += 1;
        }
    }

    fn add(&self, takes_pages: bool, sink: &mut Sink<'_>) -> bool {
        let response = match response(&self.line) {
            Ok(response) => response,
            Err(message) => return sink(self.failed("json", message)),
        };
        response.item(&self.record(), &|| self.place(), takes_pages, sink)
    }
}

/// Whether a text begins with a line that is a capture. Such a file would be read otherwise if its
/// name had another extension.
pub(crate) fn are_captures(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty()).unwrap_or_default();
    // Most files are a robots.txt, and no JSON.
    first.starts_with(b"{")
        && serde_json::from_slice::<Line>(first).is_ok_and(|line| {
            let has_answer =
                line.status.is_some() || line.body.is_some() || line.body_base64.is_some();
            line.url.is_some() && has_answer
        })
}

fn response(line: &[u8]) -> Result<Response, String> {
    let line: Line = serde_json::from_slice(line.trim_ascii_end()).map_err(|error| {
        // The parser knows one line only.
        let place = format!(" at line {} column {}", error.line(), error.column());
        let why = error.to_string();
        let why = why.strip_suffix(&place).unwrap_or(&why);
        let column = error.column();
        format!("not a JSON object with url and body: {why} at column {column}")
    })?;
    let body = match (line.body, line.body_base64) {
        (_, Some(text)) => Some(
            BASE64_STANDARD
                .decode(text)
                .map_err(|error| format!("body_base64: {error}"))?,
        ),
        (Some(text), None) => Some(text.into_bytes()),
        (None, None) => None,
    };
    let status = match line.status {
        None | Some(Value::Null) => None,
        Some(Value::Number(number)) => {
            Some(number.as_i64().ok_or("the status is not a whole number")?)
        }
        Some(Value::String(text)) => Some(
            text.trim()
                .parse()
                .map_err(|_| "the status is not a number")?,
        ),
        Some(_) => return Err("the status is not a number".to_owned()),
    };
    let (date, has_bad_date) = match line.date {
        None | Some(Value::Null) => (None, false),
        Some(Value::String(text)) => {
            let date = capture::date(&text);
            (date, date.is_none())
        }
        // Seconds since 1970.
        Some(Value::Number(number)) => {
            let date = number
                .as_i64()
                .and_then(|seconds| seconds.checked_mul(1_000));
            (date, date.is_none())
        }
        Some(_) => (None, true),
    };
    Ok(Response {
        url: line.url,
        status,
        headers: line.headers.map(headers).unwrap_or_default(),
        body,
        date,
        has_bad_date,
    })
}

/// Fields as an object, a list of pairs, or the text of a head.
fn headers(value: Value) -> Vec<(String, Vec<u8>)> {
    match value {
        Value::Object(fields) => fields
            .into_iter()
            .flat_map(|(name, value)| {
                texts(value)
                    .into_iter()
                    .map(move |value| (name.clone(), value.into_bytes()))
            })
            .collect(),
        Value::Array(fields) => fields.into_iter().filter_map(pair).collect(),
        Value::String(head) => head_lines(&head),
        _ => Vec::new(),
    }
}

fn texts(value: Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(values) => values.into_iter().flat_map(texts).collect(),
        Value::Null => Vec::new(),
        other => vec![other.to_string()],
    }
}

fn pair(value: Value) -> Option<(String, Vec<u8>)> {
    let parts = match value {
        Value::Array(parts) => parts.into_iter().flat_map(texts).collect::<Vec<_>>(),
        Value::Object(mut fields) => ["name", "value"]
            .iter()
            .filter_map(|name| fields.remove(*name))
            .flat_map(texts)
            .collect(),
        _ => return None,
    };
    let [name, value] = <[String; 2]>::try_from(parts).ok()?;
    Some((name, value.into_bytes()))
}

/// The fields of a head as text, one per line.
pub(crate) fn head_lines(head: &str) -> Vec<(String, Vec<u8>)> {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    lines
        .map(|(name, value)| (name.trim().to_owned(), value.trim().as_bytes().to_vec()))
        .collect()
}
