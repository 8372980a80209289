//! What each robot may crawl.

use super::{BarPart, answering, kind_title, missing, robot_name};
use crate::report::document::{
    Cell, Chart, Color, Figure, ReportTable, RowLabel, Section, Series, percent, share,
};
use crate::report::numbers::{Classes, Numbers, RobotCount};
use abide_analysis::words::{Phrase, grouped};

/// The largest number of robots in a chart.
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
    let drawn = robots.robots.get(..MAX_DRAWN).unwrap_or(&robots.robots);
    if drawn.len() < robots.robots.len() {
        section.paragraphs.push(Phrase::of(format!(
            "The chart shows the {MAX_DRAWN} robots to which most sites are closed. The table has all {}.",
            grouped(robots.robots.len() as u64)
        )));
    }
    section.figures.push(Figure {
        caption: Phrase::of(format!(
            "Sites that are closed, partly closed and open, by robot ({})",
            answering(&numbers.coverage)
        )),
        chart: (!drawn.is_empty() && numbers.coverage.answered > 0).then(|| chart(drawn)),
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

fn chart(robots: &[RobotCount]) -> Chart {
    let rows = robots.iter().map(|robot| {
        let Classes { closed, sites, .. } = robot.classes;
        RowLabel {
            name: robot_name(&robot.robot),
            number: share(closed, sites),
        }
    });
    let parts = PARTS.into_iter().filter_map(|(name, color, part)| {
        let is_there = robots.iter().any(|robot| part(&robot.classes) > 0);
        let value = |robot: &RobotCount| percent(part(&robot.classes), robot.classes.sites);
        is_there.then(|| Series {
            name: name.to_owned(),
            color,
            values: robots.iter().map(value).collect(),
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
