//! Zstandard files frame by frame (RFC 8878), as in `.warc.zst` archives: a frame for each record,
//! and at the beginning perhaps a skippable frame with the dictionary of all others.

use super::Packing;
use super::packed::{Packed, Tracked, UNPACKED, UnpackError};
pub(crate) use crate::capture::ZSTD as MAGIC;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

/// What begins the skippable frame with a dictionary.
const DICTIONARY: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];
/// The largest dictionary.
const MAX_DICTIONARY_BYTES: u64 = 16 << 20;
/// The binary logarithm of the largest window: 32 MiB. The format recommends readers 8 MiB.
const MAX_WINDOW_LOG: u32 = 25;

/// Whether these bytes begin a frame that has no data.
pub(crate) const fn is_skippable(magic: [u8; 4]) -> bool {
    matches!(magic, [0x50..=0x5f, 0x2a, 0x4d, 0x18])
}

/// Unpacks a file, frame by frame.
pub(crate) struct Frames {
    packed: Tracked,
    decoder: Decoder<'static>,
    unpacked: Vec<u8>,
    /// What of `unpacked` is not consumed.
    next: usize,
    filled: usize,
    /// Where the current frame begins.
    start: u64,
    is_at_end: bool,
}

impl Frames {
    /// Opens a file at a frame, with the dictionary at its beginning.
    pub(crate) fn open(path: &Path, at: u64) -> io::Result<Self> {
        let mut decoder = Decoder::with_dictionary(&dictionary(path)?)?;
        decoder.set_parameter(DParameter::WindowLogMax(MAX_WINDOW_LOG))?;
        Ok(Self {
            packed: Tracked::open(path, at)?,
            decoder,
            unpacked: vec![0; UNPACKED],
            next: 0,
            filled: 0,
            start: at,
            is_at_end: true,
        })
    }
}

impl Packed for Frames {
    const PACKING: Packing = Packing::Zstd;
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

    // Frames that can be skipped have no data.
    fn begin(&mut self) -> Result<bool, UnpackError> {
        self.next = 0;
        self.filled = 0;
        self.is_at_end = true;
        loop {
            self.start = self.packed.at();
            if self.packed.fill_buf()?.is_empty() {
                return Ok(false);
            }
            let mut magic = [0; 4];
            self.packed.read_exact(&mut magic)?;
            if magic == MAGIC {
                break;
            }
            if !is_skippable(magic) {
                return Err(UnpackError::Damaged);
            }
            let mut size = [0; 4];
            self.packed.read_exact(&mut size)?;
            self.packed.skip(u32::from_le_bytes(size).into())?;
        }
        self.decoder.reinit()?;
        unpack(&mut self.decoder, &MAGIC, &mut [])?;
        self.is_at_end = false;
        Ok(true)
    }

    fn fill(&mut self) -> Result<&[u8], UnpackError> {
        while self.next == self.filled && !self.is_at_end {
            self.next = 0;
            self.filled = 0;
            let packed = self.packed.fill_buf()?;
            let is_last = packed.is_empty();
            let step = unpack(&mut self.decoder, packed, &mut self.unpacked)?;
            self.packed.consume(step.used);
            self.filled = step.made;
            self.is_at_end = step.is_end;
            if is_last && step.made == 0 && !step.is_end {
                return Err(UnpackError::Cut);
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

/// What a step of unpacking did.
struct Step {
    used: usize,
    made: usize,
    /// Whether the frame ends.
    is_end: bool,
}

fn unpack(decoder: &mut Decoder<'_>, packed: &[u8], to: &mut [u8]) -> Result<Step, UnpackError> {
    let (mut from, mut to) = (InBuffer::around(packed), OutBuffer::around(to));
    let left = decoder.run(&mut from, &mut to);
    let left = left.map_err(|_| UnpackError::Damaged)?;
    Ok(Step {
        used: from.pos(),
        made: to.pos(),
        is_end: left == 0,
    })
}

/// The dictionary of a file; empty if it has none. It may be compressed itself.
fn dictionary(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut head = Vec::new();
    (&mut file).take(8).read_to_end(&mut head)?;
    let Some((size, [])) = head
        .strip_prefix(&DICTIONARY)
        .and_then(|size| size.split_first_chunk::<4>())
    else {
        return Ok(Vec::new());
    };
    let size = u64::from(u32::from_le_bytes(*size));
    let mut stored = Vec::new();
    file.take(size.min(MAX_DICTIONARY_BYTES + 1))
        .read_to_end(&mut stored)?;
    let mut dictionary = Vec::new();
    if stored.starts_with(&MAGIC) {
        let mut unpacked = zstd::stream::read::Decoder::with_buffer(stored.as_slice())?;
        unpacked.window_log_max(MAX_WINDOW_LOG)?;
        unpacked
            .take(MAX_DICTIONARY_BYTES + 1)
            .read_to_end(&mut dictionary)?;
    } else {
        dictionary = stored;
    }
    if dictionary.len() as u64 > MAX_DICTIONARY_BYTES {
        let most = MAX_DICTIONARY_BYTES >> 20;
        return Err(io::Error::other(format!(
            "its dictionary has more than {most} MiB"
        )));
    }
    Ok(dictionary)
}
