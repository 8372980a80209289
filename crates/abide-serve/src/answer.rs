//! Answers as JSON.

use crate::parts::Parts;
use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, header};
use serde::Serialize;

/// An answer of JSON that is written already.
pub(crate) fn json(bytes: Vec<u8>) -> Response {
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

/// `value` as an answer.
pub(crate) fn of(value: &impl Serialize) -> Response {
    let mut line = abide_json::text::line(value).into_bytes();
    line.push(b'\n');
    json(line)
}
