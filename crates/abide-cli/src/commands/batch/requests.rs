//! Requests as JSON Lines.

use super::{exit, layout};
use crate::args::BatchArgs;
use crate::bulk::{Answers, Bulk, Out, open};
use crate::chunks::{Chunk, Input};
use crate::exit::Exit;
use crate::lines::Line;
use crate::table::{Brief, Layout, Problem, Row};
use abide::Usage;
use abide_json::{AnswerOptions, RequestError, answer_with};
use serde_json::Value;

/// Longest request, in bytes. A request may carry a robots.txt and two versions of a page.
const LONGEST: usize = 32 << 20;

pub(super) fn run(args: &BatchArgs) -> anyhow::Result<Exit> {
    let hint = "batch takes a file of requests, or \"-\" for stdin";
    let (input, size) = open(&args.file, hint)?;
    let layout = layout(args, true, 0)?;
    let mut bulk = Bulk::new(
        &args.file,
        size,
        layout.as_ref(),
        &args.table,
        &[&args.file],
        None,
        args.quiet,
    )?;
    let worker = || |chunk: &Chunk| answer(chunk, layout.as_ref(), args.slim);
    bulk.run(Input::new(input, LONGEST), args.table.jobs, worker)?;
    Ok(exit(&bulk))
}

fn answer(chunk: &Chunk, layout: Option<&Layout>, is_slim: bool) -> Answers {
    let mut answers = Answers::new(layout);
    let mut own = Vec::new();
    for (number, line, request) in chunk.lines() {
        let lines = match (&mut answers.out, layout) {
            (Out::Text(text), None) => text,
            _ => &mut own,
        };
        let error = match line {
            Line::Blank => continue,
            Line::TooLong => {
                let error = RequestError::TooLong { limit: LONGEST };
                error.write_at(lines, number);
                Some(error)
            }
            Line::Whole => {
                answers.bytes += request.len() as u64;
                let options = AnswerOptions {
                    is_slim,
                    input_line: Some(number),
                };
                answer_with(lines, request, options)
            }
        };
        lines.push(b'\n');
        let problem = error.map(|error| Problem {
            code: error.code(),
            message: error.to_string(),
        });
        answers.counts.answers += u64::from(problem.is_none());
        if let Some(layout) = layout {
            row(layout, number, &own, problem.as_ref(), &mut answers.out);
            own.clear();
        }
        answers
            .unread
            .extend(problem.map(|problem| (number, problem)));
    }
    answers
}

/// Adds the row of a request whose answer is the JSON `line`.
fn row(layout: &Layout, number: u64, line: &[u8], problem: Option<&Problem>, out: &mut Out) {
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
        said: problem.map_or(Ok(&brief), Err),
        whole: Some(&answer),
    };
    out.push(layout, &row);
}
