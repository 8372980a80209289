//! Answers many lines: reads them in chunks, answers these on several threads, writes the answers
//! in order, and sums up on stderr.

use crate::args::{self, TableArgs};
use crate::chunks::{Chunk, Input, held};
use crate::exit::{ExitRank, note, warn, written_to};
use crate::file_arg::FileArg;
#[cfg(feature = "survey")]
use crate::interrupt;
use crate::ordered::OrderedWriter;
use crate::progress;
use crate::table::{Layout, Problem, Row, RowFormat};
use abide::Outcome;
use abide::explain::visible_url;
use abide_analysis::words::{counted, grouped};
use anstream::adapter::strip_bytes;
use anyhow::{Context, ensure};
use indicatif::ProgressBar;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// The number of answered chunks per worker that may wait for an earlier one. It bounds memory,
/// however long the input is.
const MAX_WAITING: u64 = 4;

/// The answers to a chunk.
pub(crate) struct Answers {
    pub(crate) out: Out,
    pub(crate) counts: AnswerCounts,
    /// Lines that could not be read: number and problem.
    pub(crate) unread: Vec<(u64, Problem)>,
    /// Bytes of input.
    pub(crate) bytes: u64,
}

impl Answers {
    /// No answers yet to so many bytes of input, in the format of `layout`; `None` for JSON.
    pub(crate) fn new(layout: Option<&Layout>, bytes: u64) -> Self {
        let out = match layout {
            #[cfg(feature = "survey")]
            Some(layout) if layout.format == RowFormat::Parquet => {
                Out::Batches(crate::table::Batches::new(layout))
            }
            _ => Out::Text(Vec::new()),
        };
        Self {
            out,
            counts: AnswerCounts::default(),
            unread: Vec::new(),
            bytes,
        }
    }
}

/// Writes a part of a chunk's answers when all earlier chunks are written; the rest has to follow.
/// Returns false if nobody wants more.
pub(crate) type PassOn<'a> = &'a mut dyn FnMut(Answers) -> bool;

/// The output of a chunk.
pub(crate) enum Out {
    /// Text as it is written.
    Text(Vec<u8>),
    /// Columns of a table.
    #[cfg(feature = "survey")]
    Batches(crate::table::Batches),
}

impl Out {
    /// The text, if it is text.
    #[cfg_attr(
        not(feature = "survey"),
        expect(
            clippy::unnecessary_wraps,
            reason = "only tables in Parquet are no text"
        )
    )]
    pub(crate) fn text(&mut self) -> Option<&mut Vec<u8>> {
        match self {
            Self::Text(text) => Some(text),
            #[cfg(feature = "survey")]
            Self::Batches(_) => None,
        }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, layout: &Layout, row: &Row<'_>) {
        match self {
            Self::Text(text) => layout.write(text, row),
            #[cfg(feature = "survey")]
            Self::Batches(batches) => batches.push(layout, row),
        }
    }
}

/// What was answered.
#[derive(Debug, Default)]
pub(crate) struct AnswerCounts {
    pub(crate) answers: u64,
    pub(crate) urls: u64,
    /// The answers by the word that the summary has for them.
    outcomes: BTreeMap<&'static str, u64>,
    /// The answers by a file that is no robots.txt, by the code of the finding.
    foreign: BTreeMap<&'static str, u64>,
    pub(crate) standing: ExitRank,
    pub(crate) disallowed: DisallowedUrls,
}

/// The URLs that at least one robot may not crawl.
#[derive(Debug, Default)]
pub(crate) struct DisallowedUrls {
    count: u64,
    /// The first ones, with their lines.
    first: Vec<(u64, String)>,
}

impl DisallowedUrls {
    /// How many are named.
    const MAX_SHOWN: usize = 3;

    pub(crate) fn add(&mut self, line: u64, url: &str) {
        self.count += 1;
        if self.first.len() < Self::MAX_SHOWN {
            self.first.push((line, url.to_owned()));
        }
    }

