//! What the robots of each kind may crawl.

use super::{BarPart, answering, kind_title, missing};
use crate::report::document::{
    Cell, Chart, Color, Figure, ReportTable, RowLabel, Section, Series, percent, share,
};
use crate::report::numbers::{KindClasses, KindCount, Numbers};
use abide_analysis::words::Phrase;

pub(super) fn section(numbers: &Numbers) -> Section {
    let mut section = Section {
        id: "kinds",
        title: "What kinds of robots may crawl",
        paragraphs: Vec::new(),
        figures: Vec::new(),
    };
    let Some(robots) = &numbers.robots else {
        section.paragraphs = vec![missing("robots")];
        return section;
    };
    section.paragraphs.push(Phrase::of(
        "The robots of one kind are taken together: a site is closed to all of them, closed to some of them, closed to none but partly closed to at least one, or open to all of them. Only robots that the survey asked for count. Beside each kind is the share of sites that are closed to all of them.",
    ));
    let tokens = abide_analysis::matrix::Category::ControlToken;
    let has_tokens = |kind: &KindCount| kind.kind.as_deref() == Some(tokens.name());
    if robots.kinds.iter().any(has_tokens) {
        section.paragraphs.push(Phrase::of(tokens.note()));
    }
    section.figures.push(Figure {
        caption: Phrase::of(format!(
            "Sites by what they allow the robots of a kind ({})",
            answering(&numbers.coverage)
        )),
        chart: (!robots.kinds.is_empty() && numbers.coverage.answered > 0)
            .then(|| chart(&robots.kinds)),
        table: table(&robots.kinds),
    });
    section
}

pub(super) const PARTS: [BarPart<KindClasses>; 5] = [
    ("closed to all", Color::Closed, |classes| classes.all_closed),
    ("closed to some", Color::Some, |classes| classes.some_closed),
    ("partly closed", Color::Partly, |classes| classes.partly),
    ("open to all", Color::Open, |classes| classes.all_open),
    ("not known", Color::Unknown, |classes| classes.unknown),
];

fn parts(kinds: &[KindCount]) -> Vec<BarPart<KindClasses>> {
    let is_there = |part: &BarPart<KindClasses>| kinds.iter().any(|kind| part.2(&kind.classes) > 0);
    PARTS.into_iter().filter(is_there).collect()
}

fn chart(kinds: &[KindCount]) -> Chart {
    let rows = kinds.iter().map(|kind| RowLabel {
        name: kind_title(kind.kind.as_deref()).to_string(),
        number: share(kind.classes.all_closed, kind.classes.sites),
    });
    let parts = parts(kinds).into_iter().map(|(name, color, part)| {
        let value = |kind: &KindCount| percent(part(&kind.classes), kind.classes.sites);
        Series {
            name: name.to_owned(),
            color,
            values: kinds.iter().map(value).collect(),
        }
    });
    Chart::Stacked {
        rows: rows.collect(),
        parts: parts.collect(),
    }
}

fn table(kinds: &[KindCount]) -> ReportTable {
    let parts = parts(kinds);
    let names = parts.iter().map(|(name, _, _)| *name);
    let columns = ["kind", "robots"].into_iter().chain(names).chain(["sites"]);
    let row = |kind: &KindCount| {
        let mut cells = vec![
            Cell::Text(kind_title(kind.kind.as_deref())),
            Cell::Count(kind.robots),
        ];
        let counts = parts.iter().map(|(_, _, part)| part(&kind.classes));
        cells.extend(counts.map(|count| Cell::Share(count, kind.classes.sites)));
        cells.push(Cell::Count(kind.classes.sites));
        cells
    };
    ReportTable::new(columns, kinds.iter().map(row))
}
