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

/// Each record in a frame of zstd, with a dictionary if it is not empty, which comes first.
pub(crate) fn frames(records: &[Vec<u8>], dictionary: &[u8], is_packed: bool) -> Vec<u8> {
    let mut packer = zstd::bulk::Compressor::with_dictionary(3, dictionary).unwrap();
    let stored = if is_packed {
        zstd::bulk::compress(dictionary, 3).unwrap()
    } else {
        dictionary.to_vec()
    };
    let mut bytes = Vec::new();
    if !dictionary.is_empty() {
        bytes.extend(skippable(0x5d, &stored));
    }
    for record in records {
        bytes.extend(packer.compress(record).unwrap());
    }
    bytes
}

/// A frame of zstd that has no data.
pub(crate) fn skippable(kind: u8, content: &[u8]) -> Vec<u8> {
    let size = u32::try_from(content.len()).unwrap().to_le_bytes();
    [&[kind, 0x2a, 0x4d, 0x18][..], &size, content].concat()
}

/// Each record in a member of its own.
pub(crate) fn compressed(records: &[Vec<u8>]) -> Vec<u8> {
    records.iter().flat_map(|record| member(record)).collect()
}