    fn extend(&mut self, more: &Self) {
        self.count += more.count;
        let room = Self::MAX_SHOWN.saturating_sub(self.first.len());
        self.first.extend(more.first.iter().take(room).cloned());
    }
}

impl AnswerCounts {
    /// Counts an answer for the summary. One that is disallowed only because the file could not be
    /// fetched is unreachable.
    pub(crate) fn show(&mut self, outcome: Outcome, standing: ExitRank) {
        self.answers += 1;
        let name = match (outcome, standing) {
            (Outcome::Permitted, _) => "allowed",
            (Outcome::Prohibited, ExitRank::Unknown) => "unreachable",
            (Outcome::Prohibited, _) => "disallowed",
            (other, _) => other.name(),
        };
        *self.outcomes.entry(name).or_default() += 1;
    }

    /// Counts an answer by a file that is no robots.txt.
    pub(crate) fn note(&mut self, foreign: Option<&'static str>) {
        if let Some(code) = foreign {
            *self.foreign.entry(code).or_default() += 1;
        }
    }

    /// Counts what matters for the exit status.
    pub(crate) fn stand(&mut self, standing: ExitRank) {
        self.standing = self.standing.max(standing);
    }

    fn extend(&mut self, more: &Self) {
        self.answers += more.answers;
        self.urls += more.urls;
        for (name, count) in &more.outcomes {
            *self.outcomes.entry(name).or_default() += count;
        }
        for (code, count) in &more.foreign {
            *self.foreign.entry(code).or_default() += count;
        }
        self.disallowed.extend(&more.disallowed);
        self.stand(more.standing);
    }
}

/// A run over many lines.
pub(crate) struct Bulk {
    /// The input in reports.
    name: String,
    sink: Arc<Mutex<Option<Sink>>>,
    progress: ProgressBar,
    is_quiet: bool,
    start: Instant,
    pub(crate) counts: AnswerCounts,
    /// How many lines could not be read, by code.
    pub(crate) unread: BTreeMap<&'static str, u64>,
}

impl Bulk {
    /// Opens the output of `args` for the answers to `input`. `layout`: that of the table, if they
    /// are one. `is_human`: people read them. `inputs` are the files that are read, which the
    /// output must not replace.
    pub(crate) fn new(
        input: &Input,
        layout: Option<&Layout>,
        is_human: bool,
        args: &TableArgs,
        inputs: &[&FileArg],
        profile: Option<&str>,
        is_quiet: bool,
    ) -> anyhow::Result<Self> {
        let sink = Sink::open(args.output.as_ref(), layout, is_human, inputs, profile)?;
        let sink = Arc::new(Mutex::new(Some(sink)));
        #[cfg(feature = "survey")]
        if layout.is_some_and(|layout| layout.format == RowFormat::Parquet) {
            finish_on_ctrl_c(&sink)?;
        }
        Ok(Self {
            name: input.name.clone(),
            sink,
            progress: progress(input.size, args.output.is_some()),
            is_quiet,
            start: Instant::now(),
            counts: AnswerCounts::default(),
            unread: BTreeMap::new(),
        })
    }

    /// Writes `text` before the answers, if people read them; otherwise says it on stderr.
    pub(crate) fn begin_with(&self, text: &str, is_human: bool) -> anyhow::Result<()> {
        let mut sink = locked(&self.sink);
        match sink.as_mut().filter(|_| is_human) {
            Some(sink) => written_to(sink.write(Out::Text(text.into())), &sink.name),
            None if self.is_quiet => Ok(()),
            None => {
                text.trim_end().lines().for_each(note);
                Ok(())
            }
        }
    }

