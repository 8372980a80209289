//! `abide fmt`

use crate::args::FmtArgs;
use crate::exit::{Exit, complain, warn, written};
use crate::file_arg::FileArg;
use crate::replace::replace;
use crate::source::{read_file, read_up_to};
use crate::unified;
use abide::text::Limits;
use abide_lint::layout::{self, Formatted};
use anyhow::Context;
use std::io::{self, Write};

/// Lays every file out. One that cannot be does not keep the others from it.
pub(crate) fn run(args: &FmtArgs) -> Exit {
    let (mut would_change, mut failed) = (false, false);
    for name in &args.files {
        match file(args, name) {
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

/// Lays one file out; whether that changes it.
fn file(args: &FmtArgs, name: &FileArg) -> anyhow::Result<bool> {
    let limit = Limits::FLOOR;
    let shown = name.shown();
    let octets = if name.is_stdin() {
        let read = read_up_to(io::stdin().lock(), 0, limit);
        read.context("cannot read robots.txt from stdin")?
    } else {
        read_file(name, limit, "expected a file, or \"-\" for stdin")?
    };
    let formatted = layout::format(&octets).with_context(|| format!("cannot lay out {shown}"))?;
    if !formatted.is_robots_txt() {
        warn(&format!(
            "{shown} holds no line of a robots.txt; it is left as it is"
        ));
    }
    let changed = *formatted.octets() != *octets;
    match (args.check || args.diff, name.is_stdin()) {
        (true, _) => written(tell(args, name, &octets, &formatted))?,
        (false, true) => written(put(formatted.octets()))?,
        (false, _) if changed => replace(name, formatted.octets())
            .with_context(|| format!("cannot rewrite {shown}; it is as it was"))?,
        (false, _) => {}
    }
    Ok(changed)
}

/// Says what would change.
fn tell(args: &FmtArgs, name: &FileArg, octets: &[u8], formatted: &Formatted) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    if args.diff {
        unified::write(
            &mut out,
            &FileArg::from(name.shown()),
            octets,
            formatted.octets(),
        )?;
    } else if formatted.octets() != octets {
        writeln!(out, "{}", name.shown())?;
    }
    out.flush()
}

fn put(octets: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(octets)?;
    out.flush()
}
