//! `abide batch`
//!
//! Each worker reads a chunk of requests, answers them, and passes the answers on in the order of
//! the requests. So a request stays on the core that read it, and faster workers take more.

mod input;
mod ordered;

use crate::args::BatchArgs;
use crate::exit::{Exit, warn, written};
use crate::file_arg::FileArg;
use crate::lines::Line;
use abide_json::RequestError;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use input::{Chunk, Input, LONGEST};
use ordered::Ordered;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::mem;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The number of answered chunks per worker that may wait for an earlier one. It bounds memory,
/// however long the input is.
const WAITING: u64 = 4;
/// The number of bytes of a chunk's answers that wait in memory. The worker writes what exceeds it
/// when all earlier chunks are written: an answer can be a hundred times as long as its request.
const KEPT_BYTES: usize = 1 << 20;

/// The answers to a chunk, or the first part of them.
#[derive(Default)]
struct Answers {
    lines: Vec<u8>,
    /// Lines that could not be read: number and error.
    unread: Vec<(u64, String)>,
    bytes: u64,
}

/// Answers all requests.
pub(crate) fn run(args: &BatchArgs) -> anyhow::Result<Exit> {
    let (input, size) = open(&args.file)?;
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let progress = progress(size);
    let input = Mutex::new(Input::new(input));
    let mut unread = 0;
    let room = jobs as u64 * WAITING;
    let output = Ordered::new(room, |answers| write(&answers, &mut unread, &progress));
    thread::scope(|scope| {
        for _ in 1..jobs {
            let worker = thread::Builder::new().spawn_scoped(scope, || work(&input, &output));
            // If no more threads can start, the existing ones do the work.
            if worker.is_err() {
                break;
            }
        }
        work(&input, &output);
    });
    progress.finish_and_clear();
    written(output.into_result().and_then(|()| io::stdout().flush()))?;
    let read = input.into_inner().unwrap_or_else(PoisonError::into_inner);
    read.into_result()
        .with_context(|| format!("cannot read {}", args.file.shown()))?;
    if unread == 0 {
        return Ok(Exit::Done);
    }
    warn(&format!(
        "{} of {} could not be read; see the errors in the output",
        match unread {
            1 => "1 line".to_owned(),
            _ => format!("{unread} lines"),
        },
        args.file.shown()
    ));
    Ok(Exit::Failed)
}

fn open(file: &FileArg) -> anyhow::Result<(Box<dyn Read + Send>, Option<u64>)> {
    if file.is_stdin() {
        return Ok((Box::new(io::stdin()), None));
    }
    let opened = File::open(file).with_context(|| {
        format!("cannot read {file}; batch takes a file of requests, or \"-\" for stdin")
    })?;
    let about = opened
        .metadata()
        .with_context(|| format!("cannot read {file}"))?;
    anyhow::ensure!(!about.is_dir(), "cannot read {file}: it is a directory");
    Ok((Box::new(opened), about.is_file().then_some(about.len())))
}

/// Answers requests until the input ends or the output is closed.
fn work<W>(input: &Mutex<Input>, output: &Ordered<Answers, W>)
where
    W: FnMut(Answers) -> io::Result<()>,
{
    let _end = output.end_on_panic();
    let mut chunk = Chunk::default();
    loop {
        let mut held = input::held(input);
        if !output.is_wanted() || !held.read(&mut chunk) {
            return;
        }
        // Other workers read while this one answers.
        drop(held);
        let Ok(answers) = answer(&chunk, output) else {
            return;
        };
        if !output.hand_on(chunk.number, answers) {
            return;
        }
    }
}

/// Takes the answers to a chunk, and passes on what exceeds [`KEPT_BYTES`].
struct Answering<'o, W> {
    output: &'o Ordered<Answers, W>,
    number: u64,
    answers: Answers,
}

impl<W: FnMut(Answers) -> io::Result<()>> Write for Answering<'_, W> {
    /// Fails if nobody wants more answers.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let lines = &mut self.answers.lines;
        lines.extend_from_slice(bytes);
        if lines.len() >= KEPT_BYTES {
            let part = Answers {
                lines: mem::take(lines),
                ..Answers::default()
            };
            if !self.output.write_part(self.number, part) {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Answers a chunk. Fails if nobody wants more answers.
fn answer<W>(chunk: &Chunk, output: &Ordered<Answers, W>) -> io::Result<Answers>
where
    W: FnMut(Answers) -> io::Result<()>,
{
    let mut out = Answering {
        output,
        number: chunk.number,
        answers: Answers::default(),
    };
    for (number, line, request) in chunk.requests() {
        let error = match line {
            Line::Blank => continue,
            Line::TooLong => {
                let error = RequestError::TooLong { limit: LONGEST };
                out.write_all(error.to_json().as_bytes())?;
                Some(error)
            }
            Line::Whole => {
                out.answers.bytes += request.len() as u64;
                abide_json::write_answer(&mut out, request)?
            }
        };
        out.write_all(b"\n")?;
        let unread = error.map(|error| (number, error.to_string()));
        out.answers.unread.extend(unread);
    }
    Ok(out.answers)
}

/// Writes answers, and counts those that are errors.
fn write(answers: &Answers, unread: &mut u64, progress: &ProgressBar) -> io::Result<()> {
    const TOLD: u64 = 5;
    io::stdout().lock().write_all(&answers.lines)?;
    for (number, error) in &answers.unread {
        *unread += 1;
        if *unread <= TOLD {
            progress.suspend(|| warn(&format!("line {number}: {error}")));
        }
    }
    progress.inc(answers.bytes);
    Ok(())
}

/// A progress bar on stderr, if that is a terminal and stdout is not the same one.
fn progress(size: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() || io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::stderr());
    let template = match size {
        Some(_) => "{bar:40} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left",
        None => "{spinner} {bytes}, {bytes_per_sec}",
    };
    bar.with_style(ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar()))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Untouched;

    impl Read for Untouched {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("nobody wants to know");
        }
    }

    #[test]
    fn nothing_is_read_that_nobody_wants() {
        let input = Mutex::new(Input::new(Box::new(Untouched)));
        let output = Ordered::new(0, |_| Err(io::ErrorKind::BrokenPipe.into()));
        assert!(!output.hand_on(0, Answers::default()));
        work(&input, &output);
    }
}
