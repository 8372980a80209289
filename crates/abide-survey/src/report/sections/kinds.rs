//! What the robots of each kind may crawl.

use super::{
    BarPart, answering, by_last_capture, kind_title, left_out, missing, part_columns, present,
    that_answer,
};
use crate::report::document::{
    Cell, Chart, ChartRow, Color, Figure, ReportColumn, ReportTable, RowLabel, Section, share,
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
    section.figures.push(figure(numbers, &robots.kinds));
    section
}

const PARTS: [BarPart<KindClasses>; 5] = [
    ("closed to all", Color::Closed, |classes| classes.all_closed),
    ("closed to some", Color::Some, |classes| classes.some_closed),
    ("partly closed", Color::Partly, |classes| classes.partly),
    ("open to all", Color::Open, |classes| classes.all_open),
    ("not known", Color::Unknown, |classes| classes.unknown),
];

fn figure(numbers: &Numbers, kinds: &[KindCount]) -> Figure {
    let parts = present(&PARTS, kinds.iter().map(|kind| &kind.classes));
    let (columns, drawn) = part_columns(&parts, 2);
    let row = |kind: &KindCount| {
        let classes = kind.classes;
        let cells = [
            Cell::Text(kind_title(kind.kind.as_deref())),
            Cell::Count(kind.robots),
        ];
        let counts = parts.iter().map(|(_, _, part)| part(&classes));
        let counts = counts.map(|count| Cell::Share(count, classes.sites));
        let sites = [Cell::Sites(classes.sites)];
        cells.into_iter().chain(counts).chain(sites).collect()
    };
    let first = [ReportColumn::text("kind"), ReportColumn::count("robots")];
    let last = [ReportColumn::whole()];
    let columns = first.into_iter().chain(columns).chain(last);
    let answering = answering(&numbers.coverage);
    let figure = Figure::new(
        "kinds",
        format!("Sites by what they allow the robots of a kind ({answering})"),
        format!(
            "Each bar is a kind of robots: {}, {}, by what their rules let these robots crawl. {}",
            that_answer(&numbers.coverage),
            by_last_capture(&numbers.coverage),
            left_out(numbers)
        ),
        ReportTable::new(columns.collect(), kinds.iter().map(row)),
    );
    let is_drawn = !kinds.is_empty() && !numbers.coverage.answered.is_none();
    figure.drawn(is_drawn, || {
        let rows = kinds.iter().enumerate().map(|(row, kind)| ChartRow {
            row,
            label: RowLabel {
                name: kind_title(kind.kind.as_deref()).to_string(),
                number: share(kind.classes.all_closed, kind.classes.sites),
            },
        });
        Chart::Stacked {
            rows: rows.collect(),
            parts: drawn,
        }
    })
}
