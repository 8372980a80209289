//! A report as text, tables and charts, which the page and Markdown show.

use super::numbers::Numbers;
use super::sections;

/// A report in words and tables.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Document {
    /// The title.
    pub title: Text,
    /// What was surveyed.
    pub about: Text,
    /// Why the numbers are not those of the whole survey, if they are not.
    pub warning: Option<Text>,
    /// What matters, one sentence each.
    pub summary: Vec<Text>,
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
    pub paragraphs: Vec<Text>,
    /// Charts and tables.
    pub figures: Vec<Figure>,
}

/// A table, with its chart.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Figure {
    /// What it shows, and of how many sites.
    pub caption: Text,
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
    pub columns: Vec<Text>,
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
    Text(Text),
    /// A count.
    Count(u64),
    /// A count, and the whole of which it is a part.
    Share(u64, u64),
}

/// Text of which some comes from the survey.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Text {
    /// The pieces, in order.
    pub pieces: Vec<Piece>,
}

/// A piece of text.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "writers handle every case")]
pub enum Piece {
    /// Words of the report.
    Own(String),
    /// A name that the survey has, such as that of a robot. It may contain anything.
    Foreign(String),
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
                1 => Text::own("What 1 site asks of robots"),
                sites => Text::own(format!("What {} sites ask of robots", count(sites))),
            },
            |title| Text::default().foreign(title),
        );
        Self {
            title,
            about: sections::about(&numbers.coverage),
            warning: (!numbers.coverage.is_complete).then(|| {
                Text::own("The survey is not complete: only a part of its input was read. To continue it, run the same abide survey command with --resume.")
            }),
            summary: sections::summary(numbers),
            sections: sections::all(numbers),
        }
    }
}

impl Text {
    /// Words of the report.
    #[must_use]
    pub fn own(text: impl Into<String>) -> Self {
        Self {
            pieces: vec![Piece::Own(text.into())],
        }
    }

    /// Adds words of the report.
    #[must_use]
    pub fn and(mut self, text: impl Into<String>) -> Self {
        self.pieces.push(Piece::Own(text.into()));
        self
    }

    /// Adds a name that the survey has, in a form that is safe to show.
    #[must_use]
    pub fn foreign(mut self, name: &str) -> Self {
        let shown = abide::explain::visible(name.as_bytes());
        self.pieces.push(Piece::Foreign(shown));
        self
    }

    /// Adds the pieces of another text.
    #[must_use]
    pub fn text(mut self, other: &Self) -> Self {
        self.pieces.extend(other.pieces.iter().cloned());
        self
    }

    /// The text without marks.
    #[must_use]
    pub fn plain(&self) -> String {
        let texts = self.pieces.iter().map(|piece| match piece {
            Piece::Own(text) | Piece::Foreign(text) => text.as_str(),
        });
        texts.collect()
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
        let columns: Vec<Text> = columns.into_iter().map(Text::own).collect();
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
                count(self.left_out as u64)
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
    pub(super) fn own(text: impl Into<String>) -> Self {
        Self::Text(Text::own(text))
    }

    /// A name that the survey has.
    pub(super) fn foreign(name: &str) -> Self {
        Self::Text(Text::default().foreign(name))
    }

    /// Whether it is a number, which tables show on the right.
    #[must_use]
    pub const fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_))
    }

    /// The cell as text, such as `1,204 (31.2%)`.
    #[must_use]
    pub fn shown(&self) -> Text {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(number) => Text::own(count(*number)),
            Self::Share(part, whole) => {
                Text::own(format!("{} ({})", count(*part), share(*part, *whole)))
            }
        }
    }
}

/// A count with a comma between thousands.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
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

/// A number of things, such as `1 site` or `2 sites`.
pub(super) fn number_of(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_000), "1,000");
        assert_eq!(count(1_234_567), "1,234,567");
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

    #[test]
    fn names_of_the_survey_are_made_visible() {
        let text = Text::own("not ").foreign("a\u{202e}b\n").and(".");
        assert_eq!(text.plain(), "not a\\u{202e}b\\x0a.");
    }
}
