//! Reads many URLs one by one, and reports counts.

use super::view::{cut, folded};
use crate::exit::warn;
use crate::file_arg::FileArg;
use crate::lines::{self, Line};
use crate::source::Source;
use abide::explain::visible;
use abide_lint::view::words::{self, shown_url};
use abide_lint::view::{FileView, Tally};
use anyhow::Context;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

/// The longest URL that is read, in bytes. At most one is kept per rule.
const LONGEST: usize = 8 << 10;
/// The largest number of invalid URLs reported individually.
const TOLD: u64 = 20;
/// The largest number of unused rules shown without `--all`.
const UNHIT: usize = 20;

/// Calls `each` with every URL in a file or stdin. Reports invalid URLs with their lines, and
/// returns their number.
pub(super) fn stream(
    name: &FileArg,
    mut each: impl FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let mut input = open(name)?;
    let mut unread = 0;
    let mut bytes = Vec::new();
    for number in 1_u64.. {
        bytes.clear();
        let line = lines::read(&mut input, LONGEST, &mut bytes);
        let Some(line) = line.with_context(|| format!("cannot read {name}"))? else {
            break;
        };
        let result = match line {
            Line::Blank => Ok(()),
            Line::TooLong => Err(anyhow::anyhow!("the URL is longer than {LONGEST} bytes")),
            Line::Whole => match std::str::from_utf8(&bytes) {
                Ok(url) => each(url.trim()),
                Err(_) => Err(anyhow::anyhow!(
                    "the URL {} is not UTF-8; write its bytes as %XX",
                    visible(bytes.trim_ascii())
                )),
            },
        };
        if let Err(error) = result {
            unread += 1;
            if unread <= TOLD {
                warn(&format!("{}, line {number}: {error:#}", name.shown()));
            }
        }
    }
    if let Some(more @ 1..) = unread.checked_sub(TOLD) {
        warn(&format!(
            "{}: and {more} more URLs that cannot be read",
            name.shown()
        ));
    }
    Ok(unread)
}

fn open(name: &FileArg) -> anyhow::Result<Box<dyn BufRead>> {
    if name.is_stdin() {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let hint = || format!("cannot read {name}; --urls takes a file of URLs, or \"-\" for stdin");
    let file = File::open(name).with_context(hint)?;
    let is_folder = file.metadata().is_ok_and(|about| about.is_dir());
    anyhow::ensure!(!is_folder, "cannot read {name}: it is a directory");
    Ok(Box::new(BufReader::new(file)))
}

/// Writes the counts: how many URLs each rule decided, and which rules matched none.
pub(super) fn write(
    reading: &FileView<'_>,
    tally: &Tally,
    source: &Source,
    all: bool,
) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let agent = visible(reading.agent().as_bytes());
    writeln!(out, "{source} as {agent} reads it\n")?;
    for line in folded(&words::groups(reading), 80) {
        writeln!(out, "{line}")?;
    }
    let outcomes: Vec<_> = tally
        .crawl
        .iter()
        .map(|(outcome, count)| format!("{count} {outcome}"))
        .collect();
    let pages = match tally.pages {
        1 => "1 URL".to_owned(),
        several => format!("{several} URLs"),
    };
    writeln!(out, "{pages}; crawl: {}\n", outcomes.join(", "))?;
    let texts: HashMap<u32, String> = reading
        .lines()
        .map(|line| (line.number, visible(line.bytes.trim_ascii())))
        .collect();
    hits(&mut out, tally, &texts)?;
    writeln!(out, "\n{:>8} that no rule spoke about", tally.unspoken)?;
    if let Some(witness) = &tally.unspoken_witness {
        witness_row(&mut out, witness)?;
    }
    unhit(&mut out, &tally.without_hits(reading), &texts, all)?;
    out.flush()
}

fn witness_row(out: &mut impl Write, url: &str) -> io::Result<()> {
    writeln!(
        out,
        "{:24}{}",
        "",
        cut(&format!("such as {}", shown_url(url)), 56)
    )
}

/// Writes the lines that matched, those that decided most first.
fn hits(out: &mut impl Write, tally: &Tally, texts: &HashMap<u32, String>) -> io::Result<()> {
    let mut rows: Vec<_> = tally.lines.iter().collect();
    rows.sort_by_key(|(line, hits)| (std::cmp::Reverse(hits.decided), **line));
    writeln!(out, "{:>8}{:>8}{:>6}", "decided", "lost", "line")?;
    for (line, hits) in rows {
        let text = texts.get(line).map_or("", String::as_str);
        let (decided, lost) = (hits.decided, hits.lost);
        writeln!(out, "{decided:>8}{lost:>8}{line:>6}  {}", cut(text, 56))?;
        witness_row(out, &hits.witness)?;
    }
    Ok(())
}

/// Writes the rules that matched no URL.
fn unhit(
    out: &mut impl Write,
    unhit: &[u32],
    texts: &HashMap<u32, String>,
    all: bool,
) -> io::Result<()> {
    if unhit.is_empty() {
        return writeln!(out, "\nEvery rule that counts was hit.");
    }
    let rules = if unhit.len() == 1 { "rule" } else { "rules" };
    writeln!(out, "\n{:>8} {rules} that no URL hit", unhit.len())?;
    let most = if all { usize::MAX } else { UNHIT };
    for line in unhit.iter().take(most) {
        let text = texts.get(line).map_or("", String::as_str);
        writeln!(out, "{line:>22}  {}", cut(text, 56))?;
    }
    if let Some(more @ 1..) = unhit.len().checked_sub(most) {
        writeln!(out, "{:24}and {more} more (--all shows them)", "")?;
    }
    Ok(())
}
