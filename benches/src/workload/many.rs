//! W12: `abide check --urls` to CSV, beside copying the URLs line by line.

use super::command::{built, scratch};
use super::{Goal, Row, Setting, short, time};
use crate::clock::{ToF64, median, timed};
use anyhow::Context;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// A file of 100 rules: of ten, seven prefixes, two with `*`, and an Allow below one of them.
#[must_use]
pub fn robots() -> String {
    let mut text = "User-agent: *\n".to_owned();
    for at in 0..100 {
        let _ = match at % 10 {
            3 => writeln!(text, "Disallow: /*/print-{at}/"),
            6 => writeln!(text, "Disallow: /*.ext{at}$"),
            9 => writeln!(text, "Allow: /section-{}/public/", at - 1),
            _ => writeln!(text, "Disallow: /section-{at}/"),
        };
    }
    text
}

/// URLs, most of them about 60 bytes long. A third matches a rule.
#[must_use]
pub fn urls(count: usize) -> String {
    let mut text = String::new();
    for at in 0..count {
        let section = at % 300;
        let page = at * 7919 % 1_000_003;
        let _ = match at % 7 {
            0 => writeln!(
                text,
                "https://www.example.com/section-{section}/public/{page}.html"
            ),
            1 => writeln!(
                text,
                "https://www.example.com/a/print-{section}/item?id={page}"
            ),
            2 => writeln!(
                text,
                "https://www.example.com/files/{page}/report.ext{section}"
            ),
            _ => writeln!(
                text,
                "https://www.example.com/section-{section}/article-{page}?page=2"
            ),
        };
    }
    text
}

/// The CPU time of a child, in nanoseconds: other work on the machine does not count. Linux counts
/// it in hundredths of a second.
fn of_child(run: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<f64> {
    const TICK: f64 = 1e7;
    let spent = || -> anyhow::Result<f64> {
        let stat = std::fs::read_to_string("/proc/self/stat")?;
        let fields = stat.rsplit_once(") ").context("no /proc/self/stat")?.1;
        // cutime and cstime, by proc_pid_stat(5).
        let mut fields = fields.split(' ').skip(13);
        let mut next = || fields.next().and_then(|field| field.parse::<f64>().ok());
        let (user, system) = (next(), next());
        let both = user.zip(system).map(|(user, system)| user + system);
        both.context("no times of children")
    };
    let before = spent()?;
    run()?;
    Ok((spent()? - before) * TICK)
}

fn check(abide: &Path, robots: &Path, urls: &Path) -> anyhow::Result<()> {
    Command::new(abide)
        .args([
            "check",
            "--agent",
            "ExampleBot",
            "--format",
            "csv",
            "--quiet",
            "--jobs",
            "1",
        ])
        .arg("--robots")
        .arg(robots)
        .arg("--urls")
        .arg(urls)
        .stdout(Stdio::null())
        .status()?;
    Ok(())
}

/// Reads line by line and writes to nowhere, in the pieces of the command.
fn copy(urls: &Path) -> anyhow::Result<()> {
    const PIECE: usize = 128 << 10;
    let mut input = BufReader::with_capacity(PIECE, File::open(urls)?);
    let mut output = File::create("/dev/null")?;
    let mut piece = Vec::with_capacity(PIECE);
    while input.read_until(b'\n', &mut piece)? > 0 {
        if piece.len() >= PIECE {
            output.write_all(&piece)?;
            piece.clear();
        }
    }
    output.write_all(&piece)?;
    Ok(())
}

/// The rows of W12.
pub fn rows(setting: &Setting) -> anyhow::Result<Vec<Row>> {
    let abide = built()?;
    let folder = scratch()?;
    let (rules, list) = (folder.join("rules.txt"), folder.join("urls.txt"));
    let count = if setting.is_quick {
        1_000_000
    } else {
        3_000_000
    };
    std::fs::write(&rules, robots())?;
    std::fs::write(&list, urls(count))?;
    let (mut answered, mut copied) = (Vec::new(), Vec::new());
    for _ in 0..setting.effort.rounds.min(7) {
        answered.push(of_child(|| check(&abide, &rules, &list))? / count.to_f64());
        let (spent, done) = timed(|| copy(&list));
        done?;
        copied.push(spent.to_f64() / count.to_f64());
    }
    std::fs::remove_file(&list)?;
    let (answered, copied) = (median(answered), median(copied));
    let rate = 1e3 / answered;
    let what = "a URL of a list, 100 rules, CPU time";
    Ok(vec![
        Row::new("W12", what, "copied line by line", time(copied)),
        Row::new("W12", what, "`abide check --urls`, CSV", time(answered))
            .ratio(answered / copied)
            .goal(rate, Goal::AtLeast(3.0), " million/s")
            .note(format!("{} million rows a second and core", short(rate))),
    ])
}
