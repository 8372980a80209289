//! Exit statuses, errors and warnings.

use abide::explain::visible;
use abide::verdict::Reason;
use abide::{Outcome, Usage, UsageDecision};
use anyhow::Context;
use std::fmt;
use std::io::{self, Write};

/// The exit status; the numbers mean what they mean for grep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Allowed, or done.
    Done,
    /// Disallowed, or another answer that means "no".
    Prohibited,
    /// A mistake in the arguments or the input, or an I/O error.
    Failed,
    /// It could not be found out.
    Unknown,
    /// Ctrl-C ended it; the number is what shells expect.
    #[cfg(feature = "survey")]
    Interrupted,
}

/// Something that could not be found out, such as the robots.txt of a site that does not answer:
/// the command ends with [`Exit::Unknown`].
#[derive(Debug)]
pub(crate) struct UnknownError(pub(crate) String);

impl fmt::Display for UnknownError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnknownError {}

impl Exit {
    /// How a command ends with this error.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        if error.downcast_ref::<UnknownError>().is_some() {
            Self::Unknown
        } else {
            Self::Failed
        }
    }

    /// The exit status.
    pub(crate) const fn status(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Prohibited => 1,
            Self::Failed => 2,
            Self::Unknown => 3,
            #[cfg(feature = "survey")]
            Self::Interrupted => 130,
        }
    }
}

/// How an answer counts for the exit status, the worst last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExitRank {
    /// Allowed, or nothing is said.
    #[default]
    Fine,
    /// It could not be found out.
    Unknown,
    /// Disallowed.
    Disallowed,
}

impl ExitRank {
    pub(crate) fn of(decision: &UsageDecision<'_>) -> Self {
        let is_fine = match decision.usage {
            Usage::Crawl => decision.outcome == Outcome::Permitted,
            _ => !matches!(decision.outcome, Outcome::Prohibited | Outcome::Unknown),
        };
        match (is_fine, is_unknown(decision)) {
            (true, _) => Self::Fine,
            (false, true) => Self::Unknown,
            (false, false) => Self::Disallowed,
        }
    }

    /// The exit status of these answers.
    pub(crate) const fn exit(self) -> Exit {
        match self {
            Self::Fine => Exit::Done,
            Self::Unknown => Exit::Unknown,
            Self::Disallowed => Exit::Prohibited,
        }
    }
}

/// Whether the outcome is only due to something that could not be fetched.
fn is_unknown(decision: &UsageDecision<'_>) -> bool {
    let decided = decision.evidence.first().map(|decided| decided.reason);
    decision.outcome == Outcome::Unknown
        || matches!(
            decided,
            Some(Reason::Unreachable | Reason::ReferenceUnreachable)
        )
}

/// Turns a failed write into an error, unless the reader of our output has gone, as in `abide … |
/// head -1`.
pub(crate) fn written(result: io::Result<()>) -> anyhow::Result<()> {
    written_to(result, "stdout")
}

/// Turns a failed write to the output `name` into an error, unless its reader has gone.
pub(crate) fn written_to(result: io::Result<()>, name: &str) -> anyhow::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.with_context(|| format!("cannot write to {name}")),
    }
}

/// Writes all of this to stdout.
pub(crate) fn put(bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes.as_ref())?;
    out.flush()
}

/// Reports an error on stderr, line by line. Foreign text was made safe to print where it was
/// inserted, line ends included ([`FileArg`](crate::file_arg::FileArg)); anything that was
/// forgotten is made safe here.
pub(crate) fn complain(message: &str) {
    let lines = message.lines().map(|line| visible(line.as_bytes()));
    say("error", &lines.collect::<Vec<_>>().join("\nerror: "));
}

/// Warns on stderr; the message is made safe to print.
pub(crate) fn warn(message: &str) {
    say("warning", &visible(message.as_bytes()));
}

/// Says something on stderr; the message is made safe to print.
pub(crate) fn note(message: &str) {
    let _ = writeln!(anstream::stderr(), "{}", visible(message.as_bytes()));
}

fn say(kind: &str, message: &str) {
    // If stderr is closed too, nobody can be told.
    let _ = writeln!(anstream::stderr(), "{kind}: {message}");
}
