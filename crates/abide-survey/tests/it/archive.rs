//! Writes small archives.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// The date of all records.
pub(crate) const DATE: &str = "2026-01-02T03:04:05Z";

/// A record with these fields, besides the usual ones.
pub(crate) fn record(kind: &str, url: &str, fields: &[(&str, &str)], content: &[u8]) -> Vec<u8> {
    let media_type = match kind {
        "response" | "revisit" => "application/http; msgtype=response",
        _ => "text/plain",
    };
    let mut record = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {DATE}\r\n\
         Content-Type: {media_type}\r\nContent-Length: {}\r\n",
        content.len()
    );
    for (name, value) in fields {
        record += &format!("{name}: {value}\r\n");
    }
    let mut record = record.into_bytes();
    record.extend(b"\r\n");
    record.extend(content);
    record.extend(b"\r\n\r\n");
    record
}

/// A response with this head, such as `200 OK` and further lines, and body.
pub(crate) fn response(url: &str, head: &str, body: &[u8]) -> Vec<u8> {
    let mut content = format!("HTTP/1.1 {head}\r\n\r\n").into_bytes();
    content.extend(body);
    record("response", url, &[], &content)
}

/// A gzip member.
pub(crate) fn member(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// Each record in a member of its own.
pub(crate) fn compressed(records: &[Vec<u8>]) -> Vec<u8> {
    records.iter().flat_map(|record| member(record)).collect()
}
