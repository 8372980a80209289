//! The head of the response that brought a page: its field lines, and the instant it is judged at.

use crate::source::read_up_to;
use abide::Moment;
use abide::tag::FieldLine;
use anyhow::Context;
use std::fs::File;
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

/// Octets of a head that are read; more is no head.
const LIMIT: usize = 1 << 20;

/// The field lines that were given one by one, and those of a file.
pub(crate) fn field_lines(given: &[String], file: Option<&str>) -> anyhow::Result<Vec<FieldLine>> {
    let mut lines = Vec::new();
    for line in given {
        lines.push(field_line(line.as_bytes()).with_context(|| {
            format!("in --header: expected a field line such as \"Robots-Tag: *;noindex\", but found {line:?}")
        })?);
    }
    if let Some(name) = file {
        let octets = if name == "-" {
            read_up_to(io::stdin().lock(), LIMIT)
        } else {
            File::open(name).and_then(|file| read_up_to(file, LIMIT))
        };
        let octets = octets.with_context(|| {
            format!("cannot read {name}; --headers takes a file, or \"-\" for stdin")
        })?;
        lines.extend(last_head(&octets));
    }
    Ok(lines)
}

/// The field lines of the last head in `octets`: `curl -i -L` writes one for every redirect, and only
/// the final response counts (AMB-TAG-16). A body behind the heads is left alone.
fn last_head(octets: &[u8]) -> Vec<FieldLine> {
    let mut lines: Vec<FieldLine> = Vec::new();
    let mut ended = false;
    for line in octets.split(|&octet| octet == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let starts = line.starts_with(b"HTTP/");
        if ended && !starts {
            break;
        }
        if starts {
            lines.clear();
            ended = false;
        } else if line.is_empty() {
            ended = true;
        } else if let Some(field) = field_line(line) {
            lines.push(field);
        }
    }
    lines
}

fn field_line(line: &[u8]) -> Option<FieldLine> {
    let colon = line.iter().position(|&octet| octet == b':')?;
    let name = std::str::from_utf8(line.get(..colon)?).ok()?.trim();
    let value = line.get(colon + 1..)?.trim_ascii();
    (!name.is_empty()).then(|| FieldLine::new(name, value))
}

/// The clock's instant.
pub(crate) fn clock() -> Moment {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Moment::from_unix_seconds(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}
