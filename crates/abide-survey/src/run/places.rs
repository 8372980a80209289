//! The places of all responses, sorted on the disk, so that the targets of redirects are found
//! without reading all of them for each.

use super::collect::PagePlace;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The length of a place in its file.
pub(super) const PLACE: usize = 28;
/// The number of places that are sorted in memory.
const MAX_SORTED: usize = 500_000;
/// The number of files that are merged at a time.
const MAX_MERGED: usize = 32;
/// The number of places that are read at a time.
const BLOCK: usize = 256;

/// The places, by their key, those of one key in the order of the input.
pub(super) struct Places {
    file: File,
    count: usize,
    /// The order of the first place of each block.
    firsts: Vec<(u64, i64)>,
    /// The block that was read last, and its number.
    block: (usize, Vec<PagePlace>),
}

impl Places {
    /// Sorts the places in `files`, which are in the order of the input. `folder` gets the result.
    pub(super) fn sort(files: &[PathBuf], folder: &Path) -> io::Result<Self> {
        let mut sorter = Sorter {
            folder,
            files: 0,
            runs: Vec::new(),
            run: Vec::new(),
        };
        for path in files {
            let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
            while let Some(place) = next(&mut file)? {
                sorter.add(place)?;
            }
        }
        Self::open(&sorter.finish()?)
    }

    fn open(path: &Path) -> io::Result<Self> {
        let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
        let mut firsts = Vec::new();
        let mut count = 0_usize;
        while let Some(place) = next(&mut file)? {
            if count.is_multiple_of(BLOCK) {
                firsts.push(order(&place));
            }
            count += 1;
        }
        Ok(Self {
            file: file.into_inner(),
            count,
            firsts,
            block: (usize::MAX, Vec::new()),
        })
    }

    /// The place with this key that is nearest to the capture `number` in the input.
    pub(super) fn nearest(&mut self, key: u64, number: i64) -> io::Result<Option<PagePlace>> {
        let wanted = (key, number);
        let blocks = self.firsts.partition_point(|first| *first < wanted);
        let block = blocks.saturating_sub(1);
        let within = self
            .block(block)?
            .partition_point(|place| order(place) < wanted);
        let at = block * BLOCK + within;
        let is_of_key = |place: &PagePlace| place.key == key;
        let after = self.place(at)?.filter(is_of_key);
        let before = match at.checked_sub(1) {
            Some(at) => self.place(at)?.filter(is_of_key),
            None => None,
        };
        Ok(match (before, after) {
            (Some(before), Some(after)) if number - before.number >= after.number - number => {
                Some(after)
            }
            (before, after) => before.or(after),
        })
    }

    fn place(&mut self, at: usize) -> io::Result<Option<PagePlace>> {
        if at >= self.count {
            return Ok(None);
        }
        let block = self.block(at / BLOCK)?;
        Ok(block.get(at % BLOCK).copied())
    }

    fn block(&mut self, number: usize) -> io::Result<&[PagePlace]> {
        if self.block.0 != number {
            let from = (number * BLOCK * PLACE) as u64;
            self.file.seek(SeekFrom::Start(from))?;
            let mut bytes = Vec::with_capacity(BLOCK * PLACE);
            let most = (BLOCK * PLACE) as u64;
            (&mut self.file).take(most).read_to_end(&mut bytes)?;
            let places = bytes
                .chunks_exact(PLACE)
                .filter_map(|bytes| bytes.first_chunk());
            self.block = (number, places.map(PagePlace::of_bytes).collect());
        }
        Ok(&self.block.1)
    }
}

/// By what places are sorted.
const fn order(place: &PagePlace) -> (u64, i64) {
    (place.key, place.number)
}

fn next(file: &mut BufReader<File>) -> io::Result<Option<PagePlace>> {
    if file.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut bytes = [0; PLACE];
    file.read_exact(&mut bytes)?;
    Ok(Some(PagePlace::of_bytes(&bytes)))
}

/// Sorts more places than fit in memory: in runs, which are merged.
struct Sorter<'f> {
    folder: &'f Path,
    /// The number of files that were made.
    files: usize,
    /// Files with sorted places, in the order of the input.
    runs: Vec<PathBuf>,
    /// The places of the next run.
    run: Vec<PagePlace>,
}

