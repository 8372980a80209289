//! Shows differences to people.

use super::{Report, names};
use abide::Outcome;
use abide::explain::{visible, visible_url};
use abide_lint::compare::{
    Answer, Changed, Chosen, ClientDifferences, Comparison, DirectiveRegion, Directives, Region,
};
use anstyle::{AnsiColor, Style};
use std::fmt::Display;
use std::io::{self, Write};

/// The largest number of regions shown per answer; the JSON has all.
const MOST: usize = 20;
/// The largest number of names shown.
const NAMES: usize = 3;

pub(super) fn write(report: &Report<'_>) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let differences = report.differences;
    let differs = |one: &&ClientDifferences| {
        let comparison = &one.comparison;
        comparison.has_differences() || comparison.groups.is_some() || !comparison.is_complete
    };
    for one in differences.clients.iter().filter(differs) {
        let bold = Style::new().bold();
        writeln!(out, "{bold}{}{bold:#}", names(&one.clients, NAMES))?;
        comparison(&mut out, &one.comparison)?;
        writeln!(out)?;
    }
    if let Some(changed) = &differences.sitemaps {
        sitemaps(&mut out, changed)?;
        writeln!(out)?;
    }
    if let Some(urls) = &report.urls {
        for changed in &urls.changed {
            writeln!(out, "{}", visible_url(&changed.url))?;
            for (clients, what) in &changed.changes {
                writeln!(out, "  {}: {what}", names(clients, NAMES))?;
            }
        }
        writeln!(out, "{} of {} URLs change.", urls.changed.len(), urls.count)?;
    }
    writeln!(out, "{}", summary(report))?;
    out.flush()
}

