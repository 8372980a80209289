//! Shows differences to people.

use super::lines::{
    ChangeRow, decided, directives_in_words, group, nothing_or, preference_rows, rows, shown_causes,
};
use super::{DiffReport, names};
use crate::colour;
use abide::explain::{visible, visible_url};
use abide::rep::CrawlDelay;
use abide::verdict::Source;
use abide::{Outcome, Usage};
use abide_analysis::compare::{
    Cause, CauseKind, Change, ChangedUrls, ClientDifferences, Comparison, DirectiveRegion,
    NamedClient, RequestedAction,
};
use abide_analysis::words;
use anstyle::Style;
use std::io::{self, Write};

/// The largest number of regions shown per cause; the JSON has all.
const MAX_REGIONS: usize = 3;
/// The largest number of regions shown that have no clear cause.
const MAX_UNCLEAR_REGIONS: usize = 20;
/// Why a preference disappears with crawling.
const VOID: &str = " (Content-Usage says nothing where crawling is disallowed)";
/// The largest number of names shown.
const MAX_NAMES: usize = 3;

pub(super) fn write(report: &DiffReport<'_>) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let (differences, review) = (&report.differences, &report.review);
    let bold = Style::new().bold();
    writeln!(out, "{bold}{}{bold:#}", review.headline)?;
    for sentence in review.also.iter().chain(&review.not_compared) {
        writeln!(out, "{sentence}")?;
    }
    let causes = shown_causes(&review.causes, differences);
    let together = |one: &&Cause, other: &&Cause| {
        let plain = [one, other].map(|cause| is_plain(cause, report));
        plain == [true, true] && (one.kind, &one.whom) == (other.kind, &other.whom)
    };
    for alike in causes.chunk_by(together) {
        writeln!(out)?;
        match alike {
            [one] => cause(&mut out, one, report)?,
            several => rules(&mut out, several, report)?,
        }
    }
    let differs = |one: &&ClientDifferences| {
        let Comparison {
            directives,
            crawl_delay,
            action_requests,
            ..
        } = &one.comparison;
        !directives.is_empty() || crawl_delay.is_some() || action_requests.is_some()
    };
    for one in differences.clients.iter().filter(differs) {
        writeln!(out, "\n{bold}{}{bold:#}", names(&one.clients, MAX_NAMES))?;
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
    // One cause says by itself whom it concerns.
    if let Some(affected) = review.affected.as_ref().filter(|_| causes.len() > 1) {
        writeln!(out, "\n{affected}")?;
    }
    out.flush()
}

/// Whether a cause is one rule that changes one set of URLs.
fn is_plain(cause: &Cause, report: &DiffReport<'_>) -> bool {
    let is_rule = matches!(cause.kind, CauseKind::RuleAdded | CauseKind::RuleRemoved);
    is_rule && rows(cause, &report.differences).len() == 1
}

/// Rules that were added or removed for the same robots.
fn rules(out: &mut impl Write, causes: &[&Cause], report: &DiffReport<'_>) -> io::Result<()> {
    let Some(first) = causes.first() else {
        return Ok(());
    };
    let is_added = first.kind == CauseKind::RuleAdded;
    let bold = Style::new().bold();
    let title = if is_added {
        "Rules added"
    } else {
        "Rules removed"
    };
    writeln!(out, "{bold}{title}{bold:#}\n  for {}", first.whom)?;
    for row in causes.iter().flat_map(|one| rows(one, &report.differences)) {
        let (old, new) = (&row.region.old, &row.region.new);
        let (own, other, side) = if is_added {
            (new, old, "old")
        } else {
            (old, new, "new")
        };
        let show = |text: &[u8]| visible(text);
        let change = row.change(&|usage, outcome| styled(usage, outcome));
        let witness = visible_url(&row.region.witness);
        writeln!(
            out,
            "  {}\n    {change}, such as {witness}",
            decided(own, &show)
        )?;
        let by = other.decided_by.as_ref();
        if by.is_some_and(|by| by.source != Source::Default) {
            writeln!(out, "    {side}  {}", decided(other, &show))?;
        }
    }
    Ok(())
}

fn cause(out: &mut impl Write, cause: &Cause, report: &DiffReport<'_>) -> io::Result<()> {
    let bold = Style::new().bold();
    writeln!(out, "{bold}{}{bold:#}", cause.sentence)?;
    let names_robots = matches!(
        cause.kind,
        CauseKind::OwnGroup | CauseKind::GroupLost | CauseKind::OtherGroup
    );
    if !names_robots {
        writeln!(out, "  for {}", cause.whom)?;
    }
    let rows = rows(cause, &report.differences);
    let most = if cause.kind == CauseKind::Other {
        MAX_UNCLEAR_REGIONS
    } else {
        MAX_REGIONS
    };
    let (first, following) = with_followers(rows);
    for (at, one) in first.iter().take(most).enumerate() {
        row(out, one)?;
        let followers = following.iter().filter(|(leader, _)| *leader == at);
        for (_, follower) in followers {
            let only = follower.only_for(one, &report.differences);
            let whom = only.map_or_else(String::new, |only| {
                format!(" for {}", names(&only, MAX_NAMES))
            });
            let change = follower.change_for(&whom, &|usage, outcome| styled(usage, outcome));
            let why = if follower.is_void() { VOID } else { "" };
            writeln!(out, "    with it  {change}{why}")?;
        }
    }
    match first.len().saturating_sub(most) {
        0 => Ok(()),
        more => writeln!(
            out,
            "  and {} (--format json lists all)",
            words::counted(more as u64, "more set of URLs", "more sets of URLs")
        ),
    }
}

/// Rows, and those that follow from one of them, with its place.
fn with_followers(rows: Vec<ChangeRow<'_>>) -> (Vec<ChangeRow<'_>>, Vec<(usize, ChangeRow<'_>)>) {
    let is_crawl = |row: &ChangeRow<'_>| row.region.usage == Usage::Crawl;
    let (crawl, others): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_crawl);
    let mut first = crawl;
    let mut following = Vec::new();
    for row in others {
        match first.iter().position(|leader| row.follows(leader)) {
            Some(at) => following.push((at, row)),
            None => first.push(row),
        }
    }
    (first, following)
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
        let names = names(&clients, MAX_NAMES);
        writeln!(
            out,
            "\nThe same answers from another group ({old} → {new}): {names}"
        )?;
    }
    Ok(())
}

