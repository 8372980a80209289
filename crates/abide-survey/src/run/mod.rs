//! Runs a survey: many threads read and compute, one writes in the order of the input.
//!
//! Rows are written into parts. A part is complete when the journal says so, and a survey that is
//! interrupted goes on after the last complete one. In the end the parts become the files of the
//! tables, several small parts one file.
//!
//! A redirect may lead to any capture of the input, before or after it. If its target is not among
//! the next captures (`collect`), it waits on the disk until everything was read, with the places
//! of all captures. Then each target is read again, and its rows are written under the name of the
//! site that redirects there (`redirects`).

mod collect;
mod jobs;
mod journal;
mod places;
mod queue;
mod redirects;
mod stdin;

use crate::input::sources::{self, InputError, MAX_FILES, Source};
use crate::options::Options;
use crate::output::{FileSize, Format};
use crate::rows::Surveyor;
use abide::explain::visible_path;
use collect::{Chunk, Message};
use jobs::{Job, SourcePiece, jobs};
use journal::{Entry, Journal};
use queue::Queue;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::thread;

#[cfg(test)]
mod tests;

/// Where parts and files end. Tests lower it.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// A part is completed after about this many bytes of input.
    part_bytes: u64,
    /// A part is completed after this many captures.
    part_captures: i64,
    /// The size of a file, and of a part.
    max_file: FileSize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            part_bytes: 64 << 20,
            part_captures: 200_000,
            max_file: FileSize::MAX_FILE,
        }
    }
}

/// What to survey, and where the tables go.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Survey {
    /// Files and folders; `-` is stdin, which is kept on the disk until the survey ends.
    pub inputs: Vec<PathBuf>,
    /// The folder of the tables: a new or an empty one.
    pub folder: PathBuf,
    /// What to ask.
    pub options: Options,
    /// The format of the tables.
    pub format: Format,
    /// The number of threads that read and compute, beside the one that writes. With 0 the latter
    /// does everything.
    pub threads: usize,
    /// Whether to go on with the survey in the folder.
    pub is_resumed: bool,
}

/// How far a survey is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The bytes of input that were read.
    pub read: u64,
    /// The bytes of input in all; 0 while stdin is read to its end.
    pub total: u64,
    /// The captures that were found.
    pub captures: u64,
}

/// What a survey found.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Summary {
    /// The records, lines, rows or files that were read.
    pub records: u64,
    /// The records that are captures.
    pub captures: u64,
    /// The records that are pages, if these are surveyed.
    #[serde(default)]
    pub pages: u64,
    /// Records of other kinds, by kind.
    pub skipped: BTreeMap<String, u64>,
    /// Records that could not be used, by code.
    pub failed: BTreeMap<String, u64>,
    /// Captures about which something is wrong, by code.
    pub noted: BTreeMap<String, u64>,
    /// Captures whose digests are right, if they were checked.
    #[serde(default)]
    pub verified: u64,
    /// Captures whose digests were not checked, by algorithm, or because they have none.
    #[serde(default)]
    pub not_verified: BTreeMap<String, u64>,
    /// Redirects that were followed.
    pub followed: u64,
    /// Redirects to a URL that is not in the input.
    pub not_followed: u64,
    /// Whether the whole input was read.
    pub is_complete: bool,
    /// How much would change, for each change that was asked about.
    #[serde(default)]
    pub changes: BTreeMap<String, ChangeCount>,
}

/// How much one change would change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct ChangeCount {
    /// The captures with another answer; of a change that is about pages, the pages.
    pub sites: u64,
    /// The groups whose lines decide these answers, over all captures.
    pub groups: u64,
    /// The robots with another answer, counted in each capture.
    pub robots: u64,
}