    /// Answers everything on `jobs` threads. `worker` makes what answers chunks on one thread; it
    /// may pass on parts of long answers.
    pub(crate) fn run<A: FnMut(&Chunk, PassOn<'_>) -> Answers>(
        &mut self,
        input: Input,
        jobs: Option<u16>,
        worker: impl Fn() -> A + Sync,
    ) -> anyhow::Result<()> {
        let jobs = args::threads(jobs);
        let input = Mutex::new(input);
        let room = jobs as u64 * MAX_WAITING;
        let output = OrderedWriter::new(room, |answers| self.write(answers));
        thread::scope(|scope| {
            for _ in 1..jobs {
                let spawned =
                    thread::Builder::new().spawn_scoped(scope, || work(&input, &output, worker()));
                // If no more threads can start, the existing ones do the work.
                if spawned.is_err() {
                    break;
                }
            }
            work(&input, &output, worker());
        });
        let result = output.into_result();
        let input = input.into_inner();
        self.end(result, input.unwrap_or_else(PoisonError::into_inner))
    }

    /// Answers everything on this thread.
    pub(crate) fn run_here(
        &mut self,
        mut input: Input,
        mut worker: impl FnMut(&Chunk) -> anyhow::Result<Answers>,
    ) -> anyhow::Result<()> {
        let mut chunk = Chunk::default();
        let mut result = Ok(());
        while result.is_ok() && input.read(&mut chunk) {
            let answers = worker(&chunk)?;
            result = self.write(answers);
        }
        self.end(result, input)
    }

    /// Writes answers, and counts them and their errors.
    fn write(&mut self, answers: Answers) -> io::Result<()> {
        const MAX_SHOWN_LINES: u64 = 5;
        // The answers count for the exit status, whoever reads them.
        self.counts.stand(answers.counts.standing);
        if let Some(sink) = locked(&self.sink).as_mut() {
            sink.write(answers.out)?;
        }
        self.counts.extend(&answers.counts);
        for (number, problem) in &answers.unread {
            *self.unread.entry(problem.code).or_default() += 1;
            if !self.is_quiet && self.unread.values().sum::<u64>() <= MAX_SHOWN_LINES {
                self.progress
                    .suspend(|| warn(&format!("line {number}: {}", problem.message)));
            }
        }
        self.progress.inc(answers.bytes);
        Ok(())
    }

    /// Ends the output after `result`, and reports what was read and answered.
    fn end(&mut self, result: io::Result<()>, input: Input) -> anyhow::Result<()> {
        self.progress.finish_and_clear();
        let sink = locked(&self.sink).take();
        let name = sink.as_ref().map(|sink| sink.name.clone());
        let name = name.unwrap_or_else(|| STDOUT.to_owned());
        let result = result.and_then(|()| sink.map_or(Ok(()), Sink::finish));
        // Whoever closed the output wants to know no more.
        let is_closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
        self.is_quiet |= result.as_ref().is_err_and(is_closed);
        written_to(result, &name)?;
        let result = input.into_result();
        if !self.is_quiet {
            self.sum_up();
        }
        result
    }

    /// Says how many of the URLs in a sitemap `whom` may not crawl, and names the first ones.
    pub(crate) fn sum_up_sitemap(&self, whom: &str) {
        let DisallowedUrls { count, first } = &self.counts.disallowed;
        if self.is_quiet || *count == 0 {
            return;
        }
        let all = counted(self.counts.urls, "URL", "URLs");
        let are = if *count == 1 { "is" } else { "are" };
        let place = |(line, url): &(u64, String)| format!("line {line} ({})", visible_url(url));
        let places: Vec<_> = first.iter().map(place).collect();
        let more = match count.saturating_sub(first.len() as u64) {
            0 => String::new(),
            more => format!(" and {} more", grouped(more)),
        };
        warn(&format!(
            "{}: {} of {all} {are} disallowed for {whom}: {}{more}",
            self.name,
            grouped(*count),
            places.join(", ")
        ));
    }

