//! Reads input line by line, in bounded memory.

use crate::file_arg::FileArg;
use anyhow::{Context as _, ensure};
use std::fs::File;
use std::io::{self, BufRead, Read};

/// The kind of a line of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line: its bytes were added, with the line end if it has one.
    Whole,
    /// A line that is too long: nothing was added.
    TooLong,
    /// A blank line: nothing was added.
    Blank,
}

/// A file of lines and its size, if it has one.
pub(crate) fn open(
    file: &FileArg,
    hint: &str,
) -> anyhow::Result<(Box<dyn Read + Send>, Option<u64>)> {
    if file.is_stdin() {
        return Ok((Box::new(io::stdin()), None));
    }
    let opened = File::open(file).with_context(|| format!("cannot read {file}; {hint}"))?;
    let about = opened
        .metadata()
        .with_context(|| format!("cannot read {file}"))?;
    ensure!(!about.is_dir(), "cannot read {file}: it is a directory");
    Ok((Box::new(opened), about.is_file().then_some(about.len())))
}

/// Reads a line of at most `longest` bytes and appends it to `bytes`; skips the rest of a longer
/// line. `None` at the end.
pub(crate) fn read(
    input: &mut impl BufRead,
    longest: usize,
    bytes: &mut Vec<u8>,
) -> io::Result<Option<Line>> {
    let start = bytes.len();
    let read = input.take(longest as u64 + 1).read_until(b'\n', bytes)?;
    if read == 0 {
        return Ok(None);
    }
    let line = &bytes[start..];
    let kind = if line.len() > longest && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        Line::TooLong
    } else if line.iter().all(u8::is_ascii_whitespace) {
        Line::Blank
    } else {
        return Ok(Some(Line::Whole));
    };
    bytes.truncate(start);
    Ok(Some(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_are_added() {
        const MAX_BYTES: usize = 4;
        let mut input = &b"abcd\n \t\nabcde\nabcdefgh\n\nab"[..];
        let mut bytes = b"kept".to_vec();
        let mut lines = Vec::new();
        while let Some(line) = read(&mut input, MAX_BYTES, &mut bytes).unwrap() {
            lines.push((line, bytes.clone()));
        }
        let expected = [
            (Line::Whole, &b"keptabcd\n"[..]),
            (Line::Blank, b"keptabcd\n"),
            (Line::TooLong, b"keptabcd\n"),
            (Line::TooLong, b"keptabcd\n"),
            (Line::Blank, b"keptabcd\n"),
            (Line::Whole, b"keptabcd\nab"),
        ];
        assert_eq!(lines, expected.map(|(line, bytes)| (line, bytes.to_vec())));
    }
}