/// Licence documents, and what single vocabularies say otherwise, each for all robots that see it.
fn preferences(out: &mut impl Write, report: &DiffReport<'_>) -> io::Result<()> {
    let rows = preference_rows(&report.differences, &|text| visible(text));
    if !rows.is_empty() {
        writeln!(out)?;
    }
    for row in rows {
        let names = names(&row.clients, MAX_NAMES);
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
    for one in comparison.directives.iter().take(MAX_UNCLEAR_REGIONS) {
        directives(out, one)?;
    }
    match comparison
        .directives
        .len()
        .saturating_sub(MAX_UNCLEAR_REGIONS)
    {
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
    if let Some(Change { old, new }) = &comparison.action_requests {
        let requests = |requests: &[RequestedAction]| {
            let each = requests
                .iter()
                .map(|one| format!("{} {}", one.action.name(), visible_url(&one.path)));
            nothing_or(&each.collect::<Vec<_>>())
        };
        writeln!(out, "  requests    {} → {}", requests(old), requests(new))?;
    }
    Ok(())
}

fn row(out: &mut impl Write, row: &ChangeRow<'_>) -> io::Result<()> {
    let change = row.change(&|usage, outcome| styled(usage, outcome));
    let witness = visible_url(&row.region.witness);
    writeln!(out, "  {change}, such as {witness}")?;
    for (side, answer) in [("old", &row.region.old), ("new", &row.region.new)] {
        writeln!(
            out,
            "    {side}  {}",
            decided(answer, &|text| visible(text))
        )?;
    }
    Ok(())
}

/// The outcome in its colour.
fn styled(usage: Usage, outcome: Outcome) -> String {
    let style = colour::of(outcome);
    format!("{style}{}{style:#}", words::outcome(usage, outcome))
}

fn directives(out: &mut impl Write, region: &DirectiveRegion) -> io::Result<()> {
    let application = visible(region.application.as_bytes());
    let witness = visible_url(&region.witness);
    writeln!(out, "  directives of {application}, such as {witness}")?;
    for (side, directives) in [("old", &region.old), ("new", &region.new)] {
        writeln!(
            out,
            "    {side}  {}",
            directives_in_words(directives, &|text| visible(text))
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

fn urls(out: &mut impl Write, urls: &ChangedUrls) -> io::Result<()> {
    writeln!(out)?;
    for changed in &urls.changed {
        writeln!(out, "{}", visible_url(&changed.url))?;
        for one in &changed.changes {
            writeln!(out, "  {}: {}", names(&one.clients, MAX_NAMES), one.what)?;
        }
    }
    writeln!(out, "{} of {} URLs change.", urls.changed.len(), urls.count)
}
