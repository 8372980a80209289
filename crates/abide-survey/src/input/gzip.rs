//! Gzip files member by member (RFC 1952): where a member begins matters, because archives have one
//! for each record.

use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// What begins a member that flate2 can read.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
/// The size of the buffer for unpacked bytes.
const UNPACKED: usize = 64 << 10;

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
        self.file.seek(SeekFrom::Start(to))?;
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

/// Why a member, or a frame of zstd, cannot be read.
#[derive(Debug)]
pub(crate) enum UnpackError {
    /// The file ends within it.
    Cut,
    /// Its bytes are not those of a member.
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

/// Unpacks a file, member by member.
pub(crate) struct Members {
    packed: Tracked,
    inflate: Decompress,
    crc: Crc,
    unpacked: Vec<u8>,
    /// What of `unpacked` is not consumed.
    next: usize,
    filled: usize,
    /// Where the current member begins.
    start: u64,
    is_at_end: bool,
}

impl Members {
    pub(crate) fn new(packed: Tracked) -> Self {
        Self {
            start: packed.at(),
            packed,
            inflate: Decompress::new(false),
            crc: Crc::new(),
            unpacked: vec![0; UNPACKED],
            next: 0,
            filled: 0,
            is_at_end: true,
        }
    }

    /// Where the current member begins.
    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// Where the packed bytes that follow begin.
    pub(crate) fn packed_at(&self) -> u64 {
        self.packed.at()
    }

    /// Begins the next member. Returns false at the end of the file, before which zeros may be.
    pub(crate) fn begin(&mut self) -> Result<bool, UnpackError> {
        self.next = 0;
        self.filled = 0;
        self.is_at_end = true;
        self.start = self.packed.at();
        if self.packed.fill_buf()?.first() == Some(&0) && self.only_zeros()? {
            return Ok(false);
        }
        if self.packed.fill_buf()?.is_empty() {
            return Ok(false);
        }
        self.header()?;
        self.inflate.reset(false);
        self.crc.reset();
        self.is_at_end = false;
        Ok(true)
    }

    /// Skips zeros, with which some tapes fill their last block.
    fn only_zeros(&mut self) -> io::Result<bool> {
        loop {
            let bytes = self.packed.fill_buf()?;
            if bytes.is_empty() {
                return Ok(true);
            }
            if bytes.iter().any(|byte| *byte != 0) {
                return Ok(false);
            }
            let count = bytes.len();
            self.packed.consume(count);
        }
    }

    fn header(&mut self) -> Result<(), UnpackError> {
        let mut fixed = [0; 10];
        self.packed.read_exact(&mut fixed)?;
        let [first, second, method, flags, ..] = fixed;
        if [first, second, method] != MAGIC || flags & 0xe0 != 0 {
            return Err(UnpackError::Damaged);
        }
        if flags & 4 != 0 {
            let mut length = [0; 2];
            self.packed.read_exact(&mut length)?;
            self.packed.skip(u16::from_le_bytes(length).into())?;
        }
        for flag in [8, 16] {
            if flags & flag != 0 {
                self.skip_text()?;
            }
        }
        if flags & 2 != 0 {
            self.packed.skip(2)?;
        }
        Ok(())
    }

    fn skip_text(&mut self) -> Result<(), UnpackError> {
        loop {
            let mut byte = [0];
            self.packed.read_exact(&mut byte)?;
            if byte == [0] {
                return Ok(());
            }
        }
    }

    /// The next unpacked bytes; none at the end of the member.
    pub(crate) fn fill(&mut self) -> Result<&[u8], UnpackError> {
        while self.next == self.filled && !self.is_at_end {
            self.next = 0;
            self.filled = 0;
            let packed = self.packed.fill_buf()?;
            let is_last = packed.is_empty();
            let (before, made) = (self.inflate.total_in(), self.inflate.total_out());
            let status = self
                .inflate
                .decompress(packed, &mut self.unpacked, FlushDecompress::None)
                .map_err(|_| UnpackError::Damaged)?;
            let used = usize::try_from(self.inflate.total_in() - before).unwrap_or(0);
            self.filled = usize::try_from(self.inflate.total_out() - made).unwrap_or(0);
            self.packed.consume(used);
            self.crc
                .update(self.unpacked.get(..self.filled).unwrap_or_default());
            match status {
                Status::StreamEnd => self.trailer()?,
                _ if is_last && self.filled == 0 => return Err(UnpackError::Cut),
                _ => {}
            }
        }
        Ok(self
            .unpacked
            .get(self.next..self.filled)
            .unwrap_or_default())
    }

    fn trailer(&mut self) -> Result<(), UnpackError> {
        let mut trailer = [0; 8];
        self.packed.read_exact(&mut trailer)?;
        let mut right = [0; 8];
        let (sum, amount) = right.split_at_mut(4);
        sum.copy_from_slice(&self.crc.sum().to_le_bytes());
        amount.copy_from_slice(&self.crc.amount().to_le_bytes());
        if trailer != right {
            return Err(UnpackError::Damaged);
        }
        self.is_at_end = true;
        Ok(())
    }

    pub(crate) fn consume(&mut self, count: usize) {
        self.next = (self.next + count).min(self.filled);
    }

    /// Moves to the first member from `from` on, and before `until`, that begins with a record of
    /// an archive. Returns whether there is one.
    pub(crate) fn find(&mut self, from: u64, until: u64) -> Result<bool, UnpackError> {
        let mut at = from;
        while let Some(found) = self.packed.find(&MAGIC, at, until)? {
            self.packed.seek(found)?;
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
                self.packed.seek(found)?;
                return Ok(true);
            }
            at = found + 1;
        }
        Ok(false)
    }
}
