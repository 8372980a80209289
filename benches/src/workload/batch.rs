//! W10: `abide batch` on one core and on all, and how much of it is JSON.

use super::command::{built, scratch};
use super::{Goal, Row, Setting, short, time};
use crate::clock::{ToF64, median, timed};
use crate::contest::Effort;
use crate::peer::{AGENT, client};
use crate::urls;
use abide::{Policy, Target};
use serde_json::json;
use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// A request with what it is about, for doing the same without JSON.
#[derive(Clone, Debug)]
pub struct Request {
    /// The line of input.
    pub line: String,
    /// The body that it carries.
    pub robots: String,
    /// The URL that it asks about.
    pub url: String,
}

/// One request for each file, with its body as text.
#[must_use]
pub fn requests(setting: &Setting) -> Vec<Request> {
    let request = |(name, bytes): &(String, Vec<u8>)| {
        let robots = String::from_utf8_lossy(bytes).into_owned();
        let url = urls::own(name, bytes, 1).swap_remove(0);
        let line = json!({"id": name, "url": url, "agent": AGENT, "robots": robots}).to_string();
        Request { line, robots, url }
    };
    setting.corpus.files.iter().map(request).collect()
}

/// Answers everything as a worker of `abide batch` does, which hands on its lines when it has
/// answered a chunk.
pub fn with_json(requests: &[Request]) {
    const CHUNK: usize = 128 << 10;
    let mut lines = Vec::new();
    let mut read = 0;
    for request in requests {
        black_box(abide_contract::answer_to(
            &mut lines,
            request.line.as_bytes(),
        ));
        lines.push(b'\n');
        read += request.line.len();
        if read >= CHUNK {
            read = 0;
            black_box(std::mem::take(&mut lines));
        }
    }
    black_box(lines);
}

/// The engine's part of it: compiling, deciding, and the findings about the file, which every
/// answer carries.
pub fn without_json(requests: &[Request]) {
    for request in requests {
        let policy = Policy::compile(request.robots.as_bytes(), client());
        if let Ok(target) = Target::new(&request.url) {
            black_box(policy.decide(&target));
        }
        black_box(policy.diagnostics());
    }
}

fn wall(abide: &Path, input: &Path, one_core: bool) -> anyhow::Result<f64> {
    let mut command = if one_core {
        let mut command = Command::new("taskset");
        command.args(["-c", "0"]).arg(abide);
        command
    } else {
        Command::new(abide)
    };
    let start = Instant::now();
    command
        .arg("batch")
        .arg(input)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(start.elapsed().as_secs_f64() * 1e9)
}

/// The rows of W10.
pub fn rows(setting: &Setting) -> anyhow::Result<Vec<Row>> {
    let requests = requests(setting);
    let mut rows = share(&requests, setting.effort);
    let abide = built()?;
    let input = scratch()?.join("requests.jsonl");
    // Enough requests that starting is nothing beside them.
    let copies = if setting.is_quick { 1 } else { 20 };
    let mut text = String::new();
    for request in &requests {
        let _ = writeln!(text, "{}", request.line);
    }
    std::fs::write(&input, text.repeat(copies))?;
    let asked = (requests.len() * copies).to_f64();
    let (mut one, mut all) = (Vec::new(), Vec::new());
    for _ in 0..setting.effort.rounds.min(9) {
        one.push(wall(&abide, &input, true)?);
        all.push(wall(&abide, &input, false)?);
    }
    std::fs::remove_file(&input)?;
    let (one, all) = (median(one), median(all));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let figure = |wall: f64| format!("{} requests/s", short(asked / wall * 1e9));
    let what = "`abide batch`, wall";
    rows.push(Row::new("W10", what, "one core", figure(one)));
    rows.push(
        Row::new("W10", what, &format!("{cores} cores"), figure(all))
            .ratio(one / all)
            .goal(one / all, Goal::AtLeast(1.8), " ×")
            .note("other work on the machine counts here"),
    );
    Ok(rows)
}

/// How much of an answer is not the engine's work: reading the request and writing the decision.
fn share(requests: &[Request], effort: Effort) -> Vec<Row> {
    let (mut whole, mut engine) = (Vec::new(), Vec::new());
    let count = requests.len().to_f64();
    for _ in 0..effort.rounds.min(7) {
        whole.push(timed(|| with_json(requests)).0.to_f64() / count);
        engine.push(timed(|| without_json(requests)).0.to_f64() / count);
    }
    let (whole, engine) = (median(whole), median(engine));
    let share = 100.0 * (whole - engine) / whole;
    let json = format!("{} %", short(share));
    vec![
        Row::new(
            "W10",
            "a request answered, CPU time",
            "`abide_contract::answer_to`",
            time(whole),
        ),
        Row::new(
            "W10",
            "compiling, deciding and findings alone",
            "abide",
            time(engine),
        ),
        Row::new("W10", "share of JSON in an answer", "`abide_contract`", json)
            .goal(share, Goal::AtMost(50.0), " %")
            .note("what is left of an answer: the request read, the client and target made, the decision written"),
    ]
}
