//! The counters, one file for each table.

mod errors;
mod files;
mod findings;
mod groups;
mod robots;

use super::census::{Census, Dates, SitePart};
use super::numbers::Numbers;
use super::tables::Tables;
use super::{ReportError, Settings};
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
    let mut files = files::Files::new(count);
    let mut robots = robots::RobotCounter::new(count);
    let mut findings = findings::Findings::default();
    let mut groups = groups::Groups::new(settings.names_in_memory);
    let mut parts = vec![SitePart::ALL];
    while let Some(part) = parts.pop() {
        let mut census = Census::take(
            captures,
            periods.as_ref(),
            part,
            settings.captures_in_memory,
        )?;
        parts.append(&mut census.rest);
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
    let mut numbers = Numbers::of(dates.coverage());
    numbers.coverage.is_complete = is_complete(folder);
    numbers.method = captures.method()?;
    files.finish(&mut numbers);
    if tables.get(Table::Robots).is_some() {
        robots.finish(&mut numbers, periods.as_ref(), &files.periods);
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
