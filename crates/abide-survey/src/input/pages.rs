//! How large the pages of a Parquet file are. A page is unpacked as a whole, so its size has to be
//! known before it is read, and no reader says it.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::Path;

/// The fields of a page's header that have its size in bytes: unpacked and packed.
const SIZES: [i64; 2] = [2, 3];
/// Headers have structures in structures, up to this depth.
const MAX_DEPTH: usize = 4;

/// The bytes that the largest page in these ranges of a file takes, packed and unpacked together.
/// Each range is a column of a row group.
pub(crate) fn largest(path: &Path, columns: &[Range<u64>]) -> io::Result<u64> {
    let mut largest = 0;
    for column in columns {
        let mut header = Header {
            file: BufReader::with_capacity(4 << 10, File::open(path)?),
            at: 0,
            sizes: [0; 2],
        };
        header.skip(column.start)?;
        while header.at < column.end {
            header.sizes = [0; 2];
            header.structure(MAX_DEPTH)?;
            let [unpacked, packed] = header.sizes;
            largest = largest.max(unpacked.saturating_add(packed));
            header.skip(packed)?;
        }
    }
    Ok(largest)
}

/// Reads headers, which are written in the compact protocol of Apache Thrift.
struct Header {
    file: BufReader<File>,
    at: u64,
    sizes: [u64; 2],
}

impl Header {
    fn skip(&mut self, count: u64) -> io::Result<()> {
        let count = i64::try_from(count).map_err(|_| damaged())?;
        self.file.seek_relative(count)?;
        self.at = self.at.saturating_add_signed(count);
        Ok(())
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.file.read_exact(&mut byte)?;
        self.at += 1;
        Ok(byte[0])
    }

    /// A number of any length: seven bits in each byte, the lowest ones first.
    fn number(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(damaged())
    }

    /// A number with its sign in the lowest bit.
    fn signed(&mut self) -> io::Result<i64> {
        let number = self.number()?;
        Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// Reads a structure to its end. The outermost one, at `depth` [`MAX_DEPTH`], has the sizes.
    fn structure(&mut self, depth: usize) -> io::Result<()> {
        let mut field = 0;
        loop {
            let byte = self.byte()?;
            if byte == 0 {
                return Ok(());
            }
            field = match byte >> 4 {
                0 => self.signed()?,
                more => field + i64::from(more),
            };
            match byte & 0x0f {
                // The kind is the value.
                1 | 2 => {}
                3 => self.skip(1)?,
                4..=6 => {
                    let value = self.signed()?;
                    if let Some(at) = SIZES.iter().position(|size| *size == field)
                        && depth == MAX_DEPTH
                        && let Some(size) = self.sizes.get_mut(at)
                    {
                        *size = u64::try_from(value).map_err(|_| damaged())?;
                    }
                }
                7 => self.skip(8)?,
                8 => {
                    let length = self.number()?;
                    self.skip(length)?;
                }
                12 if depth > 0 => self.structure(depth - 1)?,
                _ => return Err(damaged()),
            }
        }
    }
}

fn damaged() -> io::Error {
    io::Error::other("the header of a page is damaged")
}
