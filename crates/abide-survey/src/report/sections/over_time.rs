//! What robots may crawl, over time.

use super::{kind_title, kinds, missing, rank, robot_name};
use crate::report::document::{Cell, Chart, Color, Figure, ReportTable, Section, Series, percent};
use crate::report::numbers::{Numbers, OverTime, PeriodCount};
use abide_analysis::words::{Phrase, counted};

/// The largest number of lines in a chart.
const MAX_DRAWN: usize = 6;

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
        Some(time) if captured(time).count() < 2 => section.paragraphs.push(Phrase::of(format!(
            "All answers with a date are in one {}, so there is nothing to compare. --period chooses shorter periods.",
            time.period
        ))),
        Some(time) => compared(&mut section, numbers, time),
    }
    section
}

/// The periods in which a site answered.
fn captured(time: &OverTime) -> impl Iterator<Item = &PeriodCount> {
    time.periods.iter().filter(|period| period.answered > 0)
}

fn compared(section: &mut Section, numbers: &Numbers, time: &OverTime) {
    section.paragraphs.push(Phrase::of(format!(
        "In each {} a site counts once, with its last capture in it. The sites can differ from one {} to the next: a change can come from the sites that were captured.",
        time.period, time.period
    )));
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
    let names: Vec<Phrase> = names.map(|name| Phrase::default().name(&name)).collect();
    let mut drawn: Vec<usize> = (0..names.len()).collect();
    drawn.sort_by_key(|at| robots.robots.get(*at).map(rank));
    drawn.truncate(MAX_DRAWN);
    drawn.sort_unstable();
    section.figures.push(Figure {
        caption: caption(
            "Sites that are closed to each robot",
            "first those that people look for or that the survey names first",
            time,
            names.len(),
        ),
        chart: Some(chart(time, &names, &drawn, &|at, period| {
            let classes = period.robots.get(at)?.classes;
            percent(classes.closed, classes.sites)
        })),
        table: robot_table(time, &names),
    });
    let names = robots.kinds.iter();
    let names: Vec<Phrase> = names.map(|kind| kind_title(kind.kind.as_deref())).collect();
    let drawn: Vec<usize> = (0..names.len().min(MAX_DRAWN)).collect();
    section.figures.push(Figure {
        caption: caption(
            "Sites that are closed to all robots of a kind",
            "those to which most sites are closed",
            time,
            names.len(),
        ),
        chart: Some(chart(time, &names, &drawn, &|at, period| {
            let classes = period.kinds.get(at)?.classes;
            percent(classes.all_closed, classes.sites)
        })),
        table: kind_table(time, &names),
    });
}

fn caption(what: &str, drawn: &str, time: &OverTime, lines: usize) -> Phrase {
    let which = if lines > MAX_DRAWN {
        format!("; the chart has {MAX_DRAWN}, {drawn}; the table has all {lines}")
    } else {
        String::new()
    };
    Phrase::of(format!("{what}, by {}{which}", time.period))
}

/// One line for each name at the places `drawn`, with the value of each period.
fn chart(
    time: &OverTime,
    names: &[Phrase],
    drawn: &[usize],
    value: &dyn Fn(usize, &PeriodCount) -> Option<f32>,
) -> Chart {
    let lines = (0_u8..).zip(drawn).filter_map(|(number, at)| {
        Some(Series {
            name: names.get(*at)?.to_string(),
            color: Color::Line(number),
            values: captured(time).map(|period| value(*at, period)).collect(),
        })
    });
    Chart::Lines {
        points: captured(time).map(|period| period.label.clone()).collect(),
        lines: lines.collect(),
    }
}

/// Each name with each period in which a site answered.
fn rows<'a>(
    time: &'a OverTime,
    names: &'a [Phrase],
) -> impl Iterator<Item = (usize, &'a Phrase, &'a PeriodCount)> {
    let names = names.iter().enumerate();
    names.flat_map(|(at, name)| captured(time).map(move |period| (at, name, period)))
}

fn robot_table(time: &OverTime, names: &[Phrase]) -> ReportTable {
    let columns = [
        "robot",
        time.period,
        "closed",
        "partly closed",
        "open",
        "not known",
        "sites",
    ];
    let rows = rows(time, names).filter_map(|(at, name, period)| {
        let classes = period.robots.get(at)?.classes;
        let part = |part| Cell::Share(part, classes.sites);
        Some(vec![
            Cell::Text(name.clone()),
            Cell::words(period.label.clone()),
            part(classes.closed),
            part(classes.partly),
            part(classes.open),
            part(classes.unknown),
            Cell::Count(classes.sites),
        ])
    });
    ReportTable::new(columns, rows)
}

fn kind_table(time: &OverTime, names: &[Phrase]) -> ReportTable {
    let parts = kinds::PARTS.iter().map(|(name, _, _)| *name);
    let columns = ["kind", time.period]
        .into_iter()
        .chain(parts)
        .chain(["sites"]);
    let rows = rows(time, names).filter_map(|(at, name, period)| {
        let classes = period.kinds.get(at)?.classes;
        let mut cells = vec![Cell::Text(name.clone()), Cell::words(period.label.clone())];
        let parts = kinds::PARTS.iter().map(|(_, _, part)| part(&classes));
        cells.extend(parts.map(|part| Cell::Share(part, classes.sites)));
        cells.push(Cell::Count(classes.sites));
        Some(cells)
    });
    ReportTable::new(columns, rows)
}
