//! A report as text, tables and charts, which the page and Markdown show.

use super::numbers::Numbers;
use super::sections;
use super::sites::Sites;
use abide_analysis::words::{Phrase, counted, grouped};

/// A report in words and tables.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Document {
    /// The title.
    pub title: Phrase,
    /// What was surveyed.
    pub about: Phrase,
    /// When the captures were made: the first and the last day, as ISO 8601 writes intervals.
    /// Empty without dates.
    pub captured: String,
    /// Why the numbers are not those of the whole survey, if they are not.
    pub warning: Option<Phrase>,
    /// What matters, one sentence each.
    pub summary: Vec<Phrase>,
    /// The parts, in order.
    pub sections: Vec<Section>,
}

/// A part of a report.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Section {
    /// Its name in links.
    pub id: &'static str,
    /// The title.
    pub title: &'static str,
    /// What it is about, one paragraph each.
    pub paragraphs: Vec<Phrase>,
    /// Charts and tables.
    pub figures: Vec<Figure>,
}

/// A table, with its chart. The chart, as SVG and as CSV, shows what is in the table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Figure {
    /// Its name in links and files.
    pub id: &'static str,
    /// The title: what it shows.
    pub caption: Phrase,
    /// What is counted: what a bar or a point is, of which sites, from which captures.
    pub note: Phrase,
    /// How it is drawn, if there is something to draw.
    pub chart: Option<Chart>,
    /// The numbers.
    pub table: ReportTable,
}

/// A table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReportTable {
    /// The columns. The first one names the row.
    pub columns: Vec<ReportColumn>,
    /// The rows, with as many cells.
    pub rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReportColumn {
    /// The title.
    pub title: Phrase,
    /// What its cells are.
    pub meaning: Meaning,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "writers handle every case")]
pub enum Meaning {
    /// Text about the row.
    Text,
    /// A count that is no part of a whole.
    Count,
    /// All sites of which the shares of the row are parts.
    Whole,
    /// The part of the sites that the title names.
    Part,
    /// The part of the sites that this says, in the period that the title names.
    Period(&'static str),
}

/// A cell.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "writers handle every case")]
pub enum Cell {
    /// Text.
    Text(Phrase),
    /// A count.
    Count(u64),
    /// A number of sites.
    Sites(Sites),
    /// Sites, and all those of which they are a part.
    Share(Sites, Sites),
}

/// How the numbers of a table are drawn.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "writers handle every case")]
pub enum Chart {
    /// One bar for each row, of which the parts add up to a whole.
    Stacked {
        /// The rows.
        rows: Vec<ChartRow>,
        /// The parts, in the order from the left.
        parts: Vec<Part>,
    },
    /// One bar for each row.
    Bars {
        /// The rows.
        rows: Vec<ChartRow>,
        /// The column that has the lengths.
        column: usize,
    },
    /// One line for each row, with a point for each column that is about a period.
    Lines {
        /// The rows.
        rows: Vec<ChartRow>,
    },
}

/// A row of a table that a chart draws.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChartRow {
    /// Which row of the table.
    pub row: usize,
    /// What is written beside it.
    pub label: RowLabel,
}

/// What is written beside a bar or a line.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RowLabel {
    /// The name of the row, which may be cut.
    pub name: String,
    /// A number that belongs to it, or nothing.
    pub number: String,
}

/// A column of a table that is a part of bars.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Part {
    /// Which column.
    pub column: usize,
    /// The color of the part.
    pub color: Color,
}

/// The colors of charts, by what they mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "writers handle every case")]
pub enum Color {
    /// Closed, or prohibited.
    Closed,
    /// Closed to some, or conditional.
    Some,
    /// Partly closed.
    Partly,
    /// Open, or permitted.
    Open,
    /// Not known.
    Unknown,
    /// No preference.
    Silent,
    /// One of several lines.
    Line(u8),
}

impl Document {
    /// Puts `numbers` into words. The title is `title`, or says how many sites there are.
    #[must_use]
    pub fn new(numbers: &Numbers, title: Option<&str>) -> Self {
        let title = title.map_or_else(
            || match numbers.coverage.sites.number() {
                1 => Phrase::of("What 1 site asks of robots"),
                sites => Phrase::of(format!("What {} sites ask of robots", grouped(sites))),
            },
            |title| Phrase::default().name(title),
        );
        Self {
            title,
            about: sections::about(numbers),
            captured: sections::captured(&numbers.coverage),
            warning: (!numbers.coverage.is_complete).then(|| {
                Phrase::of("The survey is not complete: only a part of its input was read. To continue it, run the same abide survey command with --resume.")
            }),
            summary: sections::summary(numbers),
            sections: sections::all(numbers),
        }
    }
}

/// The largest number of rows of a table that pages show.
const MAX_ROWS: usize = 2000;
/// The largest number of columns beside the first one, so that a table fits on paper.
const MAX_COLUMNS: usize = 12;

