//! Gzip files member by member (RFC 1952): where a member begins matters, because archives have one
//! for each record.

use super::Packing;
use super::packed::{Packed, Tracked, UNPACKED, UnpackError};
use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::io::{self, BufRead, Read};

/// What begins a member that flate2 can read.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

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
}

impl Packed for Members {
    const PACKING: Packing = Packing::Gzip;
    const MAGIC: &'static [u8] = &MAGIC;

    fn packed(&mut self) -> &mut Tracked {
        &mut self.packed
    }

    fn packed_at(&self) -> u64 {
        self.packed.at()
    }

    fn start(&self) -> u64 {
        self.start
    }

    // Zeros may be before the end of the file.
    fn begin(&mut self) -> Result<bool, UnpackError> {
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

    fn fill(&mut self) -> Result<&[u8], UnpackError> {
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

    fn consume(&mut self, count: usize) {
        self.next = (self.next + count).min(self.filled);
    }
}
