//! W9: the command, from its start to its end, on a file of 850 kB.

use super::{Goal, Row, Setting, time};
use crate::clock::{ToF64, median, timed};
use crate::corpus::repository;
use crate::generated;
use crate::peer::client;
use anyhow::Context;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const URL: &str = "https://www.example.com/news/tag-512/page.html";

/// Builds the `abide` command and says where it is.
pub fn built() -> anyhow::Result<PathBuf> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args([
            "build",
            "--release",
            "-q",
            "-p",
            "abide-cli",
            "--message-format=json",
        ])
        .arg("--manifest-path")
        .arg(repository().join("Cargo.toml"))
        .stderr(Stdio::inherit())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    messages
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .find(|path| path.file_stem().is_some_and(|name| name == "abide"))
        .context("cargo built no `abide`")
}

/// A folder of our own for inputs.
pub fn scratch() -> anyhow::Result<PathBuf> {
    let folder = repository().join("benches/target/inputs");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// 850 kB, of which 500 KiB are read.
#[must_use]
pub fn file() -> Vec<u8> {
    let mut bytes = generated::prefixes(15_000);
    let more = generated::wildcards(18_000);
    bytes.extend_from_slice(&more);
    bytes.truncate(850_000);
    bytes
}

/// What `abide` is asked about the file at `path`.
#[must_use]
pub fn arguments(path: &str) -> [&str; 6] {
    ["check", "--robots", path, "--agent", "Googlebot", URL]
}

/// Wall time of a run, in nanoseconds.
pub fn wall(command: &Path, arguments: &[&str]) -> anyhow::Result<f64> {
    let start = Instant::now();
    Command::new(command)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .with_context(|| format!("cannot run {}", command.display()))?;
    Ok(start.elapsed().as_secs_f64() * 1e9)
}

/// The rows of W9.
pub fn rows(setting: &Setting) -> anyhow::Result<Vec<Row>> {
    let abide = built()?;
    let bytes = file();
    let path = scratch()?.join("large-robots.txt");
    std::fs::write(&path, &bytes)?;
    let path = path.to_string_lossy().into_owned();
    let runs = if setting.is_quick { 20 } else { 200 };
    let (mut trivial, mut whole, mut work) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..runs {
        trivial.push(wall(Path::new("/bin/true"), &[])?);
        whole.push(wall(&abide, &arguments(&path))?);
        work.push(timed(|| abide::allows(&bytes, client(), URL)).0.to_f64());
    }
    let (trivial, whole, work) = (median(trivial), median(whole), median(work));
    let what = format!("command, start to end, {} bytes", bytes.len());
    let row = |who: &str, nanoseconds| Row::new("W9", &what, who, time(nanoseconds));
    Ok(vec![
        row("`abide check`, wall", whole).goal(whole / 1e6, Goal::AtMost(3.0), " ms"),
        row("`/bin/true`, wall", trivial),
        row("one cold decision by the library", work),
    ])
}
