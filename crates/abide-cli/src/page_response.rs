//! The page's response: its field lines, the page, and the time of the decision.

use crate::args::TagArgs;
use crate::file_arg::FileArg;
use crate::source::{read_file, read_up_to};
use abide::explain::visible;
use abide::tag::{FieldLine, Response};
use anyhow::Context;
use std::io;

/// The largest size of a head, in bytes.
const LIMIT: usize = 1 << 20;

/// The response that the arguments describe.
pub(crate) fn response(args: &TagArgs) -> anyhow::Result<Response> {
    let read = |option, name: &Option<FileArg>| {
        name.as_ref()
            .map(|name| read(option, name, abide_html::LIMIT))
            .transpose()
    };
    let fields = field_lines(&args.headers, args.head.as_ref())?;
    let page = read("--html", &args.html)?;
    let final_dom = read("--rendered-html", &args.rendered_html)?;
    let final_dom = final_dom.as_deref().map(String::from_utf8_lossy);
    Ok(abide_html::response(
        &fields,
        page.as_deref(),
        final_dom.as_deref(),
    ))
}

/// Reads up to `limit` bytes of a file or stdin, and one more if there is one.
pub(crate) fn read(option: &str, name: &FileArg, limit: usize) -> anyhow::Result<Vec<u8>> {
    let hint = format!("{option} takes a file, or \"-\" for stdin");
    let bytes = if name.is_stdin() {
        read_up_to(io::stdin().lock(), 0, limit).context(hint)?
    } else {
        read_file(name, limit, &hint)?
    };
    Ok(bytes.to_vec())
}

/// The field lines given one by one, and those in a file.
fn field_lines(given: &[String], file: Option<&FileArg>) -> anyhow::Result<Vec<FieldLine>> {
    let mut lines = self::given(given)?;
    if let Some(name) = file {
        lines.extend(last_head(&read("--response-head", name, LIMIT)?));
    }
    Ok(lines)
}

/// The field lines given one by one.
pub(crate) fn given(given: &[String]) -> anyhow::Result<Vec<FieldLine>> {
    let line = |line: &String| {
        FieldLine::read(line.as_bytes()).with_context(|| {
            format!("in --header: expected a field line such as \"Robots-Tag: *;noindex\", but found \"{}\"", visible(line.as_bytes()))
        })
    };
    given.iter().map(line).collect()
}

/// The field lines of the last head in `bytes`: `curl -i -L` writes one for every redirect, and
/// only the final response counts (AMB-TAG-16). Ignores a body after the heads.
pub(crate) fn last_head(bytes: &[u8]) -> Vec<FieldLine> {
    let mut lines: Vec<FieldLine> = Vec::new();
    let mut ended = false;
    for line in bytes.split(|&byte| byte == b'\n') {
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
        } else if let Some(field) = FieldLine::read(line) {
            lines.push(field);
        }
    }
    lines
}
