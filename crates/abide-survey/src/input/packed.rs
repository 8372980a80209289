//! Archives that are compressed record by record, in pieces: gzip members, or frames of Zstandard.
//! Where a piece begins is where a reader can begin.

use super::Packing;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// The size of the buffer for unpacked bytes.
pub(crate) const UNPACKED: usize = 64 << 10;

/// Bytes of a file, with the offset of the next one.
pub(crate) struct Tracked {
    file: BufReader<File>,
    at: u64,
}

impl Tracked {
    pub(crate) fn open(path: &Path, at: u64) -> io::Result<Self> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(at))?;
        let file = BufReader::with_capacity(128 << 10, file);
        Ok(Self { file, at })
    }

    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    pub(crate) fn size(&self) -> io::Result<u64> {
        Ok(self.file.get_ref().metadata()?.len())
    }

    pub(crate) fn seek(&mut self, to: u64) -> io::Result<()> {
        // What is in the buffer is not read again.
        let by = to.cast_signed() - self.at.cast_signed();
        self.file.seek_relative(by)?;
        self.at = to;
        Ok(())
    }

    pub(crate) fn skip(&mut self, count: u64) -> Result<(), UnpackError> {
        let skipped = io::copy(&mut self.take(count), &mut io::sink())?;
        if skipped < count {
            return Err(UnpackError::Cut);
        }
        Ok(())
    }

    /// Where `what` is next, from `from` on and before `until`.
    pub(crate) fn find(&mut self, what: &[u8], from: u64, until: u64) -> io::Result<Option<u64>> {
        self.seek(from)?;
        // The last bytes of a buffer may begin what the next one continues.
        let mut window: Vec<u8> = Vec::new();
        let mut at = from;
        loop {
            let bytes = self.fill_buf()?;
            if bytes.is_empty() || at >= until {
                return Ok(None);
            }
            let count = bytes.len();
            window.extend_from_slice(bytes);
            if let Some(found) = memchr::memmem::find(&window, what) {
                let found = at + found as u64;
                return Ok(Some(found).filter(|found| *found < until));
            }
            let drop = (window.len() + 1).saturating_sub(what.len());
            window.drain(..drop);
            at += drop as u64;
            self.consume(count);
        }
    }
}

impl Read for Tracked {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(to)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl BufRead for Tracked {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.file.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.file.consume(count);
        self.at += count as u64;
    }
}

/// Why a piece cannot be read.
#[derive(Debug)]
pub(crate) enum UnpackError {
    /// The file ends within it.
    Cut,
    /// Its bytes are damaged.
    Damaged,
    /// The file cannot be read.
    Io(io::Error),
}

impl From<io::Error> for UnpackError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Cut,
            _ => Self::Io(error),
        }
    }
}

/// Unpacks a file, piece by piece.
pub(crate) trait Packed {
    const PACKING: Packing;
    /// What begins a piece.
    const MAGIC: &'static [u8];
    fn packed(&mut self) -> &mut Tracked;
    /// Where the packed bytes that follow begin.
    fn packed_at(&self) -> u64;
    /// Where the current piece begins.
    fn start(&self) -> u64;
    /// Begins the next piece with data. Returns false at the end of the file.
    fn begin(&mut self) -> Result<bool, UnpackError>;
    /// The next unpacked bytes; none at the end of the piece.
    fn fill(&mut self) -> Result<&[u8], UnpackError>;
    fn consume(&mut self, count: usize);

    /// Moves to the first piece from `from` on, and before `until`, that begins with a record of
    /// an archive. Returns whether there is one.
    fn find(&mut self, from: u64, until: u64) -> Result<bool, UnpackError> {
        let mut at = from;
        while let Some(found) = self.packed().find(Self::MAGIC, at, until)? {
            self.packed().seek(found)?;
            let is_record = match self.begin() {
                Ok(true) => match self.fill() {
                    Ok(bytes) => bytes.starts_with(b"WARC/"),
                    Err(UnpackError::Io(error)) => return Err(error.into()),
                    Err(_) => false,
                },
                Ok(false) | Err(UnpackError::Cut | UnpackError::Damaged) => false,
                Err(error) => return Err(error),
            };
            if is_record {
                self.packed().seek(found)?;
                return Ok(true);
            }
            at = found + 1;
        }
        Ok(false)
    }
}
