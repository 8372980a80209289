//! Requests as JSON Lines.

use super::{exit, layout};
use crate::args::BatchArgs;
use crate::bulk::{Answers, Bulk, Out, PassOn};
use crate::chunks::{Chunk, Input};
use crate::exit::Exit;
use crate::lines::{self, Line};
use crate::table::{Brief, Layout, Problem, Row, RowFormat};
use abide::Usage;
use abide_contract::{AnswerOptions, RequestError, write_answer};
use serde_json::Value;
use std::io::{self, Write};
use std::mem;

/// Longest request, in bytes. A request may carry a robots.txt and two versions of a page.
const MAX_REQUEST_BYTES: usize = 32 << 20;

/// The number of bytes of a chunk's answers that wait in memory. The worker passes on what exceeds
/// it: an answer can be a hundred times as long as its request.
const MAX_WAITING_BYTES: usize = 1 << 20;

pub(super) fn run(args: &BatchArgs) -> anyhow::Result<Exit> {
    let hint = "batch takes a file of requests, or \"-\" for stdin";
    let (lines, size) = lines::open(&args.file, hint)?;
    let mut input = Input::new(args.file.shown(), lines, MAX_REQUEST_BYTES);
    input.size = size;
    let layout = layout(args, true, 0)?;
    let mut bulk = Bulk::new(
        &input,
        layout.as_ref(),
        args.format() == RowFormat::Human,
        &args.table,
        &[&args.file],
        None,
        args.quiet,
    )?;
    let worker = || {
        |chunk: &Chunk, pass_on: PassOn<'_>| match &layout {
            Some(layout) => rows(chunk, layout),
            None => objects(chunk, args.slim, pass_on),
        }
    };
    bulk.run(input, args.table.jobs, worker)?;
    Ok(exit(&bulk))
}

/// The answers to a chunk, one object per line.
fn objects(chunk: &Chunk, is_slim: bool, pass_on: PassOn<'_>) -> Answers {
    let mut out = Objects {
        text: Vec::new(),
        pass_on,
    };
    let mut answers = Answers::new(None, 0);
    for (number, line, request) in requests(chunk) {
        let written = write_object(&mut out, number, line, request, is_slim);
        let Ok(error) = written.and_then(|error| out.write_all(b"\n").map(|()| error)) else {
            // Nobody wants more answers.
            break;
        };
        count(&mut answers, number, request, error);
    }
    answers.out = Out::Text(out.text);
    answers
}

/// The answers to a chunk, one row per line.
fn rows(chunk: &Chunk, layout: &Layout) -> Answers {
    let mut answers = Answers::new(Some(layout), 0);
    let mut object = Vec::new();
    for (number, line, request) in requests(chunk) {
        object.clear();
        let error = write_object(&mut object, number, line, request, false)
            .expect("memory takes all that is written");
        let problem = error.as_ref().map(problem);
        row(layout, number, &object, problem.as_ref(), &mut answers);
        count(&mut answers, number, request, error);
    }
    answers
}

/// The lines of a chunk that are not blank.
fn requests(chunk: &Chunk) -> impl Iterator<Item = (u64, Line, &[u8])> {
    let lines = chunk.lines();
    lines.filter(|(_, line, _)| !matches!(line, Line::Blank))
}

/// Writes the answer to line `number`, without a line end.
fn write_object(
    out: impl Write,
    number: u64,
    line: Line,
    request: &[u8],
    is_slim: bool,
) -> io::Result<Option<RequestError>> {
    if matches!(line, Line::TooLong) {
        let error = RequestError::too_long(MAX_REQUEST_BYTES);
        return error.write_at(out, number).map(|()| Some(error));
    }
    let options = AnswerOptions {
        is_slim,
        input_line: Some(number),
    };
    write_answer(out, request, options)
}

/// Counts the answer to line `number`, or keeps its error for the report.
fn count(answers: &mut Answers, number: u64, request: &[u8], error: Option<RequestError>) {
    answers.bytes += request.len() as u64;
    match error {
        None => answers.counts.answers += 1,
        Some(error) => answers.unread.push((number, problem(&error))),
    }
}

fn problem(error: &RequestError) -> Problem {
    let hint = if error.is_bare_url() {
        "; for bare URLs give --robots and --agent"
    } else {
        ""
    };
    Problem {
        code: error.code(),
        message: format!("{error}{hint}"),
    }
}

/// The objects of a chunk, of which long ones are passed on in parts.
struct Objects<'p> {
    text: Vec<u8>,
    pass_on: PassOn<'p>,
}

impl Write for Objects<'_> {
    /// Fails if nobody wants more answers.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        if self.text.len() >= MAX_WAITING_BYTES {
            let mut part = Answers::new(None, 0);
            part.out = Out::Text(mem::take(&mut self.text));
            if !(self.pass_on)(part) {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Adds the row of a request whose answer is the JSON `line`.
fn row(
    layout: &Layout,
    number: u64,
    line: &[u8],
    problem: Option<&Problem>,
    answers: &mut Answers,
) {
    let answer: Value = serde_json::from_slice(line).expect("an answer is JSON");
    let names = |agent: &Value| match agent {
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str);
            names.collect::<Vec<_>>().join(">")
        }
        name => name.as_str().unwrap_or_default().to_owned(),
    };
    let robot = names(&answer["agent"]);
    let brief = Brief::of_json(&answer);
    let row = Row {
        input_line: number,
        url: answer["url"].as_str().unwrap_or_default(),
        robot: &robot,
        usage: Usage::Crawl.name(),
        answer: problem.map_or(Ok(&brief), Err),
        whole: Some(&answer),
    };
    answers.counts.note(brief.foreign);
    answers.out.push(layout, &row);
}
