//! Reads lines of input in chunks; any idle worker reads the next chunk.

use crate::lines::{self, Line};
use anyhow::Context as _;
use std::io::{self, BufReader, Read};
use std::iter;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::vec;

/// A chunk is full with this many bytes.
const CHUNK_BYTES: usize = 128 << 10;
/// The largest buffer that a chunk keeps for reuse: requests that need more are rare.
const MAX_REUSED_BYTES: usize = 2 << 20;

/// Lines that one worker answers together. The buffer is reused for the next ones.
#[derive(Default)]
pub(crate) struct Chunk {
    /// The number of chunks before this one.
    pub(crate) number: u64,
    /// The number of each line, starting from 1, its kind, and the end of its bytes.
    lines: Vec<(u64, Line, usize)>,
    bytes: Vec<u8>,
}

impl Chunk {
    /// The number of bytes of its lines.
    pub(crate) const fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Every line: its number, its kind, and its bytes, if it is whole.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (u64, Line, &[u8])> {
        let starts = iter::once(0).chain(self.lines.iter().map(|(_, _, end)| *end));
        let lines = starts.zip(&self.lines);
        lines.map(|(start, (number, line, end))| {
            let bytes = &self.bytes[start..*end];
            (*number, *line, bytes)
        })
    }
}

/// Where lines come from.
enum Lines {
    Text(BufReader<Box<dyn Read + Send>>),
    /// Those that were read already, with their numbers.
    Listed(vec::IntoIter<(u64, String)>),
}

/// Lines of input.
pub(crate) struct Input {
    /// Its name in reports.
    pub(crate) name: String,
    /// The number of bytes that are read, if it is known.
    pub(crate) size: Option<u64>,
    /// Whether it is a sitemap.
    pub(crate) is_sitemap: bool,
    /// The largest length of a line, in bytes.
    longest: usize,
    /// The largest number of lines of a chunk.
    most: usize,
    from: Lines,
    /// The number of chunks and lines read.
    chunks: u64,
    lines: u64,
    /// The result, after the end.
    end: Option<io::Result<()>>,
}

impl Input {
    /// Reads lines of at most `longest` bytes.
    pub(crate) fn new(name: String, input: Box<dyn Read + Send>, longest: usize) -> Self {
        let lines = Lines::Text(BufReader::with_capacity(CHUNK_BYTES, input));
        Self::from_lines(name, lines, longest)
    }

    /// Reads these lines of at most `longest` bytes, which have these numbers.
    pub(crate) fn listed(name: String, lines: Vec<(u64, String)>, longest: usize) -> Self {
        Self::from_lines(name, Lines::Listed(lines.into_iter()), longest)
    }

    fn from_lines(name: String, from: Lines, longest: usize) -> Self {
        Self {
            name,
            size: None,
            is_sitemap: false,
            longest,
            most: usize::MAX,
            from,
            chunks: 0,
            lines: 0,
            end: None,
        }
    }

    /// Reads at most `most` lines at a time, because each of them has many answers.
    pub(crate) fn with_most_lines(mut self, most: usize) -> Self {
        self.most = most.max(1);
        self
    }

    /// Reads no more than `most` lines at a time, whatever was said before.
    pub(crate) fn with_at_most(self, most: usize) -> Self {
        let most = self.most.min(most);
        self.with_most_lines(most)
    }

    /// Reads lines until the chunk is full or the next read would block: a caller that writes one
    /// request and waits for its answer must get it. False at the end.
    pub(crate) fn read(&mut self, chunk: &mut Chunk) -> bool {
        chunk.lines.clear();
        chunk.bytes.clear();
        chunk.bytes.shrink_to(MAX_REUSED_BYTES);
        let mut read = 0;
        while read < CHUNK_BYTES && chunk.lines.len() < self.most && self.end.is_none() {
            let start = chunk.bytes.len();
            let (number, line) = match self.next(&mut chunk.bytes) {
                Ok(Some(line)) => line,
                end => {
                    self.end = Some(end.map(|_| ()));
                    break;
                }
            };
            let end = chunk.bytes.len();
            chunk.lines.push((number, line, end));
            read += match line {
                Line::Whole => end - start,
                Line::TooLong => CHUNK_BYTES,
                Line::Blank => 1,
            };
            if matches!(&self.from, Lines::Text(text) if text.buffer().is_empty()) {
                break;
            }
        }
        chunk.number = self.chunks;
        self.chunks += 1;
        !chunk.lines.is_empty()
    }

