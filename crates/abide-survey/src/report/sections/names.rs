//! The robots that files name.

use super::missing;
use crate::report::document::{
    Cell, Chart, Figure, ReportTable, RowLabel, Section, percent, share,
};
use crate::report::numbers::{NameCount, Names, Numbers};
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
        Some(names) => named(&mut section, names),
    }
    section
}

fn named(section: &mut Section, names: &Names) {
    if names.sites == 0 {
        let none = "No site has a group for a robot.";
        section.paragraphs.push(Phrase::of(none));
        return;
    }
    section.paragraphs.push(Phrase::of(format!(
        "{} a group for at least one robot; {} one for *, which is every robot that the file does not name. Upper and lower case are the same.",
        counted(names.sites, "site has", "sites have"),
        match (names.any, share(names.any, names.sites)) {
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
    let drawn = names.names.get(..MAX_DRAWN).unwrap_or(&names.names);
    let value = |name: &NameCount| percent(name.sites, names.sites).unwrap_or_default();
    let chart = Chart::Bars {
        rows: drawn
            .iter()
            .map(|name| RowLabel::named(abide::explain::visible(name.name.as_bytes())))
            .collect(),
        values: drawn.iter().map(value).collect(),
    };
    let row = |name: &NameCount| {
        vec![
            Cell::name(&name.name),
            Cell::Share(name.sites, names.sites),
            Cell::words(if name.known { "yes" } else { "no" }),
        ]
    };
    section.figures.push(Figure {
        caption: Phrase::of(format!(
            "The names that most files have ({} with a group)",
            counted(names.sites, "site", "sites")
        )),
        chart: (!drawn.is_empty()).then_some(chart),
        table: ReportTable::new(
            ["name", "sites", "known robot"],
            names.names.iter().map(row),
        ),
    });
}
