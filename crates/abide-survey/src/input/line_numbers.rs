//! The numbers of lines in a file that is read in blocks.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The size of a step.
const STEP: u64 = 1 << 20;

/// How many lines end before each step of a file. Only messages need the number of a line, so a
/// step is read when a message is about it or what follows, and only once.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineNumbers(Arc<Mutex<Vec<u64>>>);

impl LineNumbers {
    /// How many lines of the file at `path` end before `offset`.
    pub(crate) fn ended_before(&self, path: &Path, offset: u64) -> io::Result<u64> {
        if offset == 0 {
            return Ok(0);
        }
        let mut file = File::open(path)?;
        let mut steps = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = (steps.len() as u64).min(offset / STEP);
        let last = known
            .checked_sub(1)
            .and_then(|last| usize::try_from(last).ok());
        let mut ended = last.and_then(|last| steps.get(last)).copied().unwrap_or(0);
        file.seek(SeekFrom::Start(known * STEP))?;
        while known < offset / STEP {
            ended += line_ends((&mut file).take(STEP))?;
            steps.push(ended);
            known += 1;
        }
        Ok(ended + line_ends(file.take(offset % STEP))?)
    }
}

fn line_ends(mut from: impl Read) -> io::Result<u64> {
    let mut ends = 0;
    let mut buffer = vec![0; 64 << 10];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(ends),
            count => {
                let read = buffer.get(..count).unwrap_or_default();
                ends += memchr::memchr_iter(b'\n', read).count() as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_any_place_in_any_order() {
        let text = "a line\n\nand one more\n".repeat(200_000);
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), &text).expect("a file");
        let numbers = LineNumbers::default();
        let offsets = [
            0,
            7,
            3 << 20,
            (3 << 20) + 5,
            1 << 20,
            5,
            (1 << 20) - 1,
            2 << 20,
        ];
        for offset in offsets {
            let before = text.as_bytes().iter().take(offset);
            let expected = before.filter(|byte| **byte == b'\n').count() as u64;
            let ended = numbers.ended_before(file.path(), offset as u64);
            assert_eq!(ended.expect("a count"), expected, "{offset}");
        }
    }
}