    /// Appends the bytes of the next line; returns its number and its kind. `None` at the end.
    fn next(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<(u64, Line)>> {
        match &mut self.from {
            Lines::Text(text) => {
                self.lines += 1;
                let line = lines::read(text, self.longest, bytes)?;
                Ok(line.map(|line| (self.lines, line)))
            }
            Lines::Listed(lines) => Ok(lines.next().map(|(number, line)| {
                if line.len() > self.longest {
                    return (number, Line::TooLong);
                }
                bytes.extend_from_slice(line.as_bytes());
                (number, Line::Whole)
            })),
        }
    }

    /// The result of reading.
    pub(crate) fn into_result(self) -> anyhow::Result<()> {
        let result = self.end.unwrap_or(Ok(()));
        result.with_context(|| format!("cannot read {}", self.name))
    }
}

/// Locks the input. A panic cannot leave it half read.
pub(crate) fn held(input: &Mutex<Input>) -> MutexGuard<'_, Input> {
    input.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one part per read, then fails or ends once.
    struct Parts {
        parts: Vec<&'static [u8]>,
        end: Option<io::Result<usize>>,
    }

    impl Read for Parts {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            if self.parts.is_empty() {
                return self.end.take().expect("nothing is read behind the end");
            }
            let part = self.parts.remove(0);
            room[..part.len()].copy_from_slice(part);
            Ok(part.len())
        }
    }

    fn input(parts: &[&'static [u8]], end: io::Result<usize>) -> Input {
        let parts = parts.to_vec();
        let end = Some(end);
        Input::new("stdin".to_owned(), Box::new(Parts { parts, end }), 1 << 10)
    }

    fn requests(chunk: &Chunk) -> Vec<(u64, &[u8])> {
        chunk.lines().map(|(line, _, text)| (line, text)).collect()
    }

    #[test]
    fn lines_are_numbered_over_chunks_and_an_end_is_read_once() {
        let mut input = input(&[b"a\n \nb\n", b"c\nd\n"], Ok(0));
        let mut chunk = Chunk::default();
        assert!(input.read(&mut chunk));
        assert_eq!(requests(&chunk), [(1, &b"a\n"[..]), (2, b""), (3, b"b\n")]);
        assert_eq!(chunk.number, 0);
        assert!(input.read(&mut chunk));
        assert_eq!(requests(&chunk), [(4, &b"c\n"[..]), (5, b"d\n")]);
        assert_eq!(chunk.number, 1);
        assert!(!input.read(&mut chunk));
        assert!(!input.read(&mut chunk));
        input.into_result().unwrap();
    }

    #[test]
    fn a_chunk_has_no_more_lines_than_it_may() {
        let mut input = input(&[b"a\nb\nc\n"], Ok(0)).with_most_lines(2);
        let mut chunk = Chunk::default();
        assert!(input.read(&mut chunk));
        assert_eq!(requests(&chunk), [(1, &b"a\n"[..]), (2, b"b\n")]);
        assert!(input.read(&mut chunk));
        assert_eq!(requests(&chunk), [(3, &b"c\n"[..])]);
        assert!(!input.read(&mut chunk));
    }

    #[test]
    fn listed_lines_keep_their_numbers() {
        let lines = [(3, "a"), (3, ""), (9, "too long")];
        let lines = lines.map(|(number, line)| (number, line.to_owned()));
        let mut input = Input::listed("a list".to_owned(), lines.into(), 4);
        let mut chunk = Chunk::default();
        assert!(input.read(&mut chunk));
        let read: Vec<_> = chunk.lines().collect();
        let expected = [
            (3, Line::Whole, &b"a"[..]),
            (3, Line::Whole, b""),
            (9, Line::TooLong, b""),
        ];
        assert_eq!(read, expected);
        assert!(!input.read(&mut chunk));
        input.into_result().unwrap();
    }

    #[test]
    fn what_was_read_before_a_failure_is_answered() {
        let failure = io::ErrorKind::ConnectionReset.into();
        let mut input = input(&[b"a\nb\nhalf"], Err(failure));
        let mut chunk = Chunk::default();
        assert!(input.read(&mut chunk));
        assert_eq!(requests(&chunk), [(1, &b"a\n"[..]), (2, b"b\n")]);
        assert!(!input.read(&mut chunk));
        let error = input.into_result().unwrap_err();
        assert_eq!(error.to_string(), "cannot read stdin");
        let error: &io::Error = error.downcast_ref().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    }
}