impl Figure {
    /// A figure that explains itself.
    pub(super) fn new(
        id: &'static str,
        caption: impl Into<String>,
        note: impl Into<String>,
        table: ReportTable,
    ) -> Self {
        Self {
            id,
            caption: Phrase::of(caption),
            note: Phrase::of(note),
            chart: None,
            table,
        }
    }

    /// Draws it, if there is something to draw.
    pub(super) fn drawn(mut self, is_drawn: bool, chart: impl FnOnce() -> Chart) -> Self {
        self.chart = is_drawn.then(chart);
        self
    }

    /// A bar for each of the first `most` rows, as long as the share in the column `column`.
    pub(super) fn with_bars(self, column: usize, most: usize) -> Self {
        let rows = self.table.rows.iter().take(most).enumerate();
        let rows = rows.map(|(row, cells)| ChartRow {
            row,
            label: RowLabel::named(cells.first().map_or_else(String::new, Cell::plain)),
        });
        let rows: Vec<ChartRow> = rows.collect();
        let shares = rows.iter().map(|row| self.table.share(row.row, column));
        let has_shares = shares.flatten().any(|(_, whole)| whole.size() > 0);
        self.drawn(has_shares, || Chart::Bars { rows, column })
    }
}

impl ReportTable {
    pub(super) fn new(columns: Vec<ReportColumn>, rows: impl Iterator<Item = Vec<Cell>>) -> Self {
        Self {
            columns,
            rows: rows.collect(),
        }
    }

    /// The rows that a page shows.
    #[must_use]
    pub fn shown_rows(&self) -> &[Vec<Cell>] {
        self.rows.get(..MAX_ROWS).unwrap_or(&self.rows)
    }

    /// What a page shows, in tables that fit on paper: each one begins with the first column.
    pub(super) fn blocks<'a>(&'a self) -> Vec<Block<'a>> {
        let columns: Vec<usize> = (1..self.columns.len()).collect();
        let blocks = columns.chunks(MAX_COLUMNS).map(|chunk| {
            let columns: Vec<usize> = [&[0], chunk].concat();
            let cells = |row: &'a Vec<Cell>| {
                let cells = columns
                    .iter()
                    .filter_map(|at| Some((self.columns.get(*at)?, row.get(*at)?)));
                cells.collect()
            };
            Block {
                columns: columns
                    .iter()
                    .filter_map(|at| self.columns.get(*at))
                    .collect(),
                rows: self.shown_rows().iter().map(cells).collect(),
            }
        });
        blocks.collect()
    }

    /// Says that rows are left out, if any are.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        let left_out = self.rows.len() - self.shown_rows().len();
        (left_out > 0).then(|| {
            format!(
                "{} further rows are left out here; --charts and --format json have all of them.",
                grouped(left_out as u64)
            )
        })
    }

    /// Whether the table is so short that a page can show it at once.
    #[must_use]
    pub fn is_short(&self) -> bool {
        self.rows.len() <= 24
    }

    /// The part and the whole of a cell, if it has them.
    pub(super) fn share(&self, row: usize, column: usize) -> Option<(Sites, Sites)> {
        match self.rows.get(row)?.get(column)? {
            Cell::Share(part, whole) => Some((*part, *whole)),
            _ => None,
        }
    }

    /// The columns that are about periods.
    pub(super) fn periods(&self) -> impl Iterator<Item = (usize, &ReportColumn)> {
        let columns = self.columns.iter().enumerate();
        columns.filter(|(_, column)| matches!(column.meaning, Meaning::Period(_)))
    }
}

/// A part of a table, as a table of its own.
#[derive(Debug)]
pub(super) struct Block<'a> {
    pub(super) columns: Vec<&'a ReportColumn>,
    /// The cells of each row, beside their columns.
    pub(super) rows: Vec<Vec<(&'a ReportColumn, &'a Cell)>>,
}

impl ReportColumn {
    /// Whether it has numbers, which tables show on the right.
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.meaning != Meaning::Text
    }

    pub(super) fn new(title: &str, meaning: Meaning) -> Self {
        Self {
            title: Phrase::of(title),
            meaning,
        }
    }

    pub(super) fn text(title: &str) -> Self {
        Self::new(title, Meaning::Text)
    }

    pub(super) fn count(title: &str) -> Self {
        Self::new(title, Meaning::Count)
    }

    /// All sites of which the shares of a row are parts.
    pub(super) fn whole() -> Self {
        Self::new("sites", Meaning::Whole)
    }

    pub(super) fn part(title: &str) -> Self {
        Self::new(title, Meaning::Part)
    }
}

impl RowLabel {
    /// A name with nothing beside it.
    pub(super) fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            number: String::new(),
        }
    }
}

impl Cell {
    /// Words of the report.
    pub(super) fn words(text: impl Into<String>) -> Self {
        Self::Text(Phrase::of(text))
    }

    /// A name that the survey has.
    pub(super) fn name(name: &str) -> Self {
        Self::Text(Phrase::default().name(name))
    }

