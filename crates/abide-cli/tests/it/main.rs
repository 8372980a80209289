//! Tests of the command as a person or a script uses it: a real process, real files, a real server.

#![allow(
    missing_docs,
    clippy::format_collect,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

mod acap;
mod bad_input;
mod batch;
mod cache;
mod check;
mod config;
mod conformance;
mod convert;
mod corpus;
mod diff;
mod docs;
mod expectations;
mod explain;
mod fetch;
mod fetch_script;
mod files;
mod first_use;
mod fmt;
mod hardening;
mod help;
mod init;
mod integration;
mod last_release;
mod lint;
mod lint_ci;
mod many;
mod matrix;
mod owners;
mod paced;
mod preferences;
mod report;
mod robots;
mod serve;
#[cfg(all(feature = "serve", unix))]
mod serve_tools;
mod site_owners;
mod sitemaps;
mod survey;
mod tidy;
mod vectors;

use std::io::Write;
use std::process::{Command, Stdio};

/// The result of running the command.
#[derive(Debug)]
struct Ran {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Ran {
    /// The whole result as one text for snapshots, with a machine-independent name for the example
    /// file.
    fn told(&self) -> String {
        let stderr = if self.stderr.is_empty() {
            String::new()
        } else {
            format!("--- stderr\n{}", self.stderr)
        };
        let (stdout, status) = (&self.stdout, self.status);
        format!("{stdout}{stderr}--- status {status}").replace(EXAMPLE, "robots.txt")
    }
}

/// Runs `abide` with these arguments and this standard input.
fn abide(args: &[&str], stdin: &[u8]) -> Ran {
    abide_in(std::path::Path::new("."), args, stdin)
}

/// Runs `abide` in a folder.
fn abide_in(folder: &std::path::Path, args: &[&str], stdin: &[u8]) -> Ran {
    ran(
        Command::new(env!("CARGO_BIN_EXE_abide")).current_dir(folder),
        args,
        stdin,
    )
}

/// Runs `abide` with these variables in its environment.
fn abide_with(variables: &[(&str, &str)], args: &[&str], stdin: &[u8]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_abide"));
    ran(command.envs(variables.iter().copied()), args, stdin)
}

fn ran(command: &mut Command, args: &[&str], stdin: &[u8]) -> Ran {
    let mut child = command
        .args(args)
        .env_remove("NO_COLOR")
        .env("RUST_BACKTRACE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let stdin = stdin.to_vec();
    // The command may end before it has read all input.
    let writer = std::thread::spawn(move || drop(input.write_all(&stdin)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let ran = Ran {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    assert!(
        !ran.stderr.contains("panicked") && !ran.stderr.contains("backtrace"),
        "{}",
        ran.stderr
    );
    ran
}

/// The file that the README uses.
const EXAMPLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/examples/robots.txt"
);
