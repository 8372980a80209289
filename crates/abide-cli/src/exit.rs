//! Exit statuses and complaints.

use abide::explain::visible;
use anyhow::Context;
use std::io::{self, Write};
use std::process::ExitCode;

/// What the shell is told, as grep does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Permitted, or done.
    Done,
    /// Prohibited, or whatever else a question was answered with "no" by.
    Prohibited,
    /// A mistake in the call or in the input, or an I/O error.
    Failed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Done => ExitCode::SUCCESS,
            Exit::Prohibited => ExitCode::from(1),
            Exit::Failed => ExitCode::from(2),
        }
    }
}

/// Makes of a failed write what it is: nothing, where whoever read our output has gone, as in
/// `abide … | head -1`, for then nobody is left to tell; else an error.
pub(crate) fn written(result: io::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write to stdout"),
    }
}

/// Reports a failure on stderr, one line for each line of the message. What the message quotes is made
/// visible where it is put in, line ends included ([`FileArg`](crate::file_arg::FileArg)); what anybody
/// forgot is made visible here.
pub(crate) fn complain(message: &str) {
    let lines = message.lines().map(|line| visible(line.as_bytes()));
    say("error", &lines.collect::<Vec<_>>().join("\nerror: "));
}

/// Warns on stderr; what the message quotes is made visible.
pub(crate) fn warn(message: &str) {
    say("warning", &visible(message.as_bytes()));
}

fn say(kind: &str, message: &str) {
    // Where stderr is gone too, there is no way left to tell.
    let _ = writeln!(anstream::stderr(), "{kind}: {message}");
}
