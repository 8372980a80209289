//! Reads many URLs one by one, and reports counts.

use super::{asked_by, verb};
use crate::chunks::Chunk;
use crate::exit::warn;
use crate::file_arg::FileArg;
use crate::lines::Line;
use crate::source::Source;
use crate::url_list;
use crate::width::{cut, heading, paragraph};
use abide::Outcome;
use abide::explain::{counted, visible};
use abide_analysis::view::sentences;
use abide_analysis::view::{FileView, Tally};
use abide_analysis::words::shown_url;
use abide_known_robots::Robot;
use std::collections::{BTreeSet, HashMap};
use std::io::{self, Write};

/// The longest URL that is read, in bytes. At most one is kept per rule.
const MAX_URL_BYTES: usize = 8 << 10;
/// The largest number of invalid URLs reported individually.
const MAX_INVALID_URLS: u64 = 20;
/// The largest number of unused rules shown without `--all`.
const MAX_UNMATCHED_RULES: usize = 20;
/// The column in which rules begin.
const INDENT: usize = 28;

/// Calls `each` with every URL in a file or stdin. Reports invalid URLs with their lines, and
/// returns their number.
pub(super) fn stream(
    name: &FileArg,
    mut each: impl FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let hint = "--urls takes a file of URLs, a sitemap, or \"-\" for stdin";
    let mut input = url_list::open(name, hint, MAX_URL_BYTES)?;
    let mut unread = 0;
    let mut chunk = Chunk::default();
    while input.read(&mut chunk) {
        for (number, line, bytes) in chunk.lines() {
            let result = match line {
                Line::Blank => Ok(()),
                Line::TooLong => Err(anyhow::anyhow!(
                    "the URL is longer than {MAX_URL_BYTES} bytes"
                )),
                Line::Whole => match std::str::from_utf8(bytes) {
                    Ok(url) => each(url.trim()),
                    Err(_) => Err(anyhow::anyhow!(
                        "the URL {} is not UTF-8; write its bytes as %XX",
                        visible(bytes.trim_ascii())
                    )),
                },
            };
            if let Err(error) = result {
                unread += 1;
                if unread <= MAX_INVALID_URLS {
                    warn(&format!("{}, line {number}: {error:#}", name.shown()));
                }
            }
        }
    }
    input.into_result()?;
    if let Some(more @ 1..) = unread.checked_sub(MAX_INVALID_URLS) {
        warn(&format!(
            "{}: and {more} more URLs that cannot be read",
            name.shown()
        ));
    }
    Ok(unread)
}

/// A robot, the file as it reads it, and the counts.
pub(super) struct RobotTally<'c> {
    pub(super) robot: &'c Robot,
    pub(super) view: &'c FileView<'c>,
    pub(super) tally: &'c Tally,
}

/// Writes the counts: for several robots, a table; for one, or with `all`, how many URLs each rule
/// decided, and which rules matched none.
pub(super) fn write(
    counts: &[RobotTally<'_>],
    source: &Source,
    width: usize,
    all: bool,
) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    for count in counts {
        asked_by(&mut out, count.robot)?;
    }
    for count in counts {
        heading(&mut out, &count.verdict(), width)?;
    }
    if let [_, _, ..] = counts
        && !all
    {
        writeln!(out, "\n--all shows the counts of every rule.")?;
        return out.flush();
    }
    for count in counts {
        count.write(&mut out, source, width, all)?;
    }
    out.flush()
}

impl RobotTally<'_> {
    /// `GPTBot may crawl 3 of 5 URLs.` Control tokens never crawl: they *may use*.
    fn verdict(&self) -> String {
        let name = match self.robot.name().as_str() {
            "*" => "Any robot without its own group".to_owned(),
            _ => self.robot.to_string(),
        };
        let allowed = self.tally.crawl.get(Outcome::Permitted.name());
        format!(
            "{name} may {} {} of {}.",
            verb(self.robot),
            allowed.copied().unwrap_or_default(),
            counted(self.tally.pages, "URL")
        )
    }

    fn write(
        &self,
        out: &mut impl Write,
        source: &Source,
        width: usize,
        all: bool,
    ) -> io::Result<()> {
        let (view, tally) = (self.view, self.tally);
        writeln!(out, "\n{source} as {} reads it\n", view.agent())?;
        paragraph(out, &sentences::groups(view), 0, width)?;
        let outcomes: Vec<_> = [
            Outcome::Permitted,
            Outcome::Prohibited,
            Outcome::Conditional,
            Outcome::Unspecified,
            Outcome::Unknown,
        ]
        .into_iter()
        .filter_map(|outcome| {
            let count = tally.crawl.get(outcome.name())?;
            Some(format!("{count} {outcome}"))
        })
        .collect();
        let pages = counted(tally.pages, "URL");
        writeln!(out, "{pages}: {}\n", outcomes.join(", "))?;
        let texts = view.lines().map(|line| {
            let text = visible(line.bytes.trim_ascii());
            (line.number, cut(&text, width.saturating_sub(INDENT)))
        });
        let texts: HashMap<u32, String> = texts.collect();
        hits(out, tally, &texts, width)?;
        let unmatched = counted(tally.unmatched, "URL");
        writeln!(out, "\n{unmatched} matched no rule")?;
        if let Some(witness) = &tally.unmatched_witness {
            let text = format!("such as {}", shown_url(witness));
            writeln!(out, "  {}", cut(&text, width.saturating_sub(2)))?;
        }
        unused(out, &tally.without_hits, &texts, all)
    }
}

/// Writes the lines that matched, those that decided most first.
fn hits(
    out: &mut impl Write,
    tally: &Tally,
    texts: &HashMap<u32, String>,
    width: usize,
) -> io::Result<()> {
    let mut rows: Vec<_> = tally.lines.iter().collect();
    rows.sort_by_key(|(line, hits)| (std::cmp::Reverse(hits.decided), **line));
    writeln!(out, "{:>8}{:>12}{:>6}", "decided", "overridden", "line")?;
    for (line, hits) in rows {
        let text = texts.get(line).map_or("", String::as_str);
        let (decided, overridden) = (hits.decided, hits.overridden);
        writeln!(out, "{decided:>8}{overridden:>12}{line:>6}  {text}")?;
        let witness = format!("such as {}", shown_url(&hits.witness));
        let witness = cut(&witness, width.saturating_sub(INDENT));
        writeln!(out, "{:INDENT$}{witness}", "")?;
    }
    Ok(())
}

/// Writes the rules that matched no URL.
fn unused(
    out: &mut impl Write,
    lines: &BTreeSet<u32>,
    texts: &HashMap<u32, String>,
    all: bool,
) -> io::Result<()> {
    if lines.is_empty() {
        return writeln!(out, "\nEvery rule that applies matched a URL.");
    }
    let rules = counted(lines.len() as u64, "rule");
    writeln!(out, "\n{rules} matched no URL")?;
    let most = if all { usize::MAX } else { MAX_UNMATCHED_RULES };
    for line in lines.iter().take(most) {
        let text = texts.get(line).map_or("", String::as_str);
        writeln!(out, "{line:>26}  {text}")?;
    }
    match lines.len().saturating_sub(most) {
        0 => Ok(()),
        more => writeln!(out, "{:INDENT$}and {more} more (--all shows them)", ""),
    }
}