    /// The cell as text, such as `1,204 (31.2%)`.
    #[must_use]
    pub fn shown(&self) -> Phrase {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(number) => Phrase::of(grouped(*number)),
            Self::Sites(sites) => Phrase::of(weighed(*sites)),
            Self::Share(part, whole) => {
                Phrase::of(format!("{} ({})", weighed(*part), share(*part, *whole)))
            }
        }
    }

    /// The whole of a share, which a page shows on request: `of 3,860 sites`.
    #[must_use]
    pub fn whole(&self) -> Option<String> {
        match self {
            Self::Share(_, whole) => Some(format!("of {}", sites_in(*whole, "site", "sites"))),
            _ => None,
        }
    }

    /// The cell as text on one line that is safe to print.
    pub(super) fn plain(&self) -> String {
        self.shown().to_string()
    }
}

/// A number of sites, with their weight if they have any: `1,204, weight 17.5`.
fn weighed(sites: Sites) -> String {
    let number = grouped(sites.number());
    match sites.weight() {
        None => number,
        Some(weight) => format!("{number}, weight {}", weight_text(weight)),
    }
}

/// A weight, with at most four digits that are not before the point.
pub(super) fn weight_text(weight: f64) -> String {
    if weight >= 100_000.0 {
        return format!("{weight:.0}");
    }
    let text = format!("{weight:.4}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    match short {
        "0" if weight > 0.0 => format!("{weight:.2e}"),
        short => short.to_owned(),
    }
}

/// So many sites, in words: `3,860 sites`, or `3,860 sites of weight 17.5`.
pub(super) fn sites_in(sites: Sites, one: &str, several: &str) -> String {
    let number = counted(sites.number(), one, several);
    match sites.weight() {
        None => number,
        Some(weight) => format!("{number} of weight {}", weight_text(weight)),
    }
}

/// A part of a whole in percent, rounded to one decimal.
pub(super) fn share(part: Sites, whole: Sites) -> String {
    match (part.size(), per_mille(part, whole)) {
        (_, None) => "–".to_owned(),
        (1.., Some(0)) => "under 0.1%".to_owned(),
        (part, Some(1000)) if part < whole.size() => "over 99.9%".to_owned(),
        (0, _) => "0%".to_owned(),
        (_, Some(1000)) => "100%".to_owned(),
        (_, Some(tenths)) => format!("{}.{}%", tenths / 10, tenths % 10),
    }
}

/// The length of a bar for a share that is rounded to nothing, and is not nothing.
const HARDLY_ANY: f32 = 0.04;
/// The length of a bar for a share that is rounded to the whole, and is not the whole.
const NEARLY_ALL: f32 = 99.96;

/// A part of a whole in percent, for charts.
pub(super) fn percent(part: Sites, whole: Sites) -> Option<f32> {
    match (part.size(), per_mille(part, whole)?) {
        (1.., 0) => Some(HARDLY_ANY),
        (part, 1000) if part < whole.size() => Some(NEARLY_ALL),
        (_, tenths) => Some(f32::from(u16::try_from(tenths).ok()?) / 10.0),
    }
}

/// A part of a whole in thousandths, rounded; `None` of nothing.
fn per_mille(part: Sites, whole: Sites) -> Option<u128> {
    let (part, whole) = (part.size(), whole.size());
    (part.saturating_mul(1000).saturating_add(whole / 2)).checked_div(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sites::Weight;

    /// So many sites without weights.
    fn sites(number: u64) -> Sites {
        (0..number).map(|_| Sites::one(None)).sum()
    }

    #[test]
    fn shares_are_easy_to_read() {
        let share = |part, whole| super::share(sites(part), sites(whole));
        assert_eq!(share(0, 0), "–");
        assert_eq!(share(0, 5), "0%");
        assert_eq!(share(1, 3), "33.3%");
        assert_eq!(share(1, 2), "50.0%");
        assert_eq!(share(1, 100_000), "under 0.1%");
        assert_eq!(share(99_999, 100_000), "over 99.9%");
        assert_eq!(share(7, 7), "100%");
        assert_eq!(percent(sites(1), sites(3)), Some(33.3));
    }

    #[test]
    fn shares_are_those_of_weights() {
        let weighed = |weights: &[f64]| -> Sites {
            let sites = weights.iter().map(|one| Sites::one(Weight::new(*one)));
            sites.sum()
        };
        let all = weighed(&[1.0, 0.25, 1e12, 1e12]);
        assert_eq!(share(weighed(&[1e12]), all), "50.0%");
        assert_eq!(share(weighed(&[0.25]), all), "under 0.1%");
        assert_eq!(share(weighed(&[0.0]), weighed(&[0.0])), "–");
        assert_eq!(
            sites_in(weighed(&[0.25]), "site", "sites"),
            "1 site of weight 0.25"
        );
        assert_eq!(weight_text(1e-9), "1.00e-9");
        assert_eq!(Weight::new(1e-13), None);
        assert_eq!(Weight::new(f64::NAN), None);
        assert_eq!(Weight::new(-1.0), None);
    }
}