impl Sorter<'_> {
    fn add(&mut self, place: PagePlace) -> io::Result<()> {
        self.run.push(place);
        if self.run.len() < MAX_SORTED {
            return Ok(());
        }
        self.end_run()
    }

    fn end_run(&mut self) -> io::Result<()> {
        self.run.sort_by_key(order);
        let path = self.path();
        let mut out = BufWriter::with_capacity(1 << 16, File::create(&path)?);
        for place in self.run.drain(..) {
            out.write_all(&place.to_bytes())?;
        }
        out.flush()?;
        self.runs.push(path);
        Ok(())
    }

    /// A new file.
    fn path(&mut self) -> PathBuf {
        self.files += 1;
        self.folder.join(format!("places.{}", self.files))
    }

    /// Merges the runs into one.
    fn finish(mut self) -> io::Result<PathBuf> {
        self.end_run()?;
        self.run = Vec::new();
        while self.runs.len() > 1 {
            let mut merged = Vec::new();
            for runs in std::mem::take(&mut self.runs).chunks(MAX_MERGED) {
                let to = self.path();
                merge(runs, &to)?;
                for run in runs {
                    fs::remove_file(run)?;
                }
                merged.push(to);
            }
            self.runs = merged;
        }
        Ok(self.runs.pop().expect("a run was ended"))
    }
}

/// Merges sorted files. Of equal places, those of the first file come first.
fn merge(runs: &[PathBuf], to: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    let mut heads = BinaryHeap::new();
    for (number, path) in runs.iter().enumerate() {
        let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
        if let Some(place) = next(&mut file)? {
            heads.push(Reverse((order(&place), number, place.to_bytes())));
        }
        files.push(file);
    }
    let mut out = BufWriter::with_capacity(1 << 16, File::create(to)?);
    while let Some(Reverse((_, number, bytes))) = heads.pop() {
        out.write_all(&bytes)?;
        if let Some(file) = files.get_mut(number)
            && let Some(place) = next(file)?
        {
            heads.push(Reverse((order(&place), number, place.to_bytes())));
        }
    }
    out.flush()
}

impl PagePlace {
    pub(super) fn to_bytes(self) -> [u8; PLACE] {
        let fields = [
            &self.key.to_le_bytes()[..],
            &self.number.to_le_bytes(),
            &self.place.to_le_bytes(),
            &self.source.to_le_bytes(),
        ];
        let mut bytes = [0; PLACE];
        bytes.copy_from_slice(&fields.concat());
        bytes
    }

    fn of_bytes(bytes: &[u8; PLACE]) -> Self {
        let number = |from: usize| {
            let part = bytes.get(from..).and_then(|rest| rest.first_chunk());
            u64::from_le_bytes(*part.expect("a place has three numbers of 8 bytes"))
        };
        let source = bytes.last_chunk().expect("a place ends with 4 bytes");
        Self {
            key: number(0),
            number: number(8).cast_signed(),
            place: number(16),
            source: u32::from_le_bytes(*source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn place(key: u64, number: i64, place: u64) -> PagePlace {
        PagePlace {
            key,
            source: 7,
            place,
            number,
        }
    }

    /// What passing through all places finds.
    fn found(places: &[PagePlace], key: u64, number: i64) -> Option<PagePlace> {
        let mut of_key = places.iter().filter(|place| place.key == key);
        let after = of_key.clone().find(|place| place.number >= number);
        let before = of_key.rfind(|place| place.number < number);
        match (before, after) {
            (Some(before), Some(after)) => {
                let is_nearer = number - before.number < after.number - number;
                Some(if is_nearer { *before } else { *after })
            }
            (before, after) => before.or(after).copied(),
        }
    }

    proptest! {
        #[test]
        fn the_nearest_place_is_found(keys in proptest::collection::vec(0..4_u64, 0..2_000), queries in proptest::collection::vec((0..5_u64, 0..700_i64), 20)) {
            let folder = tempfile::TempDir::new().expect("a folder");
            let places: Vec<PagePlace> = (0..)
                .zip(keys)
                .map(|(at, key): (u32, u64)| place(key, i64::from(at) / 3, u64::from(at)))
                .collect();
            // Runs of a few places, merged in several rounds.
            let mut sorter = Sorter { folder: folder.path(), files: 0, runs: Vec::new(), run: Vec::new() };
            for run in places.chunks(20) {
                sorter.run.extend(run);
                sorter.end_run().expect("a run");
            }
            let mut sorted = Places::open(&sorter.finish().expect("a file")).expect("places");
            for (key, number) in queries {
                let nearest = sorted.nearest(key, number).expect("a place");
                prop_assert_eq!(nearest, found(&places, key, number));
            }
        }
    }
}
