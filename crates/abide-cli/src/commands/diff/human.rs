//! Shows differences to people.

use super::lines::{
    asked_of, counted, decided, group, nothing_or, outcome_of, preference_rows, regions,
};
use super::{DiffReport, names};
use crate::colour;
use abide::explain::{visible, visible_url};
use abide::rep::CrawlDelay;
use abide::{Outcome, Usage};
use abide_lint::compare::{
    Cause, CauseKind, Change, ChangedUrls, ClientDifferences, Comparison, DirectiveRegion,
    NamedClient, Phrase, Region,
};
use anstyle::Style;
use std::fmt::Display;
use std::io::{self, Write};

/// The largest number of regions shown per cause; the JSON has all.
const MOST: usize = 3;
/// The largest number of regions shown that have no clear cause.
const UNCLEAR: usize = 20;
/// The largest number of names shown.
const NAMES: usize = 3;

pub(super) fn write(report: &DiffReport<'_>) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let (differences, review) = (report.differences, report.review);
    let bold = Style::new().bold();
    writeln!(out, "{bold}{}{bold:#}", plain(&review.headline))?;
    for sentence in review.also.iter().chain(&review.not_compared) {
        writeln!(out, "{}", plain(sentence))?;
    }
    for one in &review.causes {
        writeln!(out)?;
        cause(&mut out, one, report)?;
    }
    let differs = |one: &&ClientDifferences| {
        let Comparison {
            directives,
            crawl_delay,
            requests,
            ..
        } = &one.comparison;
        !directives.is_empty() || crawl_delay.is_some() || requests.is_some()
    };
    for one in differences.clients.iter().filter(differs) {
        writeln!(out, "\n{bold}{}{bold:#}", names(&one.clients, NAMES))?;
        comparison(&mut out, &one.comparison)?;
    }
    preferences(&mut out, report)?;
    other_groups(&mut out, report)?;
    if let Some(changed) = &differences.sitemaps {
        writeln!(out)?;
        sitemaps(&mut out, changed)?;
    }
    if let Some(changed) = &report.urls {
        urls(&mut out, changed)?;
    }
    if let Some(affected) = &review.affected {
        writeln!(out, "\n{}", plain(affected))?;
    }
    out.flush()
}

/// A sentence, made safe to print.
fn plain(sentence: &Phrase) -> String {
    visible(sentence.plain().as_bytes())
}

fn cause(out: &mut impl Write, cause: &Cause, report: &DiffReport<'_>) -> io::Result<()> {
    let bold = Style::new().bold();
    writeln!(out, "{bold}{}{bold:#}", plain(&cause.sentence))?;
    let names_robots = matches!(
        cause.kind,
        CauseKind::OwnGroup | CauseKind::GroupLost | CauseKind::OtherGroup
    );
    if !names_robots {
        writeln!(out, "  for {}", plain(&cause.whom))?;
    }
    let regions = regions(cause, report.differences);
    let most = if cause.kind == CauseKind::Other {
        UNCLEAR
    } else {
        MOST
    };
    for one in regions.iter().take(most) {
        region(out, one)?;
    }
    match regions.len().saturating_sub(most) {
        0 => Ok(()),
        more => writeln!(
            out,
            "  and {} (--format json lists all)",
            counted(more, "more set of URLs", "more sets of URLs")
        ),
    }
}

/// The robots that have another group with the same effect.
fn other_groups(out: &mut impl Write, report: &DiffReport<'_>) -> io::Result<()> {
    let mut all: Vec<(&str, &str, Vec<NamedClient>)> = Vec::new();
    for one in &report.differences.clients {
        let comparison = &one.comparison;
        let Some(Change { old, new }) = comparison.groups.as_ref() else {
            continue;
        };
        if !comparison.is_equivalent() {
            continue;
        }
        let (old, new) = (group(old.as_ref()), group(new.as_ref()));
        match all
            .iter_mut()
            .find(|known| (known.0, known.1) == (old, new))
        {
            Some((_, _, clients)) => clients.extend(one.clients.iter().cloned()),
            None => all.push((old, new, one.clients.clone())),
        }
    }
    for (old, new, clients) in all {
        let names = names(&clients, NAMES);
        writeln!(
            out,
            "\nThe same answers from another group ({old} → {new}): {names}"
        )?;
    }
    Ok(())
}

