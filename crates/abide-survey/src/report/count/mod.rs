//! The counters, one file for each table.

mod errors;
mod files;
mod findings;
mod groups;
mod robots;

use super::census::{Census, Dates, Rules, SitePart, answered_periods};
use super::numbers::{Numbers, PanelCount, WeightCount};
use super::sites::Sites;
use super::tables::Tables;
use super::{Panel, ReportError, Settings};
use crate::output::{End, JOURNAL, STATE_FOLDER};
use crate::schema::Table;
use std::fs;
use std::path::Path;

/// Reads the tables in `folder` and counts.
pub(super) fn counted(folder: &Path, settings: &Settings) -> Result<Numbers, ReportError> {
    let tables = Tables::find(folder)?;
    let Some(captures) = tables.get(Table::Files) else {
        return Err(ReportError::NoFiles {
            path: folder.to_owned(),
        });
    };
    let dates = Dates::read(captures)?;
    let periods = dates.periods(settings.period)?;
    let count = periods.as_ref().map_or(0, |periods| periods.labels.len());
    let none = Sites::none(settings.weights.is_some());
    let panel = match (settings.panel, &periods) {
        (Panel::Balanced, Some(periods)) => Some(answered_periods(captures, periods)?),
        _ => None,
    };
    let rules = Rules {
        periods: periods.as_ref(),
        weights: settings.weights.as_ref(),
        panel,
        most: settings.captures_in_memory,
    };
    let mut files = files::Files::new(count, none);
    let mut robots = robots::RobotCounter::new(count, none);
    let mut findings = findings::Findings::new(none);
    let mut groups = groups::Groups::new(settings.names_in_memory, none);
    let mut kept = PanelCount {
        kept: none,
        dropped: none,
    };
    let mut matched = 0;
    let mut parts = vec![SitePart::ALL];
    while let Some(part) = parts.pop() {
        let mut census = Census::take(captures, &rules, part)?;
        parts.append(&mut census.rest);
        matched += census.matched;
        if let Some(part) = census.panel {
            kept.kept += part.kept;
            kept.dropped += part.dropped;
        }
        files.read(captures, &census)?;
        if let Some(table) = tables.get(Table::Robots) {
            robots.read(table, &census)?;
        }
        if let Some(table) = tables.get(Table::Findings) {
            findings.read(table, &census)?;
        }
        if let Some(table) = tables.get(Table::Groups) {
            groups.read(table, &census)?;
        }
    }
    let mut numbers = Numbers::of(dates.coverage(none));
    numbers.coverage.is_complete = is_complete(folder);
    numbers.method = captures.method()?;
    files.finish(&mut numbers);
    if tables.get(Table::Robots).is_some() {
        robots.finish(&mut numbers, periods.as_ref(), &files.periods);
    }
    if let Some(time) = &mut numbers.over_time {
        time.panel = panel.map(|_| kept);
    }
    if let Some(weights) = &settings.weights {
        let count = WeightCount {
            hosts: weights.hosts(),
            matched,
            without: numbers.coverage.sites.number() - matched,
        };
        if matched == 0 {
            let path = weights.path.clone();
            return Err(ReportError::NoWeights { path });
        }
        numbers.weights = Some(count);
    }
    numbers.findings = tables.get(Table::Findings).map(|_| findings.finish());
    numbers.names = tables.get(Table::Groups).map(|_| groups.finish());
    numbers.errors = tables.get(Table::Errors).map(errors::counted).transpose()?;
    Ok(numbers)
}

/// Whether the survey in `folder` read all of its input.
fn is_complete(folder: &Path) -> bool {
    let journal = folder.join(STATE_FOLDER).join(JOURNAL);
    let is_published = || {
        let text = fs::read_to_string(&journal).ok()?;
        let mut entries = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        entries.next_back().map(|last: End| last.is_published)
    };
    !journal.is_file() || is_published().unwrap_or(false)
}