fn summary(report: &Report<'_>) -> String {
    let differences = report.differences;
    let clients: usize = differences
        .clients
        .iter()
        .map(|one| one.clients.len())
        .sum();
    let compared = counted(clients, "robot");
    if differences.is_equivalent() {
        return format!("Nothing changes: for every URL, both files ask the same of {compared}.");
    }
    let changed = differences.clients.iter();
    let changed = changed.filter(|one| one.comparison.has_differences());
    let (mut robots, mut regions) = (0, 0);
    for one in changed {
        robots += one.clients.len();
        regions += one.comparison.regions.len() + one.comparison.directives.len();
    }
    let summary = match (robots, regions) {
        (0, _) => format!("Nothing changes for {compared}"),
        (_, regions) => format!(
            "{robots} of {compared} are affected, in {}",
            counted(regions, "place")
        ),
    };
    match (differences.left_out, differences.is_complete()) {
        (0, true) => format!("{summary}."),
        (0, false) => format!("{summary}; the list may be incomplete."),
        (left_out, _) => format!("{summary}; {} not compared.", counted(left_out, "robot")),
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn comparison(out: &mut impl Write, comparison: &Comparison) -> io::Result<()> {
    for one in comparison.regions.iter().take(MOST) {
        region(out, one)?;
    }
    for one in comparison.directives.iter().take(MOST) {
        directives(out, one)?;
    }
    let more = |all: usize| all.saturating_sub(MOST);
    let more = more(comparison.regions.len()) + more(comparison.directives.len());
    if more > 0 {
        writeln!(
            out,
            "  and {} (--format json lists all)",
            counted(more, "more region")
        )?;
    }
    if let Some(Changed { old, new }) = &comparison.groups {
        let (old, new) = (group(old.as_ref()), group(new.as_ref()));
        writeln!(out, "  group       {old} → {new}")?;
    }
    if let Some(Changed { old, new }) = comparison.crawl_delay {
        let delay = |delay: Option<abide::rep::CrawlDelay>| {
            delay.map_or_else(|| "none".to_owned(), |delay| format!("{delay} s"))
        };
        writeln!(out, "  delay       {} → {}", delay(old), delay(new))?;
    }
    if let Some(Changed { old, new }) = &comparison.requests {
        let requests = |requests: &[(&str, String)]| {
            let each = requests
                .iter()
                .map(|(action, path)| format!("{action} {}", visible_url(path)));
            nothing_or(&each.collect::<Vec<_>>())
        };
        writeln!(out, "  requests    {} → {}", requests(old), requests(new))?;
    }
    if !comparison.is_complete {
        writeln!(out, "  the search stopped at its limit; there may be more")?;
    }
    Ok(())
}

fn nothing_or(all: &[String]) -> String {
    if all.is_empty() {
        "nothing".to_owned()
    } else {
        all.join(", ")
    }
}

fn group(chosen: Option<&Chosen>) -> String {
    match chosen {
        None => "none".to_owned(),
        Some(chosen) if chosen.by == "any-crawler" => "that of \"*\"".to_owned(),
        Some(chosen) if chosen.by == "purpose" => "that of its purpose".to_owned(),
        Some(_) => "its own".to_owned(),
    }
}

fn region(out: &mut impl Write, region: &Region) -> io::Result<()> {
    let (old, new) = (styled(region.old.outcome), styled(region.new.outcome));
    writeln!(out, "  {}: {old} → {new}", region.usage)?;
    writeln!(out, "    such as   {}", visible_url(&region.witness))?;
    decided(out, "old", &region.old)?;
    decided(out, "new", &region.new)
}

fn styled(outcome: Outcome) -> impl Display {
    let colour = match outcome {
        Outcome::Permitted => AnsiColor::Green,
        Outcome::Prohibited => AnsiColor::Red,
        _ => AnsiColor::Yellow,
    };
    let style = colour.on_default();
    format!("{style}{outcome}{style:#}")
}

fn decided(out: &mut impl Write, side: &str, answer: &Answer) -> io::Result<()> {
    let what = match &answer.decided_by {
        None => "no line is about it".to_owned(),
        Some(by) => {
            let words = by.reason.name().replace('-', " ");
            match by.line {
                Some(line) if by.source == abide::verdict::Source::Default => {
                    format!("{words} in the group of line {line}")
                }
                Some(line) => format!("line {line}: {}", visible(&by.statement)),
                None => words,
            }
        }
    };
    writeln!(out, "    {side}       {what}")?;
    for condition in &answer.conditions {
        writeln!(
            out,
            "              only with {}",
            visible(condition.to_string().as_bytes())
        )?;
    }
    Ok(())
}

fn directives(out: &mut impl Write, region: &DirectiveRegion) -> io::Result<()> {
    writeln!(
        out,
        "  directives of {}",
        visible(region.application.as_bytes())
    )?;
    writeln!(out, "    such as   {}", visible_url(&region.witness))?;
    for (side, asked) in [("old", &region.old), ("new", &region.new)] {
        writeln!(out, "    {side}       {}", asked_of(asked))?;
    }
    Ok(())
}

fn asked_of(asked: &Directives) -> String {
    let value = |(name, value): (&String, &abide::app::DirectiveValue)| {
        format!("{name}={}", visible(value.to_string().as_bytes()))
    };
    let values = nothing_or(&asked.values.iter().map(value).collect::<Vec<_>>());
    let lines: Vec<_> = asked.lines.iter().map(u32::to_string).collect();
    match lines.as_slice() {
        [] => values,
        [line] => format!("line {line}: {values}"),
        _ => format!("lines {}: {values}", lines.join(", ")),
    }
}

fn sitemaps(out: &mut impl Write, changed: &Changed<Vec<Vec<u8>>>) -> io::Result<()> {
    writeln!(out, "sitemaps")?;
    let mut each = |of: &[Vec<u8>], other: &[Vec<u8>], word| -> io::Result<()> {
        let mut gone = of.iter().filter(|value| !other.contains(value));
        gone.try_for_each(|value| writeln!(out, "  {word}  {}", visible(value)))
    };
    each(&changed.old, &changed.new, "only old")?;
    each(&changed.new, &changed.old, "only new")
}
