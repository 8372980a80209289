//! Files in requests and in answers.

use crate::codes;
use crate::request::{Body, file_body};
use crate::request_error::RequestError;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::sync::Arc;

/// The bytes of a file that a request has as text or in base64. `object` is the JSON Pointer to
/// what has the two members.
pub(super) fn file(
    robots: Option<&Body>,
    robots_base64: Option<&str>,
    object: &str,
) -> Result<Arc<[u8]>, RequestError> {
    optional_file(robots, robots_base64, object)?.ok_or_else(|| {
        let reason = "expected \"robots\" or \"robots_base64\", but found neither";
        RequestError::new(codes::INVALID_ROBOTS, format!("{object}/robots"), reason)
            .naming("")
            .with_remedy("send the file as text in \"robots\", or its bytes in \"robots_base64\"")
    })
}

/// Like [`file`] for a file that may be missing.
pub(super) fn optional_file(
    robots: Option<&Body>,
    robots_base64: Option<&str>,
    object: &str,
) -> Result<Option<Arc<[u8]>>, RequestError> {
    let robots = robots.map(|Body(bytes)| Arc::clone(bytes));
    file_body(robots, robots_base64).map_err(|error| error.within(object))
}

/// A file as the members `NAME` and `NAME_base64` of an answer have it: its text, or the base64 of
/// bytes that are no UTF-8.
#[must_use]
pub fn text_or_base64(bytes: &[u8]) -> (Option<&str>, Option<String>) {
    match str::from_utf8(bytes) {
        Ok(text) => (Some(text), None),
        Err(_) => (None, Some(STANDARD.encode(bytes))),
    }
}
