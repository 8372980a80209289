//! Input that is read line by line, in bounded memory.

use std::io::{self, BufRead, Read as _};

/// A line of input.
pub(crate) enum Line {
    /// Its octets, with the line end if it has one.
    Whole(Vec<u8>),
    TooLong,
    Blank,
}

/// Reads a line of at most `longest` octets; of one that is longer the rest is skipped without being kept. `None` at
/// the end.
pub(crate) fn read(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let read = input
        .take(longest as u64 + 1)
        .read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.len() > longest && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    if line.iter().all(u8::is_ascii_whitespace) {
        return Ok(Some(Line::Blank));
    }
    Ok(Some(Line::Whole(line)))
}
