//! What each robot may crawl.

use super::{
    BarPart, answering, by_last_capture, kind_title, left_out, missing, part_columns, present,
    rank, robot_name, that_answer,
};
use crate::report::document::{
    Cell, Chart, ChartRow, Color, Figure, ReportColumn, ReportTable, RowLabel, Section, share,
};
use crate::report::numbers::{Classes, Numbers, Place, RobotCount};
use crate::report::sites::Sites;
use abide_analysis::matrix::Category;
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
    if robots.robots.iter().any(is_control_token) {
        section.paragraphs.push(Phrase::of(CONTROL_TOKEN.note()));
    }
    let not_proven: Sites = robots.robots.iter().map(|robot| robot.not_proven).sum();
    let not_proven = not_proven.number();
    if not_proven > 0 {
        section.paragraphs.push(Phrase::of(format!(
            "{} of these answers are not proven for every path, because the file is too complex to compare all of them.",
            grouped(not_proven)
        )));
    }
    let (bars, left_out) = bars(&robots.robots);
    if left_out > 0 {
        section.paragraphs.push(Phrase::of(format!(
            "The chart has {MAX_DRAWN} bars, first for the robots that the survey names, then for those that people look for. The table has all {}.",
            grouped(robots.robots.len() as u64)
        )));
    }
    if bars.iter().any(|bar| bar.others > 0) {
        section.paragraphs.push(Phrase::of(
            "Others beside a name are robots of the same operator with the same counts, which may come from other sites.",
        ));
    }
    section.figures.push(figure(numbers, &robots.robots, &bars));
    section
}

const CONTROL_TOKEN: Category = Category::ControlToken;

/// Whether a robot sends no requests.
fn is_control_token(robot: &RobotCount) -> bool {
    robot.kind.as_deref() == Some(CONTROL_TOKEN.name())
}

const PARTS: [BarPart<Classes>; 4] = [
    ("closed", Color::Closed, |classes| classes.closed),
    ("partly closed", Color::Partly, |classes| classes.partly),
    ("open", Color::Open, |classes| classes.open),
    ("not known", Color::Unknown, |classes| classes.unknown),
];

/// A bar: a robot, its row, and how many others of its operator have the same counts.
#[derive(Debug)]
struct Bar<'a> {
    row: usize,
    robot: &'a RobotCount,
    others: u64,
}

impl Bar<'_> {
    fn label(&self) -> RowLabel {
        let RobotCount { robot, classes, .. } = self.robot;
        let name = if is_control_token(self.robot) {
            format!("{} (control token)", robot_name(robot))
        } else {
            robot_name(robot)
        };
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
    let mut bars: Vec<Bar<'_>> = Vec::new();
    let mut places = HashMap::new();
    for (row, robot) in ranked {
        // A robot that the survey names has a bar of its own.
        let is_named = matches!(robot.place, Place::Named(_));
        if let Some(known) = abide_known_robots::named(&robot.robot)
            && !is_named
        {
            let place = *places
                .entry((known.operator, robot.classes))
                .or_insert(bars.len());
            if let Some(bar) = bars.get_mut(place) {
                bar.others += 1;
                continue;
            }
        }
        bars.push(Bar {
            row,
            robot,
            others: 0,
        });
    }
    let left_out = bars.len().saturating_sub(MAX_DRAWN);
    bars.truncate(MAX_DRAWN);
    bars.sort_by_key(|bar| bar.row);
    (bars, left_out)
}

fn figure(numbers: &Numbers, robots: &[RobotCount], bars: &[Bar<'_>]) -> Figure {
    let parts = present(&PARTS, robots.iter().map(|robot| &robot.classes));
    let (columns, drawn) = part_columns(&parts, 2);
    let row = |robot: &RobotCount| {
        let classes = robot.classes;
        let cells = [
            Cell::name(&robot.robot),
            Cell::Text(kind_title(robot.kind.as_deref())),
        ];
        let counts = parts.iter().map(|(_, _, part)| part(&classes));
        let counts = counts.map(|count| Cell::Share(count, classes.sites));
        // No file can name every other robot.
        let named = match &*robot.robot {
            "*" => Cell::words("–"),
            _ => Cell::Share(robot.named, classes.sites),
        };
        let last = [named, Cell::Sites(classes.sites)];
        cells.into_iter().chain(counts).chain(last).collect()
    };
    let first = [ReportColumn::text("robot"), ReportColumn::text("kind")];
    let last = [ReportColumn::part("named by"), ReportColumn::whole()];
    let columns = first.into_iter().chain(columns).chain(last);
    let answering = answering(&numbers.coverage);
    let figure = Figure::new(
        "robots",
        format!("Sites that are closed, partly closed and open, by robot ({answering})"),
        format!(
            "Each bar is a robot: {}, {}, by what their rules let it crawl. {}",
            that_answer(&numbers.coverage),
            by_last_capture(&numbers.coverage),
            left_out(numbers)
        ),
        ReportTable::new(columns.collect(), robots.iter().map(row)),
    );
    let is_drawn = !bars.is_empty() && !numbers.coverage.answered.is_none();
    figure.drawn(is_drawn, || Chart::Stacked {
        rows: bars
            .iter()
            .map(|bar| ChartRow {
                row: bar.row,
                label: bar.label(),
            })
            .collect(),
        parts: drawn,
    })
}
