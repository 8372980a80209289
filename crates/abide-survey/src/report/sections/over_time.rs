//! What robots may crawl, over time.

use super::{kind_title, missing, rank, robot_name};
use crate::report::chart::MAX_LINES;
use crate::report::document::{
    Cell, Chart, ChartRow, Figure, Meaning, ReportColumn, ReportTable, RowLabel, Section, sites_in,
};
use crate::report::numbers::{Numbers, OverTime, PeriodCount};
use crate::report::sites::Sites;
use abide_analysis::words::{Phrase, counted};

pub(super) fn section(numbers: &Numbers) -> Section {
    let mut section = Section {
        id: "over-time",
        title: "Over time",
        paragraphs: Vec::new(),
        figures: Vec::new(),
    };
    if numbers.robots.is_none() {
        section.paragraphs = vec![missing("robots")];
        return section;
    }
    match &numbers.over_time {
        None => section.paragraphs.push(Phrase::of(
            "The captures have no dates, so there is nothing to show over time.",
        )),
        Some(OverTime { panel: Some(panel), period, .. }) if panel.kept.is_none() => {
            section.paragraphs.push(Phrase::of(format!(
                "No site answers in every {period}, so a balanced panel has nothing to show. Leave out --panel balanced, or choose longer periods with --period."
            )));
        }
        Some(time) if answered(time).count() < 2 => section.paragraphs.push(Phrase::of(format!(
            "All answers with a date are in one {}, so there is nothing to compare. --period chooses shorter periods.",
            time.period
        ))),
        Some(time) => compared(&mut section, numbers, time),
    }
    section
}

/// The periods in which a site answered.
fn answered(time: &OverTime) -> impl Iterator<Item = &PeriodCount> {
    time.periods
        .iter()
        .filter(|period| !period.answered.is_none())
}

fn compared(section: &mut Section, numbers: &Numbers, time: &OverTime) {
    let period = time.period;
    section.paragraphs.push(Phrase::of(match &time.panel {
        Some(panel) => format!(
            "A balanced panel: only {} count here that answer in every {period}, each once in each {period}, with its last capture in it. So a change comes from what sites changed, and not from the sites that were captured. Left out because they answer in some only: {}.",
            sites_in(panel.kept, "site", "sites"),
            sites_in(panel.dropped, "site", "sites")
        ),
        None => format!(
            "In each {period} a site counts once, with its last capture in it. The sites can differ from one {period} to the next: a change can come from the sites that were captured. The option --panel balanced counts only those that answer in every {period}."
        ),
    }));
    let coverage = &numbers.coverage;
    let undated = coverage.undated + coverage.misdated;
    if undated > 0 {
        let captures = counted(undated, "capture", "captures");
        section.paragraphs.push(Phrase::of(format!(
            "{captures} without a date, or with one before 1994 or after 2100, are left out here."
        )));
    }
    let Some(robots) = &numbers.robots else {
        return;
    };
    let names = robots.robots.iter().map(|robot| robot_name(&robot.robot));
    let lines = Lines {
        time,
        names: names.map(|name| Phrase::default().name(&name)).collect(),
        value: &|at, period| {
            let classes = period.robots.get(at)?.classes;
            Some((classes.closed, classes.sites))
        },
    };
    let mut drawn: Vec<usize> = (0..lines.names.len()).collect();
    drawn.sort_by_key(|at| robots.robots.get(*at).map(rank));
    section.figures.push(lines.figure(
        "over-time-robots",
        "Sites that are closed to each robot",
        ["robot", "closed"],
        drawn,
    ));
    let names = robots.kinds.iter();
    let lines = Lines {
        time,
        names: names.map(|kind| kind_title(kind.kind.as_deref())).collect(),
        value: &|at, period| {
            let classes = period.kinds.get(at)?.classes;
            Some((classes.all_closed, classes.sites))
        },
    };
    let drawn: Vec<usize> = (0..lines.names.len()).collect();
    section.figures.push(lines.figure(
        "over-time-kinds",
        "Sites that are closed to all robots of a kind",
        ["kind", "closed to all"],
        drawn,
    ));
}

/// The part and the whole of a name, by its number, in a period.
type ShareOf<'a> = dyn Fn(usize, &PeriodCount) -> Option<(Sites, Sites)> + 'a;

/// Shares of the sites of each period.
struct Lines<'a> {
    time: &'a OverTime,
    names: Vec<Phrase>,
    /// The part and the whole of a name in a period.
    value: &'a ShareOf<'a>,
}

impl Lines<'_> {
    /// A table with the periods as columns. The chart has the first of `drawn`.
    fn figure(
        &self,
        id: &'static str,
        title: &str,
        [row, part]: [&'static str; 2],
        mut drawn: Vec<usize>,
    ) -> Figure {
        let all = self.names.len();
        let which = if all > MAX_LINES {
            format!("; the chart has {MAX_LINES} of them, the table all {all}")
        } else {
            String::new()
        };
        let period = self.time.period;
        let sites = || answered(self.time).map(|period| period.answered);
        let least = sites().min_by_key(|sites| sites.number());
        let most = sites().max_by_key(|sites| sites.number());
        let of = match (least, most) {
            (Some(least), Some(most)) if least != most => format!(
                "{} to {}",
                sites_in(least, "site", "sites"),
                sites_in(most, "site", "sites")
            ),
            (_, most) => most.map_or_else(String::new, |most| sites_in(most, "site", "sites")),
        };
        let which_sites = match self.time.panel {
            Some(_) => format!("the same sites in every {period}, which answer in all ({of})"),
            None => format!("the sites that answer in the {period} ({of})"),
        };
        let note = format!(
            "Each point is a {row} in a {period}: of {which_sites}, by the last capture of each in it, the share that is {part} by its rules. Sites that are unreachable or give no answer for another reason are left out."
        );
        drawn.truncate(MAX_LINES);
        drawn.sort_unstable();
        let rows = drawn.into_iter().filter_map(|row| {
            let name = self.names.get(row)?.to_string();
            let label = RowLabel::named(name);
            // The first row of the table has the sites.
            Some(ChartRow {
                row: row + 1,
                label,
            })
        });
        Figure::new(
            id,
            format!("{title}, by {period}{which}"),
            note,
            self.table(row, part),
        )
        .drawn(true, || Chart::Lines {
            rows: rows.collect(),
        })
    }

    fn table(&self, row: &'static str, part: &'static str) -> ReportTable {
        let periods = answered(self.time);
        let titles = periods.map(|period| ReportColumn::new(&period.label, Meaning::Period(part)));
        let columns = [ReportColumn::text(row)].into_iter().chain(titles);
        let sites = answered(self.time).map(|period| Cell::Sites(period.answered));
        let sites = [Cell::words("sites that answer")].into_iter().chain(sites);
        let names = self.names.iter().enumerate();
        let rows = names.map(|(at, name)| {
            let cells = answered(self.time).map(|period| {
                let value = (self.value)(at, period);
                value.map_or(Cell::words(""), |(part, whole)| Cell::Share(part, whole))
            });
            [Cell::Text(name.clone())]
                .into_iter()
                .chain(cells)
                .collect()
        });
        ReportTable::new(columns.collect(), [sites.collect()].into_iter().chain(rows))
    }
}
