//! The work of a survey in pieces, which do not depend on the number of threads.

use super::collect::{Collector, Message};
use crate::capture::{Body, Capture};
use crate::input::sources::{Source, SourceKind, host};
use crate::input::{
    FoundCapture, InputProblem, Item, Packing, Sink, cache, json_lines, table, warc,
};
use crate::rows::Surveyor;
use std::fs::File;
use std::path::Path;

/// The size of a block of a large file.
const BLOCK: u64 = 1 << 20;
/// The number of robots.txt files in a job.
const FILES: usize = 64;

/// A piece of work.
#[derive(Debug)]
pub(super) struct Job {
    /// The (first) source.
    pub(super) source: usize,
    pub(super) piece: SourcePiece,
}

/// A part of a source, or several sources.
#[derive(Debug)]
pub(super) enum SourcePiece {
    Files {
        count: usize,
    },
    Archive {
        packing: Packing,
        from: u64,
        until: u64,
    },
    Lines {
        is_gzip: bool,
        from: u64,
        until: u64,
    },
    Group {
        number: usize,
    },
    Cache,
}

/// All work for these sources, in order.
pub(super) fn jobs(sources: &[Source]) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let blocks =
            || (0..source.size.div_ceil(BLOCK)).map(|block| (block * BLOCK, (block + 1) * BLOCK));
        if let SourceKind::RobotsTxt { .. } | SourceKind::NoInput(_) = source.kind
            && let Some(Job {
                piece: SourcePiece::Files { count },
                ..
            }) = jobs.last_mut()
            && *count < FILES
        {
            *count += 1;
            continue;
        }
        let mut add = |piece| {
            jobs.push(Job {
                source: number,
                piece,
            });
        };
        match source.kind {
            SourceKind::RobotsTxt { .. } | SourceKind::NoInput(_) => {
                add(SourcePiece::Files { count: 1 });
            }
            SourceKind::Warc { packing } => {
                for (from, until) in blocks() {
                    add(SourcePiece::Archive {
                        packing,
                        from,
                        until,
                    });
                }
            }
            SourceKind::JsonLines { is_gzip: true } => add(SourcePiece::Lines {
                is_gzip: true,
                from: 0,
                until: u64::MAX,
            }),
            SourceKind::JsonLines { is_gzip: false } => {
                for (from, until) in blocks() {
                    add(SourcePiece::Lines {
                        is_gzip: false,
                        from,
                        until,
                    });
                }
            }
            SourceKind::Table { groups } => {
                for number in 0..groups {
                    add(SourcePiece::Group { number });
                }
            }
            SourceKind::Cache => add(SourcePiece::Cache),
        }
    }
    jobs
}

impl Job {
    /// The bytes of input that it is about.
    pub(super) fn bytes(&self, sources: &[Source]) -> u64 {
        let size = sources.get(self.source).map_or(0, |source| source.size);
        match self.piece {
            SourcePiece::Files { count } => {
                let sources = sources.iter().skip(self.source).take(count);
                sources.map(|source| source.size).sum()
            }
            SourcePiece::Archive { from, until, .. } | SourcePiece::Lines { from, until, .. } => {
                until.min(size).saturating_sub(from)
            }
            SourcePiece::Group { .. } => {
                match sources.get(self.source).map(|source| &source.kind) {
                    Some(SourceKind::Table { groups }) => size / (*groups).max(1) as u64,
                    _ => size,
                }
            }
            SourcePiece::Cache => size,
        }
    }

    /// Does the work, unless it needs so much memory that only one thread may do such work. `send`
    /// returns false if the results are not wanted.
    pub(super) fn run(
        &self,
        sources: &[Source],
        surveyor: &Surveyor,
        send: &mut dyn FnMut(Message) -> bool,
    ) {
        let Some(source) = sources.get(self.source) else {
            return;
        };
        if let SourcePiece::Archive {
            packing,
            from,
            until,
        } = self.piece
        {
            // An error is reported by the one who reads.
            let first = warc::first(&source.path, packing, from, until).unwrap_or(Some(from));
            if !send(Message::Start(first)) {
                return;
            }
            match first {
                Some(first) => read_archive(self, (first, until), sources, surveyor, send),
                None => {
                    send(Message::Done(None));
                }
            }
            return;
        }
        if let SourcePiece::Group { number } = self.piece
            && table::is_large(&source.path, number)
        {
            send(Message::TooLarge);
            return;
        }
        self.read(sources, surveyor, send);
    }

