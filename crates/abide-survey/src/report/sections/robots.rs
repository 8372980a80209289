//! What each robot may crawl.

use super::{BarPart, answering, kind_title, missing, rank, robot_name};
use crate::report::document::{
    Cell, Chart, Color, Figure, ReportTable, RowLabel, Section, Series, percent, share,
};
use crate::report::numbers::{Classes, Numbers, RobotCount};
use abide_analysis::words::{Phrase, counted, grouped};
use std::collections::HashMap;

/// The largest number of bars in a chart.
const MAX_DRAWN: usize = 30;

pub(super) fn section(numbers: &Numbers) -> Section {
    let mut section = Section {
        id: "robots",
        title: "What robots may crawl",
        paragraphs: Vec::new(),
        figures: Vec::new(),
    };
    let Some(robots) = &numbers.robots else {
        section.paragraphs = vec![missing("robots")];
        return section;
    };
    section.paragraphs.push(Phrase::of(
        "Closed: the robot may crawl nothing but files that nobody visits, such as /robots.txt and /ads.txt. Open: it may crawl every URL. Partly closed: anything between. A site without a robots.txt is open to all robots. Beside each robot is the share of sites that are closed to it.",
    ));
    let not_proven: u64 = robots.robots.iter().map(|robot| robot.not_proven).sum();
    if not_proven > 0 {
        section.paragraphs.push(Phrase::of(format!(
            "{} of these answers are not proven for every path, because the file is too complex to compare all of them.",
            grouped(not_proven)
        )));
    }
    let (bars, left_out) = bars(&robots.robots);
    if left_out > 0 {
        section.paragraphs.push(Phrase::of(format!(
            "The chart has {MAX_DRAWN} bars, first for the robots that people look for or that the survey names first. The table has all {}.",
            grouped(robots.robots.len() as u64)
        )));
    }
    if bars.iter().any(|bar| bar.others > 0) {
        section.paragraphs.push(Phrase::of(
            "Others beside a name are robots of the same operator with the same counts, which may come from other sites.",
        ));
    }
    section.figures.push(Figure {
        caption: Phrase::of(format!(
            "Sites that are closed, partly closed and open, by robot ({})",
            answering(&numbers.coverage)
        )),
        chart: (!bars.is_empty() && numbers.coverage.answered > 0).then(|| chart(&bars)),
        table: table(&robots.robots),
    });
    section
}

const PARTS: [BarPart<Classes>; 4] = [
    ("closed", Color::Closed, |classes| classes.closed),
    ("partly closed", Color::Partly, |classes| classes.partly),
    ("open", Color::Open, |classes| classes.open),
    ("not known", Color::Unknown, |classes| classes.unknown),
];

/// A bar: a robot, and how many others of its operator have the same counts.
#[derive(Debug)]
struct Bar<'a> {
    robot: &'a RobotCount,
    others: u64,
}

impl Bar<'_> {
    fn label(&self) -> RowLabel {
        let RobotCount { robot, classes, .. } = self.robot;
        let name = robot_name(robot);
        RowLabel {
            name: match self.others {
                0 => name,
                others => format!("{name} and {}", counted(others, "other", "others")),
            },
            number: share(classes.closed, classes.sites),
        }
    }
}

/// The bars of the chart in the order of the table, and how many there is no room for.
fn bars(robots: &[RobotCount]) -> (Vec<Bar<'_>>, usize) {
    let mut ranked: Vec<(usize, &RobotCount)> = robots.iter().enumerate().collect();
    ranked.sort_by_key(|(_, robot)| rank(robot));
    let mut bars: Vec<(usize, Bar<'_>)> = Vec::new();
    let mut places = HashMap::new();
    for (row, robot) in ranked {
        if let Some(known) = abide_known_robots::named(&robot.robot) {
            let place = *places
                .entry((known.operator, robot.classes))
                .or_insert(bars.len());
            if let Some((_, bar)) = bars.get_mut(place) {
                bar.others += 1;
                continue;
            }
        }
        bars.push((row, Bar { robot, others: 0 }));
    }
    let left_out = bars.len().saturating_sub(MAX_DRAWN);
    bars.truncate(MAX_DRAWN);
    bars.sort_by_key(|(row, _)| *row);
    (bars.into_iter().map(|(_, bar)| bar).collect(), left_out)
}

fn chart(bars: &[Bar<'_>]) -> Chart {
    let rows = bars.iter().map(Bar::label);
    let parts = PARTS.into_iter().filter_map(|(name, color, part)| {
        let is_there = bars.iter().any(|bar| part(&bar.robot.classes) > 0);
        let value = |bar: &Bar<'_>| {
            let classes = &bar.robot.classes;
            percent(part(classes), classes.sites)
        };
        is_there.then(|| Series {
            name: name.to_owned(),
            color,
            values: bars.iter().map(value).collect(),
        })
    });
    Chart::Stacked {
        rows: rows.collect(),
        parts: parts.collect(),
    }
}

fn table(robots: &[RobotCount]) -> ReportTable {
    let has_unknown = robots.iter().any(|robot| robot.classes.unknown > 0);
    let mut columns = vec!["robot", "kind", "closed", "partly closed", "open"];
    if has_unknown {
        columns.push("not known");
    }
    columns.extend(["named by", "sites"]);
    let row = |robot: &RobotCount| {
        let classes = robot.classes;
        let part = |part| Cell::Share(part, classes.sites);
        let mut cells = vec![
            Cell::name(&robot.robot),
            Cell::Text(kind_title(robot.kind.as_deref())),
            part(classes.closed),
            part(classes.partly),
            part(classes.open),
        ];
        if has_unknown {
            cells.push(part(classes.unknown));
        }
        // No file can name every other robot.
        let named = match &*robot.robot {
            "*" => Cell::words("–"),
            _ => part(robot.named),
        };
        cells.extend([named, Cell::Count(classes.sites)]);
        cells
    };
    ReportTable::new(columns, robots.iter().map(row))
}