/// Why there is no survey.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SurveyError {
    /// An input cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The folder has something else.
    #[error(
        "{} is not empty: it has {name}; name a new folder, or an empty one",
        visible_path(.folder)
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// The first thing in it.
        name: String,
    },
    /// The folder has a survey that is not complete.
    #[error(
        "{} has a survey that is not complete; add --resume to go on, or name another folder",
        visible_path(.folder)
    )]
    Unfinished {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder has no survey to go on with.
    #[error("{} has no interrupted survey; run without --resume", visible_path(.folder))]
    NothingToResume {
        /// The folder.
        folder: PathBuf,
    },
    /// The survey in the folder is another one.
    #[error(
        "the survey in {} has other inputs or options; give it the same ones, or name another folder",
        visible_path(.folder)
    )]
    Other {
        /// The folder.
        folder: PathBuf,
    },
    /// The output cannot be written.
    #[error("cannot write into {}: {error}; completed parts are kept; continue with --resume", visible_path(.folder))]
    Write {
        /// The folder.
        folder: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A survey of stdin cannot go on, because stdin is gone.
    #[error("cannot resume a survey of stdin; run without --resume, into another folder")]
    ResumeStdin,
    /// Stdin cannot be kept, or the output of a survey of stdin cannot be written.
    #[error(
        "cannot write into {}, where stdin is kept until the survey ends: {error}; name a folder on a disk with more space, or save the input to a file",
        visible_path(.folder)
    )]
    Stdin {
        /// The folder.
        folder: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl Survey {
    /// Runs the survey until it is complete or `stop` is set. Calls `report` with the progress.
    ///
    /// # Errors
    /// [`SurveyError`] for inputs and folders that cannot be used, before anything is written, and
    /// for output that cannot be written.
    pub fn run(
        &self,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<Summary, SurveyError> {
        self.run_within(Limits::default(), stop, report)
    }

    fn run_within(
        &self,
        limits: Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<Summary, SurveyError> {
        let sources = sources::sources(&self.inputs, MAX_FILES)?;
        if let Some(at) = sources.iter().position(|source| source.is_stdin) {
            return self.run_of_stdin(sources, at, limits, stop, report);
        }
        self.run_of(&sources, limits, stop, report)
    }

    /// Runs the survey of stdin and other inputs: stdin is the source at `at`.
    fn run_of_stdin(
        &self,
        mut sources: Vec<Source>,
        at: usize,
        limits: Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<Summary, SurveyError> {
        if self.is_resumed {
            return Err(SurveyError::ResumeStdin);
        }
        let kept = stdin::Kept::read(&self.folder, stop, report)?;
        if let Some(source) = sources.get_mut(at) {
            *source = sources::of_stdin(kept.path())?;
        }
        self.run_of(&sources, limits, stop, report)
            .map_err(|error| match error {
                SurveyError::Write { folder, error } => SurveyError::Stdin { folder, error },
                other => other,
            })
    }

    fn run_of(
        &self,
        sources: &[Source],
        limits: Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<Summary, SurveyError> {
        let jobs = jobs(sources);
        let journal = Journal::open(self, sources, limits.max_file)?;
        let surveyor = Surveyor::new(&self.options);
        let mut run = Run {
            survey: self,
            sources,
            surveyor: &surveyor,
            total: sources.iter().map(|source| source.size).sum(),
            read: 0,
            limits,
            since_part: (0, 0),
            expected: None,
            journal,
        };
        run.run(&jobs, stop, report)
            .map_err(|error| SurveyError::Write {
                folder: self.folder.clone(),
                error,
            })
    }
}

/// A survey that runs.
struct Run<'s> {
    survey: &'s Survey,
    sources: &'s [Source],
    surveyor: &'s Surveyor,
    total: u64,
    read: u64,
    limits: Limits,
    /// The bytes of jobs in the current part, and the captures before it.
    since_part: (u64, i64),
    /// Where the next record of an archive begins, and of which; `None` at its end.
    expected: Option<(usize, Option<u64>)>,
    journal: Journal,
}

impl Run<'_> {
    fn run(
        &mut self,
        jobs: &[Job],
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Progress),
    ) -> io::Result<Summary> {
        let done = self.journal.entry().clone();
        if done.end.is_published {
            // It was interrupted while it removed its parts.
            self.journal.clear()?;
            return Ok(Summary {
                is_complete: true,
                ..done.summary
            });
        }
        if !done.has_all_rows {
            self.find_rows(&done, jobs, stop, report)?;
        }
        let is_complete = !stop.load(Ordering::Relaxed);
        if is_complete {
            self.journal.end_rows()?;
        }
        self.journal.publish(is_complete)?;
        Ok(Summary {
            is_complete,
            ..self.journal.entry().summary.clone()
        })
    }

    /// Writes the rows that are not `done`, until `stop` is set.
    fn find_rows(
        &mut self,
        done: &Entry,
        jobs: &[Job],
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Progress),
    ) -> io::Result<()> {
        self.expected = done.expected;
        let before = jobs.get(..done.next_job).unwrap_or(jobs);
        self.read = before.iter().map(|job| job.bytes(self.sources)).sum();
        self.since_part = (0, done.captures);
        if done.next_job < jobs.len() {
            self.read_all(jobs, done.next_job, stop, report)?;
            self.journal.commit()?;
        }
        if !stop.load(Ordering::Relaxed) {
            redirects::follow(self, jobs.len(), stop)?;
        }
        Ok(())
    }

    fn read_all(
        &mut self,
        jobs: &[Job],
        first: usize,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Progress),
    ) -> io::Result<()> {
        let threads = self.survey.threads;
        let queue = Queue::new(first, jobs.len(), threads);
        let (sources, surveyor) = (self.sources, self.surveyor);
        thread::scope(|scope| {
            let _end = queue.end_when_dropped();
            let mut has_worker = false;
            for _ in 0..threads {
                let work = || {
                    while let Some((number, sender)) = queue.take() {
                        if let Some(job) = jobs.get(number) {
                            let mut send = |message| sender.send(message).is_ok();
                            job.run(sources, surveyor, &mut send);
                        }
                    }
                };
                let worker = thread::Builder::new().spawn_scoped(scope, work);
                // If no more threads can start, the existing ones do the work.
                if worker.is_err() {
                    break;
                }
                has_worker = true;
            }
            for (number, job) in jobs.iter().enumerate().skip(first) {
                if stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let is_written = if has_worker {
                    self.write(job, &queue.messages(number), report)?
                } else {
                    self.run_here(job, report)?
                };
                if !is_written {
                    // A worker failed; the scope says so.
                    return Ok(());
                }
                self.end_job(job, number + 1)?;
            }
            Ok(())
        })
    }

    /// Writes what a job found. Returns false if its worker is gone.
    fn write(
        &mut self,
        job: &Job,
        messages: &Receiver<Message>,
        report: &mut dyn FnMut(&Progress),
    ) -> io::Result<bool> {
        if let SourcePiece::Archive { until, .. } = job.piece {
            let Some(expected) = self.expected_before(job, until) else {
                return Ok(true);
            };
            match messages.recv() {
                Ok(Message::Start(Some(start))) if start == expected => {}
                // What seemed to be the first record of the block is not.
                Ok(_) => return self.run_here(job, report),
                Err(_) => return Ok(false),
            }
        }
        loop {
            match messages.recv() {
                Ok(Message::Chunk(chunk)) => self.add(*chunk, report)?,
                Ok(Message::Start(_)) => {}
                Ok(Message::TooLarge) => return self.run_here(job, report),
                Ok(Message::Done(next)) => {
                    self.expected = Some((job.source, next));
                    return Ok(true);
                }
                Err(_) => return Ok(false),
            }
        }
    }

    /// Where the next record of an archive begins, if that is in this block: an earlier job may
    /// have read further than the block.
    fn expected_before(&mut self, job: &Job, until: u64) -> Option<u64> {
        let expected = match self.expected {
            Some((source, expected)) if source == job.source => expected,
            _ => Some(0),
        };
        self.expected = Some((job.source, expected));
        expected.filter(|expected| *expected < until)
    }

    /// Does a job in this thread.
    fn run_here(&mut self, job: &Job, report: &mut dyn FnMut(&Progress)) -> io::Result<bool> {
        let mut result = Ok(());
        let mut next = None;
        let (sources, surveyor) = (self.sources, self.surveyor);
        let range = match job.piece {
            SourcePiece::Archive { until, .. } => match self.expected_before(job, until) {
                Some(expected) => Some((expected, until)),
                None => return Ok(true),
            },
            _ => None,
        };
        let mut take = |message| {
            match message {
                Message::Chunk(chunk) => result = self.add(*chunk, report),
                Message::Done(at) => next = at,
                Message::Start(_) | Message::TooLarge => {}
            }
            result.is_ok()
        };
        match range {
            Some(range) => jobs::read_archive(job, range, sources, surveyor, &mut take),
            None => job.read(sources, surveyor, &mut take),
        }
        result?;
        self.expected = Some((job.source, next));
        Ok(true)
    }

    fn add(&mut self, chunk: Chunk, report: &mut dyn FnMut(&Progress)) -> io::Result<()> {
        self.read += chunk.bytes;
        self.journal.add(chunk)?;
        report(&Progress {
            read: self.read.min(self.total),
            total: self.total,
            captures: self.journal.entry().summary.captures,
        });
        Ok(())
    }

    fn end_job(&mut self, job: &Job, next_job: usize) -> io::Result<()> {
        let entry = self.journal.entry_mut();
        entry.next_job = next_job;
        entry.expected = self.expected;
        let captures = entry.captures;
        let (bytes, before) = &mut self.since_part;
        *bytes += job.bytes(self.sources);
        let limits = &self.limits;
        if *bytes >= limits.part_bytes || captures - *before >= limits.part_captures {
            self.since_part = (0, captures);
            self.journal.commit()?;
        }
        Ok(())
    }
}
