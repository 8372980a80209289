//! Keeps what stdin has on the disk, because targets of redirects are read again.

use super::{Progress, SurveyError, journal};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The name of the file.
const FILE: &str = "stdin";
/// The number of bytes that are copied at a time.
const BYTES_PER_COPY: usize = 1 << 20;

/// What stdin had, in a file. It goes when this is dropped, with the state of the survey: without
/// stdin it cannot go on.
pub(super) struct Kept {
    state: PathBuf,
    path: PathBuf,
    /// The folder of the tables, if it was not there before.
    made: Option<PathBuf>,
}

impl Kept {
    /// Reads stdin to its end, or until `stop` is set.
    pub(super) fn read(
        folder: &Path,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<Self, SurveyError> {
        let state = journal::state_of_new(folder)?;
        let kept = Self {
            path: state.join(FILE),
            made: Some(folder.to_owned()).filter(|folder| !folder.exists()),
            state,
        };
        kept.fill(&mut io::stdin().lock(), stop, report)
            .map_err(|error| SurveyError::Stdin {
                folder: folder.to_owned(),
                error,
            })?;
        Ok(kept)
    }

    fn fill(
        &self,
        from: &mut dyn Read,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Progress),
    ) -> io::Result<()> {
        fs::create_dir_all(&self.state)?;
        let mut file = BufWriter::with_capacity(BYTES_PER_COPY, File::create(&self.path)?);
        let mut progress = Progress::default();
        while !stop.load(Ordering::Relaxed) {
            let copied = io::copy(&mut from.take(BYTES_PER_COPY as u64), &mut file)?;
            if copied == 0 {
                break;
            }
            progress.read += copied;
            report(&progress);
        }
        file.flush()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // What is left does no harm: the next survey in this folder replaces it.
        let _ = fs::remove_dir_all(&self.state);
        // If nothing was written, its folder goes too.
        let _ = self.made.as_ref().map(fs::remove_dir);
    }
}
