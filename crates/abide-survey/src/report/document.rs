//! A report as text, tables and charts, which the page and Markdown show.

use super::numbers::Numbers;
use super::sections;
use abide_analysis::words::{Phrase, grouped};

/// A report in words and tables.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Document {
    /// The title.
    pub title: Phrase,
    /// What was surveyed.
    pub about: Phrase,
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

/// A table, with its chart.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Figure {
    /// What it shows, and of how many sites.
    pub caption: Phrase,
    /// The chart, if there is something to draw.
    pub chart: Option<Chart>,
    /// The numbers.
    pub table: ReportTable,
}

/// A table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReportTable {
    /// The titles of the columns. The first column names the row.
    pub columns: Vec<Phrase>,
    /// The rows, with as many cells.
    pub rows: Vec<Vec<Cell>>,
    /// How many further rows there are, which the table leaves out because it is long enough.
    pub left_out: usize,
    /// Whether each column has numbers.
    are_numbers: Vec<bool>,
}

/// A cell.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "writers handle every case")]
pub enum Cell {
    /// Text.
    Text(Phrase),
    /// A count.
    Count(u64),
    /// A count, and the whole of which it is a part.
    Share(u64, u64),
}

/// What a chart shows.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "writers handle every case")]
pub enum Chart {
    /// One bar for each row, of which the parts add up to a whole.
    Stacked {
        /// The rows.
        rows: Vec<RowLabel>,
        /// The parts, in the order from the left.
        parts: Vec<Series>,
    },
    /// One bar for each row.
    Bars {
        /// The rows.
        rows: Vec<RowLabel>,
        /// The lengths, in percent.
        values: Vec<f32>,
    },
    /// One line for each series.
    Lines {
        /// The names of the points in time.
        points: Vec<String>,
        /// The lines.
        lines: Vec<Series>,
    },
}

/// What is written beside a bar.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RowLabel {
    /// The name of the row, which may be cut.
    pub name: String,
    /// A number that belongs to it, or nothing.
    pub number: String,
}

/// Values that belong together, in percent.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Series {
    /// The name.
    pub name: String,
    /// Its color.
    pub color: Color,
    /// The values; `None` where there is none.
    pub values: Vec<Option<f32>>,
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
            || match numbers.coverage.sites {
                1 => Phrase::of("What 1 site asks of robots"),
                sites => Phrase::of(format!("What {} sites ask of robots", grouped(sites))),
            },
            |title| Phrase::default().name(title),
        );
        Self {
            title,
            about: sections::about(&numbers.coverage),
            warning: (!numbers.coverage.is_complete).then(|| {
                Phrase::of("The survey is not complete: only a part of its input was read. To continue it, run the same abide survey command with --resume.")
            }),
            summary: sections::summary(numbers),
            sections: sections::all(numbers),
        }
    }
}

/// The largest number of rows of a table.
const MAX_ROWS: usize = 2000;

impl ReportTable {
    /// A table of the first of `rows`.
    pub(super) fn new<'a>(
        columns: impl IntoIterator<Item = &'a str>,
        rows: impl Iterator<Item = Vec<Cell>>,
    ) -> Self {
        let mut rest = rows.fuse();
        let columns: Vec<Phrase> = columns.into_iter().map(Phrase::of).collect();
        let rows: Vec<Vec<Cell>> = rest.by_ref().take(MAX_ROWS).collect();
        let is_number = |column| {
            let mut cells = rows.iter().filter_map(|row| row.get(column));
            cells.any(Cell::is_number)
        };
        Self {
            are_numbers: (0..columns.len()).map(is_number).collect(),
            columns,
            rows,
            left_out: rest.count(),
        }
    }

    /// Says that rows are left out, if any are.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        (self.left_out > 0).then(|| {
            format!(
                "{} further rows are left out here; --format json has all of them.",
                grouped(self.left_out as u64)
            )
        })
    }

    /// Whether the table is so short that a page can show it at once.
    #[must_use]
    pub fn is_short(&self) -> bool {
        self.rows.len() <= 12
    }

    /// Whether a column has numbers, which tables show on the right.
    #[must_use]
    pub fn is_number(&self, column: usize) -> bool {
        self.are_numbers.get(column) == Some(&true)
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

    /// Whether it is a number, which tables show on the right.
    #[must_use]
    pub const fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_))
    }

    /// The cell as text, such as `1,204 (31.2%)`.
    #[must_use]
    pub fn shown(&self) -> Phrase {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(number) => Phrase::of(grouped(*number)),
            Self::Share(part, whole) => {
                Phrase::of(format!("{} ({})", grouped(*part), share(*part, *whole)))
            }
        }
    }
}

/// A part of a whole in percent, rounded to one decimal.
pub(super) fn share(part: u64, whole: u64) -> String {
    match (part, per_mille(part, whole)) {
        (_, None) => "–".to_owned(),
        (1.., Some(0)) => "under 0.1%".to_owned(),
        (_, Some(1000)) if part < whole => "over 99.9%".to_owned(),
        (_, Some(tenths)) if tenths % 10 == 0 => format!("{}%", tenths / 10),
        (_, Some(tenths)) => format!("{}.{}%", tenths / 10, tenths % 10),
    }
}

/// The length of a bar for a share that is rounded to nothing, and is not nothing.
const HARDLY_ANY: f32 = 0.04;
/// The length of a bar for a share that is rounded to the whole, and is not the whole.
const NEARLY_ALL: f32 = 99.96;

/// A part of a whole in percent, for charts.
pub(super) fn percent(part: u64, whole: u64) -> Option<f32> {
    match (part, per_mille(part, whole)?) {
        (1.., 0) => Some(HARDLY_ANY),
        (part, 1000) if part < whole => Some(NEARLY_ALL),
        (_, tenths) => Some(f32::from(u16::try_from(tenths).ok()?) / 10.0),
    }
}

/// The label of a bar of this length, if that rounded would be wrong.
pub(super) fn label(percent: f32) -> Option<&'static str> {
    match percent {
        percent if percent > 0.0 && percent <= HARDLY_ANY => Some("<0.1%"),
        percent if (NEARLY_ALL..100.0).contains(&percent) => Some(">99.9%"),
        _ => None,
    }
}

/// A part of a whole in thousandths, rounded; `None` of nothing.
fn per_mille(part: u64, whole: u64) -> Option<u128> {
    let (part, whole) = (u128::from(part), u128::from(whole));
    (part * 1000 + whole / 2).checked_div(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_easy_to_read() {
        assert_eq!(share(0, 0), "–");
        assert_eq!(share(0, 5), "0%");
        assert_eq!(share(1, 3), "33.3%");
        assert_eq!(share(1, 2), "50%");
        assert_eq!(share(1, 100_000), "under 0.1%");
        assert_eq!(share(99_999, 100_000), "over 99.9%");
        assert_eq!(share(u64::MAX, u64::MAX), "100%");
        assert_eq!(percent(1, 3), Some(33.3));
        let labels = [(0, 9), (1, 100_000), (99_999, 100_000), (9, 9)];
        let labels = labels.map(|(part, whole)| percent(part, whole).and_then(label));
        assert_eq!(labels, [None, Some("<0.1%"), Some(">99.9%"), None]);
    }
}
