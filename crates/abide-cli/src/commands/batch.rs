//! `abide batch`
//!
//! One thread reads, one writes, the others decide. Requests travel in chunks, dealt to the workers
//! in turn; the writer collects from the workers in the same turn, so answers come out in the order
//! of requests without any sorting. Queues are short: memory does not depend on the input's length.

use crate::args::BatchArgs;
use crate::exit::{Exit, warn, written};
use crate::lines::{self, Line};
use abide_json::RequestError;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Longest request, in octets. A request may carry a robots.txt and two versions of a page.
const LONGEST: usize = 32 << 20;
/// A chunk is full with this many octets.
const CHUNK_OCTETS: usize = 256 << 10;
/// Chunks that may wait before and behind each worker.
const QUEUE: usize = 2;

/// Requests that travel together.
struct Chunk {
    /// Number of the first one's line, from 1.
    first: u64,
    requests: Vec<Line>,
}

/// What became of a chunk.
struct Answers {
    lines: Vec<u8>,
    /// Lines that could not be read: their number, and what is wrong.
    unread: Vec<(u64, String)>,
    octets: u64,
}

/// Answers all requests.
pub(crate) fn run(args: &BatchArgs) -> anyhow::Result<Exit> {
    let (input, size) = open(&args.file)?;
    let jobs = args
        .jobs
        .or(thread::available_parallelism().ok())
        .map_or(1, usize::from);
    let progress = progress(size);
    let unread = thread::scope(|scope| -> anyhow::Result<u64> {
        let (mut dealt, mut collected) = (Vec::new(), Vec::new());
        for _ in 0..jobs {
            let (deal, chunks) = sync_channel::<Chunk>(QUEUE);
            let (answer, answers) = sync_channel::<Answers>(QUEUE);
            scope.spawn(move || work(&chunks, &answer));
            dealt.push(deal);
            collected.push(answers);
        }
        let reader = scope.spawn(move || read(input, &dealt));
        // The queues end when the reader is done, and when the writer gives up.
        let (unread, result) = write(&collected, &progress);
        drop(collected);
        let read = reader
            .join()
            .map_err(|_| anyhow::anyhow!("the reading thread failed"))?;
        progress.finish_and_clear();
        written(result)?;
        read.with_context(|| format!("cannot read {}", name(&args.file)))?;
        Ok(unread)
    })?;
    if unread == 0 {
        return Ok(Exit::Done);
    }
    warn(&format!(
        "{unread} lines of {} could not be read; see the errors in the output",
        name(&args.file)
    ));
    Ok(Exit::Failed)
}

fn open(file: &str) -> anyhow::Result<(Box<dyn Read + Send>, Option<u64>)> {
    if file == "-" {
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

fn name(file: &str) -> &str {
    if file == "-" { "stdin" } else { file }
}

/// Deals the input's lines to the workers, until there are none left or nobody wants them.
fn read(input: impl Read, dealt: &[SyncSender<Chunk>]) -> io::Result<()> {
    let mut input = BufReader::with_capacity(CHUNK_OCTETS, input);
    let mut next = 1;
    for deal in dealt.iter().cycle() {
        let chunk = read_chunk(&mut input, next)?;
        next += chunk.requests.len() as u64;
        if chunk.requests.is_empty() || deal.send(chunk).is_err() {
            break;
        }
    }
    Ok(())
}

/// Reads lines until a chunk is full, or until more would mean to wait: whoever writes one request
/// and waits for its answer must get it.
fn read_chunk(input: &mut BufReader<impl Read>, first: u64) -> io::Result<Chunk> {
    let mut chunk = Chunk {
        first,
        requests: Vec::new(),
    };
    let mut octets = 0;
    while octets < CHUNK_OCTETS {
        let Some(line) = lines::read(input, LONGEST)? else {
            break;
        };
        octets += match &line {
            Line::Whole(request) => request.len(),
            Line::TooLong => CHUNK_OCTETS,
            Line::Blank => 1,
        };
        chunk.requests.push(line);
        if input.buffer().is_empty() {
            break;
        }
    }
    Ok(chunk)
}

fn work(chunks: &Receiver<Chunk>, answers: &SyncSender<Answers>) {
    for chunk in chunks {
        if answers.send(answer(&chunk)).is_err() {
            return;
        }
    }
}

fn answer(chunk: &Chunk) -> Answers {
    let mut answers = Answers {
        lines: Vec::new(),
        unread: Vec::new(),
        octets: 0,
    };
    for (number, line) in (chunk.first..).zip(&chunk.requests) {
        let error = match line {
            Line::Blank => continue,
            Line::TooLong => {
                let error = RequestError::TooLong { limit: LONGEST };
                let line = error.to_json(None);
                answers.lines.extend_from_slice(line.as_bytes());
                Some(error)
            }
            Line::Whole(request) => {
                answers.octets += request.len() as u64;
                abide_json::answer_to(&mut answers.lines, request)
            }
        };
        answers.lines.push(b'\n');
        answers
            .unread
            .extend(error.map(|error| (number, error.to_string())));
    }
    answers
}

/// Writes answers in the order in which their chunks were dealt; tells how many were errors.
fn write(collected: &[Receiver<Answers>], progress: &ProgressBar) -> (u64, io::Result<()>) {
    const TOLD: u64 = 5;
    let mut out = io::stdout().lock();
    let mut unread = 0;
    for answers in collected.iter().cycle() {
        let Ok(answers) = answers.recv() else { break };
        if let Err(error) = out.write_all(&answers.lines) {
            return (unread, Err(error));
        }
        for (number, error) in &answers.unread {
            unread += 1;
            if unread <= TOLD {
                progress.suspend(|| warn(&format!("line {number}: {error}")));
            }
        }
        progress.inc(answers.octets);
    }
    (unread, out.flush())
}

/// A bar on stderr where that is a terminal and stdout is not the same place; else nothing.
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