    fn sum_up(&self) {
        let seconds = self.start.elapsed().as_secs_f64().max(1e-6);
        let answers = counted(self.counts.answers, "answer", "answers");
        let about = match self.counts.urls {
            0 => String::new(),
            urls => format!(" about {}", counted(urls, "URL", "URLs")),
        };
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rate"
        )]
        let rate = grouped((self.counts.answers as f64 / seconds) as u64);
        let mut outcomes = listed(&self.counts.outcomes);
        if !outcomes.is_empty() {
            outcomes.insert_str(0, ": ");
        }
        let foreign = self.counts.foreign.iter();
        let foreign = foreign.map(|(code, count)| format!("; {} by {code}", grouped(*count)));
        let outcomes = outcomes + &foreign.collect::<String>();
        let text = format!("{answers}{about} in {seconds:.2} s ({rate} per second){outcomes}");
        // If stderr is closed, nobody can be told.
        let _ = writeln!(anstream::stderr(), "{text}");
        let unread: u64 = self.unread.values().sum();
        if unread > 0 {
            warn(&format!(
                "{} of {} could not be read ({}); see the errors in the output",
                counted(unread, "line", "lines"),
                self.name,
                listed(&self.unread)
            ));
        }
    }
}

/// `7 allowed, 1,000 disallowed`
fn listed(counts: &BTreeMap<&'static str, u64>) -> String {
    let counts = counts.iter();
    let counts = counts.map(|(name, count)| format!("{} {name}", grouped(*count)));
    counts.collect::<Vec<_>>().join(", ")
}

