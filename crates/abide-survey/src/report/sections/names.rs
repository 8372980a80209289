//! The robots that files name.

use super::{by_last_capture, missing};
use crate::report::document::{Cell, Figure, ReportColumn, ReportTable, Section, share, sites_in};
use crate::report::numbers::{Coverage, NameCount, Names, Numbers};
use abide_analysis::words::{Phrase, counted, grouped};

/// The largest number of names in the chart.
const MAX_DRAWN: usize = 25;

pub(super) fn section(numbers: &Numbers) -> Section {
    let mut section = Section {
        id: "names",
        title: "Robots that files name",
        paragraphs: Vec::new(),
        figures: Vec::new(),
    };
    match &numbers.names {
        None => section.paragraphs = vec![missing("groups")],
        Some(names) => named(&mut section, names, &numbers.coverage),
    }
    section
}

fn named(section: &mut Section, names: &Names, coverage: &Coverage) {
    if names.sites.is_none() {
        let none = "No site has a group for a robot.";
        section.paragraphs.push(Phrase::of(none));
        return;
    }
    section.paragraphs.push(Phrase::of(format!(
        "{} a group for at least one robot; {} one for *, which is every robot that the file does not name. Upper and lower case are the same.",
        counted(names.sites.number(), "site has", "sites have"),
        match (names.any.number(), share(names.any, names.sites)) {
            (0, _) => "none has".to_owned(),
            (1, share) => format!("1 ({share}) has"),
            (any, share) => format!("{} ({share}) have", grouped(any)),
        }
    )));
    if names.missing > 0 {
        section.paragraphs.push(Phrase::of(format!(
            "The files have very many names. To bound memory the rarest were dropped, so each count may be up to {} too low.",
            grouped(names.missing)
        )));
    }
    let row = |name: &NameCount| {
        vec![
            Cell::name(&name.name),
            Cell::Share(name.sites, names.sites),
            Cell::words(if name.known { "yes" } else { "no" }),
        ]
    };
    let columns = vec![
        ReportColumn::text("name"),
        ReportColumn::part("sites"),
        ReportColumn::text("known robot"),
    ];
    let all = sites_in(names.sites, "site", "sites");
    let by = by_last_capture(coverage);
    let figure = Figure::new(
        "names",
        format!("The names that most files have ({all} with a group)"),
        format!(
            "Each bar is a name: the share of {all} whose robots.txt has a group that have one for it, {by}. A name says nothing about what the robot may do."
        ),
        ReportTable::new(columns, names.names.iter().map(row)),
    );
    section.figures.push(figure.with_bars(1, MAX_DRAWN));
}
