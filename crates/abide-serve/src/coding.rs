//! Content codings: what a client takes, and compressing what is long.

use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, header};
use std::io::Write as _;

/// `bytes` in gzip.
pub(crate) fn gzip(bytes: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    let written = encoder.write_all(bytes);
    written
        .and_then(|()| encoder.finish())
        .expect("a vector takes every byte")
}

/// Whether the client takes a content coding (RFC 9110, section 12.5.3); what it does not mention
/// it need not take.
pub(crate) fn takes(headers: &HeaderMap, coding: &str) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|offer| {
            let (name, weight) = offer.split_once(';').unwrap_or((offer, "q=1"));
            let weight = weight.trim().trim_start_matches("q=").parse::<f32>();
            name.trim().eq_ignore_ascii_case(coding) && weight.is_ok_and(|weight| weight > 0.0)
        })
}