/// Answers chunks until the input ends or the output is closed.
fn work<W>(
    input: &Mutex<Input>,
    output: &OrderedWriter<Answers, W>,
    mut answer: impl FnMut(&Chunk, PassOn<'_>) -> Answers,
) where
    W: FnMut(Answers) -> io::Result<()>,
{
    let _end = output.end_on_panic();
    let mut chunk = Chunk::default();
    loop {
        let mut held = held(input);
        if !output.is_wanted() || !held.read(&mut chunk) {
            return;
        }
        // Other workers read while this one answers.
        drop(held);
        let answers = answer(&chunk, &mut |part| output.write_part(chunk.number, part));
        if !output.hand_on(chunk.number, answers) {
            return;
        }
    }
}

/// The name of stdout in reports.
const STDOUT: &str = "stdout";

/// Where answers are written.
struct Sink {
    /// The output in reports.
    name: String,
    /// Whether it is a file that people read: it shows no colors.
    is_plain: bool,
    out: SinkFormat,
}

enum SinkFormat {
    Text(Box<dyn Write + Send>),
    #[cfg(feature = "survey")]
    Parquet(Box<crate::table::Writer>),
}

impl Sink {
    fn open(
        output: Option<&FileArg>,
        layout: Option<&Layout>,
        is_human: bool,
        inputs: &[&FileArg],
        profile: Option<&str>,
    ) -> anyhow::Result<Self> {
        let is_parquet = layout.is_some_and(|layout| layout.format == RowFormat::Parquet);
        ensure!(
            !is_parquet || cfg!(feature = "survey"),
            "this abide was built without Parquet; install it with `cargo install abide-cli \
             --features survey`, or use --format csv"
        );
        ensure!(
            !is_parquet || output.is_some() || !io::stdout().is_terminal(),
            "Parquet is not text; use -o FILE, or redirect stdout to a file"
        );
        let file = output.filter(|name| !name.is_stdin());
        let name = file.map_or_else(|| STDOUT.to_owned(), ToString::to_string);
        let out: Box<dyn Write + Send> = match file {
            Some(file) => Box::new(BufWriter::new(create(file, inputs)?)),
            // Without colors if stdout shows none.
            None if is_human => Box::new(anstream::stdout()),
            None => Box::new(BufWriter::new(io::stdout())),
        };
        let is_plain = is_human && file.is_some();
        let _ = profile;
        #[cfg(feature = "survey")]
        if let Some(layout) = layout.filter(|_| is_parquet) {
            let writer = crate::table::Writer::new(out, layout, profile);
            let writer = writer.with_context(|| format!("cannot write to {name}"))?;
            let out = SinkFormat::Parquet(Box::new(writer));
            return Ok(Self {
                name,
                is_plain,
                out,
            });
        }
        let out = SinkFormat::Text(out);
        let mut sink = Self {
            name,
            is_plain,
            out,
        };
        let header = layout.map(Layout::header).unwrap_or_default();
        written_to(sink.write(Out::Text(header)), &sink.name)?;
        Ok(sink)
    }

    fn write(&mut self, out: Out) -> io::Result<()> {
        match (&mut self.out, out) {
            (SinkFormat::Text(file), Out::Text(text)) => {
                let plain = self.is_plain.then(|| strip_bytes(&text).into_vec());
                file.write_all(plain.as_ref().unwrap_or(&text))?;
                file.flush()
            }
            #[cfg(feature = "survey")]
            (SinkFormat::Parquet(writer), Out::Batches(mut batches)) => {
                writer.write(&batches.finish()?)
            }
            #[cfg(feature = "survey")]
            _ => Err(io::Error::other("answers in the format of another output")),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self.out {
            SinkFormat::Text(mut file) => file.flush(),
            #[cfg(feature = "survey")]
            SinkFormat::Parquet(writer) => writer.finish(),
        }
    }
}

/// Creates the output, unless it is one of the inputs.
fn create(name: &FileArg, inputs: &[&FileArg]) -> anyhow::Result<File> {
    let same = |input: &&&FileArg| {
        let path = |name: &FileArg| Path::new(name.as_str()).canonicalize().ok();
        path(name).is_some_and(|output| Some(output) == path(input))
    };
    if let Some(input) = inputs.iter().find(same) {
        anyhow::bail!("--output would replace {input}, which is read; name another file");
    }
    File::create(name).with_context(|| format!("cannot write to {name}"))
}

fn locked(sink: &Mutex<Option<Sink>>) -> MutexGuard<'_, Option<Sink>> {
    sink.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A progress bar on stderr, if that is a terminal and stdout is not the same one.
fn progress(size: Option<u64>, has_file: bool) -> ProgressBar {
    if !io::stderr().is_terminal() || (io::stdout().is_terminal() && !has_file) {
        return ProgressBar::hidden();
    }
    let template = match size {
        Some(_) => "{bar:40} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left",
        None => "{spinner} {bytes}, {bytes_per_sec}",
    };
    progress::bar(size, template)
}

/// Ends a Parquet file on Ctrl-C, with the rows so far, and then the command: such a file is only
/// readable with its end.
#[cfg(feature = "survey")]
fn finish_on_ctrl_c(sink: &Arc<Mutex<Option<Sink>>>) -> anyhow::Result<()> {
    let sink = Arc::clone(sink);
    interrupt::on_ctrl_c(move || {
        if let Some(sink) = locked(&sink).take() {
            let name = sink.name.clone();
            match sink.finish() {
                Ok(()) => warn(&format!("interrupted: {name} has the rows so far")),
                Err(error) => warn(&format!("interrupted: {name} is cut: {error}")),
            }
        }
        // The main thread may wait for input.
        interrupt::end();
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    struct Untouched;

    impl Read for Untouched {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("nobody wants to know");
        }
    }

    #[test]
    fn nothing_is_read_that_nobody_wants() {
        let input = Mutex::new(Input::new(String::new(), Box::new(Untouched), 1 << 10));
        let output = OrderedWriter::new(0, |_: Answers| Err(io::ErrorKind::BrokenPipe.into()));
        assert!(!output.hand_on(0, Answers::new(None, 0)));
        work(&input, &output, |_, _| Answers::new(None, 0));
    }
}
