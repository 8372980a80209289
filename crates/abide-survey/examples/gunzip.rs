//! Unpacks a gzip file and throws the bytes away: what a survey of an archive is measured against.

use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io;

fn main() -> io::Result<()> {
    let path = std::env::args_os().nth(1).unwrap_or_default();
    let mut unpacked = MultiGzDecoder::new(File::open(path)?);
    io::copy(&mut unpacked, &mut io::sink())?;
    Ok(())
}