/// Licence documents, and what single vocabularies say otherwise, each for all robots that see it.
fn preferences(out: &mut impl Write, report: &DiffReport<'_>) -> io::Result<()> {
    let rows = preference_rows(report.differences, &|text| visible(text));
    if !rows.is_empty() {
        writeln!(out)?;
    }
    for row in rows {
        let names = names(&row.clients, NAMES);
        let such_as = match row.witness {
            Some(witness) => format!(", such as {}", visible_url(witness)),
            None => String::new(),
        };
        writeln!(
            out,
            "{} for {names}: {} → {}{such_as}",
            row.what, row.old, row.new
        )?;
    }
    Ok(())
}

fn comparison(out: &mut impl Write, comparison: &Comparison) -> io::Result<()> {
    for one in comparison.directives.iter().take(UNCLEAR) {
        directives(out, one)?;
    }
    match comparison.directives.len().saturating_sub(UNCLEAR) {
        0 => {}
        more => writeln!(out, "  and {more} more (--format json lists all)")?,
    }
    if let Some(Change { old, new }) = &comparison.groups {
        let (old, new) = (group(old.as_ref()), group(new.as_ref()));
        writeln!(out, "  group       {old} → {new}")?;
    }
    if let Some(Change { old, new }) = comparison.crawl_delay {
        let delay = |delay: Option<CrawlDelay>| {
            delay.map_or_else(|| "none".to_owned(), |delay| format!("{delay} s"))
        };
        writeln!(out, "  delay       {} → {}", delay(old), delay(new))?;
    }
    if let Some(Change { old, new }) = &comparison.requests {
        let requests = |requests: &[(&str, String)]| {
            let each = requests
                .iter()
                .map(|(action, path)| format!("{action} {}", visible_url(path)));
            nothing_or(&each.collect::<Vec<_>>())
        };
        writeln!(out, "  requests    {} → {}", requests(old), requests(new))?;
    }
    Ok(())
}

fn region(out: &mut impl Write, region: &Region) -> io::Result<()> {
    let (old, new) = (
        styled(region.usage, region.old.outcome),
        styled(region.usage, region.new.outcome),
    );
    let witness = visible_url(&region.witness);
    writeln!(out, "  {}: {old} → {new}, such as {witness}", region.usage)?;
    for (side, answer) in [("old", &region.old), ("new", &region.new)] {
        writeln!(
            out,
            "    {side}  {}",
            decided(answer, &|text| visible(text))
        )?;
    }
    Ok(())
}

/// The outcome in its colour.
fn styled(usage: Usage, outcome: Outcome) -> impl Display {
    let style = colour::of(outcome).on_default();
    format!("{style}{}{style:#}", outcome_of(usage, outcome))
}

fn directives(out: &mut impl Write, region: &DirectiveRegion) -> io::Result<()> {
    let application = visible(region.application.as_bytes());
    let witness = visible_url(&region.witness);
    writeln!(out, "  directives of {application}, such as {witness}")?;
    for (side, asked) in [("old", &region.old), ("new", &region.new)] {
        writeln!(
            out,
            "    {side}  {}",
            asked_of(asked, &|text| visible(text))
        )?;
    }
    Ok(())
}

fn sitemaps(out: &mut impl Write, changed: &Change<Vec<Vec<u8>>>) -> io::Result<()> {
    writeln!(out, "sitemaps")?;
    let mut each = |of: &[Vec<u8>], other: &[Vec<u8>], word| -> io::Result<()> {
        let mut gone = of.iter().filter(|value| !other.contains(value));
        gone.try_for_each(|value| writeln!(out, "  {word}  {}", visible(value)))
    };
    each(&changed.old, &changed.new, "only old")?;
    each(&changed.new, &changed.old, "only new")
}

fn urls(out: &mut impl Write, urls: &ChangedUrls<'_>) -> io::Result<()> {
    writeln!(out)?;
    for changed in &urls.changed {
        writeln!(out, "{}", visible_url(&changed.url))?;
        for (clients, what) in &changed.changes {
            writeln!(out, "  {}: {what}", names(clients, NAMES))?;
        }
    }
    writeln!(out, "{} of {} URLs change.", urls.changed.len(), urls.count)
}
