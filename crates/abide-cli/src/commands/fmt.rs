//! `abide fmt`

use crate::args::FmtArgs;
use crate::exit::{Exit, complain, put, warn, written};
use crate::file_arg::FileArg;
use crate::replace::replace;
use crate::robots_files;
use crate::source::{read_file, read_up_to};
use crate::unified_diff;
use abide::Limits;
use abide_lint::format::{self, FormattedFile};
use anyhow::Context;
use std::io::{self, Write};

/// Formats every file. A file that fails does not stop the others.
pub(crate) fn run(args: &FmtArgs) -> Exit {
    let (mut would_change, mut failed) = (false, false);
    for name in robots_files::named(&args.files) {
        match name.and_then(|name| file(args, &name)) {
            Ok(changed) => would_change |= changed && (args.check || args.diff),
            Err(error) => {
                complain(&format!("{error:#}"));
                failed = true;
            }
        }
    }
    match (failed, would_change) {
        (true, _) => Exit::Failed,
        (false, true) => Exit::Prohibited,
        (false, false) => Exit::Done,
    }
}

/// Formats one file; returns whether that changes it.
fn file(args: &FmtArgs, name: &FileArg) -> anyhow::Result<bool> {
    let limit = Limits::FLOOR;
    let shown = name.shown();
    let bytes = if name.is_stdin() {
        let read = read_up_to(io::stdin().lock(), 0, limit);
        read.context("cannot read robots.txt from stdin")?
    } else {
        read_file(name, limit, "expected a file, or \"-\" for stdin")?
    };
    robots_files::ensure_content(&shown, &bytes)?;
    let formatted = format::format(&bytes).with_context(|| format!("cannot format {shown}"))?;
    if !formatted.is_robots_txt() {
        warn(&format!(
            "{shown} has no robots.txt field; the file is unchanged"
        ));
    }
    let changed = *formatted.as_bytes() != *bytes;
    match (args.check || args.diff, name.is_stdin()) {
        (true, _) => written(tell(args, name, &bytes, &formatted))?,
        (false, true) => written(put(formatted.as_bytes()))?,
        (false, _) if changed => replace(name, formatted.as_bytes())
            .with_context(|| format!("cannot rewrite {shown}; the file is unchanged"))?,
        (false, _) => {}
    }
    Ok(changed)
}

/// Shows what would change.
fn tell(args: &FmtArgs, name: &FileArg, bytes: &[u8], formatted: &FormattedFile) -> io::Result<()> {
    if args.diff {
        let name = FileArg::from(name.shown());
        return unified_diff::to_stdout(&name, bytes, formatted.as_bytes());
    }
    let mut out = anstream::stdout().lock();
    if formatted.as_bytes() != bytes {
        writeln!(out, "{}", name.shown())?;
    }
    out.flush()
}