    /// Does the work, if it is not about an archive.
    pub(super) fn read(
        &self,
        sources: &[Source],
        surveyor: &Surveyor,
        send: &mut dyn FnMut(Message) -> bool,
    ) {
        let Some(source) = sources.get(self.source) else {
            return;
        };
        let bytes = self.bytes(sources);
        let mut collector = Collector::new(surveyor, (self.source, source.name()), u64::MAX, send);
        let result = match self.piece {
            SourcePiece::Files { count } => {
                let files = sources.iter().enumerate().skip(self.source).take(count);
                for (number, source) in files {
                    collector.begin_source(number, source.name());
                    if !robots_txt(source, &mut |item| collector.take(item)) {
                        return;
                    }
                }
                Ok(())
            }
            SourcePiece::Lines {
                is_gzip,
                from,
                until,
            } => json_lines::read(source, is_gzip, (from, until), false, &mut |item| {
                collector.take(item)
            })
            .map_err(|error| error.to_string()),
            SourcePiece::Group { number } => {
                table::read(&source.path, number, false, &mut |item| {
                    collector.take(item)
                })
            }
            SourcePiece::Cache => cache::read(&source.path, &mut |item| collector.take(item)),
            SourcePiece::Archive { .. } => Ok(()),
        };
        if let Err(message) = result
            && !collector.take(unreadable(message))
        {
            return;
        }
        collector.add_bytes(bytes);
        collector.done(None);
    }
}

/// Reads the records of an archive that begin in a range.
pub(super) fn read_archive(
    job: &Job,
    (from, until): (u64, u64),
    sources: &[Source],
    surveyor: &Surveyor,
    send: &mut dyn FnMut(Message) -> bool,
) {
    let Some(source) = sources.get(job.source) else {
        return;
    };
    let SourceKind::Warc { packing } = source.kind else {
        return;
    };
    let mut collector = Collector::new(surveyor, (job.source, source.name()), from, send);
    let how = (surveyor.asks_pages(), surveyor.verifies);
    let next = warc::read(&source.path, packing, how, (from, until), &mut |item| {
        collector.take(item)
    });
    let next = next.unwrap_or_else(|error| {
        collector.take(unreadable(format!(
            "{error}; the rest of the archive is left out"
        )));
        None
    });
    collector.done(next);
}

fn unreadable(message: String) -> Item {
    Item::Failed(InputProblem {
        place: String::new(),
        code: "read",
        message,
        ..InputProblem::default()
    })
}

/// Reads a file by itself. Returns false if nothing more is wanted.
fn robots_txt(source: &Source, sink: &mut Sink<'_>) -> bool {
    let is_in_site = match source.kind {
        SourceKind::RobotsTxt { is_in_site } => is_in_site,
        SourceKind::NoInput(why) => return sink(Item::Failed(no_input(why))),
        _ => return sink(Item::Skipped("file")),
    };
    let body = match read(&source.path) {
        Ok(body) => body,
        Err(error) => return sink(unreadable(error.to_string())),
    };
    let mut capture = Capture::of_host(&host(&source.path, is_in_site));
    capture.body = body;
    sink(Item::Capture(FoundCapture {
        capture,
        place: 0,
        digest: None,
        original: None,
    }))
}

/// What is said about a file that is no input.
fn no_input(why: &str) -> InputProblem {
    InputProblem {
        place: String::new(),
        code: "no-input",
        message: why.to_owned(),
        ..InputProblem::default()
    }
}

fn read(path: &Path) -> std::io::Result<Body> {
    Body::read(&mut File::open(path)?)
}
