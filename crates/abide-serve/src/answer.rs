//! Answers as JSON.

use crate::coding::{gzip, takes};
use crate::in_flight::MAX_UNCOUNTED_BYTES;
use crate::parts::Parts;
use axum::body::Body;
use axum::response::Response;
use flate2::Compression;
use http::{HeaderMap, HeaderValue, header};
use serde::Serialize;

/// An answer of JSON that is written already.
pub(crate) fn json(mut bytes: Vec<u8>) -> Response {
    if bytes.len() > MAX_UNCOUNTED_BYTES {
        // What is counted is its length.
        bytes.shrink_to_fit();
    }
    let mut response = Response::new(Body::from(bytes));
    let media_type = HeaderValue::from_static("application/json");
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, media_type);
    response
}

/// An answer of JSON that is sent while it is written.
pub(crate) fn json_parts(parts: Parts) -> Response {
    let mut response = json(Vec::new());
    *response.body_mut() = parts.into_body();
    response
}

/// Adds after how many seconds to ask again.
pub(crate) fn with_retry_after(mut response: Response, seconds: Option<u64>) -> Response {
    if let Some(seconds) = seconds {
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

/// `value` as an answer.
pub(crate) fn of(value: &impl Serialize) -> Response {
    json(line(value))
}

/// `value` as an answer, in gzip if the client takes that. For what is long and always the same.
pub(crate) fn gzipped(value: &impl Serialize, headers: &HeaderMap) -> Response {
    let takes = takes(headers, "gzip");
    let mut response = if takes {
        json(gzip(&line(value), Compression::default()))
    } else {
        of(value)
    };
    let headers = response.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if takes {
        let coding = HeaderValue::from_static("gzip");
        headers.insert(header::CONTENT_ENCODING, coding);
    }
    response
}

/// `value` on one line.
pub(crate) fn line(value: &impl Serialize) -> Vec<u8> {
    let mut text = abide_contract::text::line(value).into_bytes();
    text.push(b'\n');
    text
}

/// `value` as the commands write it: indented, with a line end.
pub(crate) fn indented(value: &impl Serialize) -> Vec<u8> {
    let mut text = abide_contract::text::pretty(value).into_bytes();
    text.push(b'\n');
    text
}
