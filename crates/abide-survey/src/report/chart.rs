//! Charts as SVG.
//!
//! Each mark has a class and a color. The style sheet of the page gives the class a color of the
//! reader's theme; a chart by itself keeps the color that it was drawn with.

use super::document::{Chart, ChartRow, Color, Document, Figure, Part, RowLabel, percent, share};
use super::sites::Sites;
use askama::Template as _;

/// The widths that a chart is drawn for: that of a page, and that of a telephone.
pub(super) const WIDTHS: [f32; 2] = [880.0, 340.0];

/// Fonts that readers have.
const FONTS: &str = "Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif";
/// The size of text, and of titles.
const SIZE: f32 = 13.0;
const TITLE_SIZE: f32 = 17.0;
/// How far below its middle a text begins.
const BASELINE: f32 = 4.5;
/// The distance between marks and their text.
const GAP: f32 = 8.0;
/// The height of a bar with its distance to the next one.
const ROW: f32 = 27.0;
const BAR_HEIGHT: f32 = 19.0;
/// The height of a line of text.
const LINE_HEIGHT: f32 = 18.0;
/// The room above the marks, and below them for the numbers of the axis.
const ABOVE: f32 = 10.0;
const BELOW: f32 = 30.0;
/// The most room for the names of rows.
const MAX_NAME: f32 = 310.0;
/// The room between the end of a line and its name.
const LEADER: f32 = 26.0;
/// The space around a chart by itself.
const MARGIN: f32 = 16.0;

/// How a mark looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Paint {
    /// Its class in the style sheet.
    pub(super) class: &'static str,
    pub(super) hex: &'static str,
}

impl Paint {
    const AXIS: Self = Self::new("axis", "#6b7280");
    const GRID: Self = Self::new("grid", "#d8dce2");
    /// Bars that mean nothing but their length.
    const BAR: Self = Self::new("bar", "#3566a8");

    const fn new(class: &'static str, hex: &'static str) -> Self {
        Self { class, hex }
    }
}

impl Color {
    /// How charts and their legends show it. On paper without colors, the parts of bars become
    /// lighter from closed to open.
    pub(super) const fn paint(self) -> Paint {
        match self {
            Self::Closed => Paint::new("closed", "#8c1c13"),
            Self::Some => Paint::new("some", "#a8461d"),
            Self::Partly => Paint::new("partly", "#a17708"),
            Self::Open => Paint::new("open", "#4f9f8f"),
            Self::Unknown => Paint::new("unknown", "#8a919c"),
            Self::Silent => Paint::new("silent", "#c3c9d2"),
            Self::Line(0) => Paint::new("line-0", "#0b6fb8"),
            Self::Line(1) => Paint::new("line-1", "#c1440e"),
            Self::Line(2) => Paint::new("line-2", "#1b8a5b"),
            Self::Line(3) => Paint::new("line-3", "#9b4f97"),
            Self::Line(4) => Paint::new("line-4", "#8c6d01"),
            Self::Line(5) => Paint::new("line-5", "#4d5561"),
            Self::Line(6) => Paint::new("line-6", "#b0306a"),
            Self::Line(_) => Paint::new("line-7", "#21797d"),
        }
    }

    /// The dashes of a line, so that lines differ without their color.
    pub(super) const fn dashes(self) -> Option<&'static str> {
        match self {
            Self::Line(1) => Some("7,4"),
            Self::Line(2) => Some("2,3"),
            Self::Line(3) => Some("9,3,2,3"),
            Self::Line(5) => Some("12,5"),
            Self::Line(6) => Some("4,2"),
            Self::Line(7) => Some("2,2,6,2"),
            _ => None,
        }
    }

    /// The mark of a point of a line, drawn from its middle: each of the first lines has another
    /// shape.
    const fn marker(self) -> &'static str {
        match self {
            Self::Line(0 | 4) => "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
            Self::Line(1 | 5) => "m-2.7-2.7h5.4v5.4h-5.4z",
            Self::Line(2 | 6) => "m0-3.6l3.3 5.8h-6.6z",
            _ => "m0-3.8l3.4 3.8l-3.4 3.8l-3.4-3.8z",
        }
    }

    /// Whether the mark of a point is filled.
    const fn is_filled(self) -> bool {
        matches!(self, Self::Line(4..))
    }
}

/// The number of lines that can be told apart.
pub(super) const MAX_LINES: usize = 8;

/// A place or a size: across and down.
type Point = (f32, f32);

/// A chart in a page. The templates escape all text that they insert.
#[derive(askama::Template)]
#[template(path = "chart.svg")]
struct Drawing<'a> {
    /// What the chart shows, for screen readers; they have the table for the numbers in it.
    label: &'a str,
    width: f32,
    height: f32,
    marks: Vec<Mark>,
}

/// A chart by itself: with its title, its legend and what it counts.
#[derive(askama::Template)]
#[template(path = "figure.svg")]
struct Alone {
    title: String,
    note: String,
    width: f32,
    height: f32,
    /// What surrounds the chart.
    frame: Vec<Mark>,
    /// How far down the chart begins.
    down: f32,
    marks: Vec<Mark>,
}

#[derive(Clone, Debug)]
enum Mark {
    /// From, to.
    Line(Point, Point, Paint),
    /// Its upper left corner, its size, its numbers.
    Bar(Point, Point, Paint, String),
    /// The commands of a pen.
    Path(String, Color),
    /// Where it is, its numbers.
    Dot(Point, Color, String),
    /// From the end of a line to its name.
    Leader(Point, Point, Color),
    /// Where `text-anchor` puts its start, middle or end, on the baseline.
    Text(Point, &'static str, String),
    /// A line of a title.
    Title(Point, String),
}

impl Mark {
    /// A text whose middle is as far down as `at` is.
    fn text(at: Point, anchor: &'static str, text: impl Into<String>) -> Self {
        Self::Text((at.0, at.1 + BASELINE), anchor, text.into())
    }

    /// A line of the grid, of which the first is the axis.
    fn grid(from: Point, to: Point, is_first: bool) -> Self {
        Self::Line(from, to, if is_first { Paint::AXIS } else { Paint::GRID })
    }
}

/// The height of a chart, and its marks.
type Drawn = (f32, Vec<Mark>);

impl Figure {
    /// The names and colors of the parts of bars. Lines have their names at their ends.
    pub(super) fn legend(&self) -> Vec<(String, Paint)> {
        let Some(Chart::Stacked { parts, .. }) = &self.chart else {
            return Vec::new();
        };
        let name = |part: &Part| {
            let column = self.table.columns.get(part.column)?;
            Some((column.title.to_string(), part.color.paint()))
        };
        parts.iter().filter_map(name).collect()
    }

    /// The chart as an SVG element of this width, for a page.
    pub(super) fn inline_svg(&self, width: f32) -> Option<askama::Result<String>> {
        let (height, mut marks) = self.drawing(width)?;
        if width < 600.0 {
            // A telephone shows no numbers of marks.
            for mark in &mut marks {
                if let Mark::Bar(.., numbers) | Mark::Dot(.., numbers) = mark {
                    numbers.clear();
                }
            }
        }
        let drawing = Drawing {
            label: &self.caption.to_string(),
            width,
            height,
            marks,
        };
        Some(drawing.render())
    }

    fn drawing(&self, width: f32) -> Option<Drawn> {
        Some(match self.chart.as_ref()? {
            Chart::Stacked { rows, parts } => self.bars(rows, parts, 100.0, width),
            Chart::Bars { rows, column } => {
                let values = rows.iter().filter_map(|row| self.percent(row.row, *column));
                let part = Part {
                    column: *column,
                    color: Color::Line(0),
                };
                let max = round_max(values.fold(0.0, f32::max));
                self.bars(rows, &[part], max, width)
            }
            Chart::Lines { rows } => self.lines(rows, width),
        })
    }

    /// A cell as a length.
    fn percent(&self, row: usize, column: usize) -> Option<f32> {
        let (part, whole) = self.table.share(row, column)?;
        percent(part, whole)
    }

    /// What a mark says: its row, its column, and its part of the whole.
    fn numbers(&self, row: &ChartRow, column: usize) -> String {
        let cell = self.table.rows.get(row.row).and_then(|row| row.get(column));
        let title = self.table.columns.get(column).map(|column| &column.title);
        let (Some(cell), Some(title)) = (cell, title) else {
            return String::new();
        };
        let whole = cell.whole().unwrap_or_default();
        format!("{}, {title}: {} {whole}", row.label.name, cell.plain())
    }

    /// One bar for each row, beside its name. The axis ends at `max` percent.
    fn bars(&self, rows: &[ChartRow], parts: &[Part], max: f32, width: f32) -> Drawn {
        let names: Vec<String> = rows
            .iter()
            .map(|row| fitted(&row.label, MAX_NAME.min(width / 2.0)))
            .collect();
        let left = names.iter().map(|name| width_of(name)).fold(0.0, f32::max) + GAP;
        // Room for the number at the end of the axis, or for what is written at the longest bar.
        let is_alone = matches!(self.chart, Some(Chart::Bars { .. }));
        let right = width - width_of(if is_alone { ">99.9%" } else { "00%" });
        let bottom = ABOVE + count(rows.len()) * ROW;
        let across = |percent: f32| left + (right - left) * percent / max;
        let mut marks = Vec::new();
        for percent in ticks(max, if width < 600.0 { 2 } else { 5 }) {
            let x = across(percent);
            marks.push(Mark::grid((x, ABOVE), (x, bottom), percent == 0.0));
            let at = (x, bottom + BELOW / 2.0);
            marks.push(Mark::text(at, "middle", format!("{percent}%")));
        }
        for (at, (row, name)) in rows.iter().zip(names).enumerate() {
            let middle = ABOVE + (count(at) + 0.5) * ROW;
            marks.push(Mark::text((left - GAP, middle), "end", name));
            let mut from = 0.0;
            for part in parts {
                let length = self.percent(row.row, part.column).unwrap_or_default();
                if length <= 0.0 {
                    continue;
                }
                let paint = if is_alone {
                    Paint::BAR
                } else {
                    part.color.paint()
                };
                let at = (across(from), middle - BAR_HEIGHT / 2.0);
                let size = (across(length) - left, BAR_HEIGHT);
                marks.push(Mark::Bar(at, size, paint, self.numbers(row, part.column)));
                from += length;
            }
            let at = (across(from) + GAP / 2.0, middle);
            let first = parts.first().filter(|_| is_alone);
            let written = first.and_then(|part| self.table.share(row.row, part.column));
            marks.extend(written.map(|share| Mark::text(at, "start", short_share(share))));
        }
        (bottom + BELOW, marks)
    }

    /// One line for each row, over the periods. Each line has its name at its end.
    fn lines(&self, rows: &[ChartRow], width: f32) -> Drawn {
        let periods: Vec<(usize, String)> = self
            .table
            .periods()
            .map(|(column, period)| (column, period.title.to_string()))
            .collect();
        let lines: Vec<LineEnds> = rows
            .iter()
            .map(|row| self.line(row, &periods, width))
            .collect();
        let values = lines.iter().flat_map(|line| line.values.iter().flatten());
        let max = round_max(values.copied().fold(0.0, f32::max));
        let height = if width < 600.0 { 240.0 } else { 320.0 };
        let height = f32::max(height, ABOVE + BELOW + count(lines.len()) * LINE_HEIGHT);
        let names = lines.iter().map(|line| width_of(&line.label));
        let names = names.fold(0.0, f32::max);
        let plot = Plot {
            left: width_of("100%") + GAP,
            right: width - names - LEADER,
            bottom: height - BELOW,
            max,
            points: count(periods.len()),
        };
        let mut marks = plot.axes(periods.iter().map(|(_, period)| &**period));
        for (number, line) in (0_u8..).zip(&lines) {
            marks.append(&mut plot.line(line, Color::Line(number)));
        }
        marks.append(&mut plot.labels(&lines));
        (height, marks)
    }

    fn line(&self, row: &ChartRow, periods: &[(usize, String)], width: f32) -> LineEnds {
        let values = periods.iter().map(|(at, _)| self.percent(row.row, *at));
        let numbers = periods.iter().map(|(at, _)| self.numbers(row, *at));
        let mut shares = periods
            .iter()
            .map(|(at, _)| self.table.share(row.row, *at))
            .filter(|share| share.is_some_and(|(_, whole)| whole.size() > 0));
        let label = RowLabel {
            name: row.label.name.clone(),
            number: shares
                .next_back()
                .flatten()
                .map(short_share)
                .unwrap_or_default(),
        };
        LineEnds {
            values: values.collect(),
            numbers: numbers.collect(),
            label: fitted(&label, MAX_NAME.min(width * 0.36)),
        }
    }
}

/// A line of a chart.
#[derive(Debug)]
struct LineEnds {
    /// Its points in percent, and what each one says.
    values: Vec<Option<f32>>,
    numbers: Vec<String>,
    /// What is written at its end.
    label: String,
}

/// Where the points of lines are.
#[derive(Clone, Copy, Debug)]
struct Plot {
    left: f32,
    right: f32,
    bottom: f32,
    /// The end of the axis in percent.
    max: f32,
    /// The number of points of a line.
    points: f32,
}

impl Plot {
    fn across(&self, at: usize) -> f32 {
        self.left + (count(at) + 0.5) * (self.right - self.left) / self.points.max(1.0)
    }

    fn down(&self, percent: f32) -> f32 {
        self.bottom - (self.bottom - ABOVE) * percent / self.max
    }

    fn axes<'a>(&self, names: impl Iterator<Item = &'a str> + Clone) -> Vec<Mark> {
        let mut marks = Vec::new();
        for percent in ticks(self.max, 5) {
            let y = self.down(percent);
            let is_axis = percent == 0.0;
            marks.push(Mark::grid((self.left, y), (self.right, y), is_axis));
            let at = (self.left - GAP, y);
            marks.push(Mark::text(at, "end", format!("{percent}%")));
        }
        let widest = names.clone().map(width_of).fold(0.0, f32::max);
        let mut free = 0.0;
        for (at, name) in names.enumerate() {
            let x = self.across(at);
            // Only as many names as have room.
            if x - widest / 2.0 >= free {
                let at = (x, self.bottom + BELOW / 2.0);
                marks.push(Mark::text(at, "middle", name));
                free = x + widest / 2.0 + GAP;
            }
        }
        marks
    }

    fn line(&self, line: &LineEnds, color: Color) -> Vec<Mark> {
        let mut path = Vec::new();
        let mut dots = Vec::new();
        let mut pen = 'M';
        for (at, (value, numbers)) in line.values.iter().zip(&line.numbers).enumerate() {
            let Some(value) = value else {
                pen = 'M';
                continue;
            };
            let (x, y) = (self.across(at), self.down(*value));
            path.push(format!("{pen}{x:.1} {y:.1}"));
            dots.push(Mark::Dot((x, y), color, numbers.clone()));
            pen = 'L';
        }
        [Mark::Path(path.concat(), color)]
            .into_iter()
            .chain(dots)
            .collect()
    }

    /// The names at the ends of the lines, apart from each other.
    fn labels(&self, lines: &[LineEnds]) -> Vec<Mark> {
        let mut ends: Vec<(Point, Color, &str)> = Vec::new();
        for (number, line) in (0_u8..).zip(lines) {
            let mut points = line.values.iter().enumerate();
            let last = points.rfind(|(_, value)| value.is_some());
            if let Some((at, Some(value))) = last {
                let end = (self.across(at), self.down(*value));
                ends.push((end, Color::Line(number), &line.label));
            }
        }
        ends.sort_by(|one, other| one.0.1.total_cmp(&other.0.1));
        let wanted: Vec<f32> = ends.iter().map(|(end, _, _)| end.1).collect();
        let half = LINE_HEIGHT / 2.0;
        let places = apart(&wanted, LINE_HEIGHT, (ABOVE + half, self.bottom - half));
        let mut marks = Vec::new();
        for (((x, y), color, label), place) in ends.into_iter().zip(places) {
            let start = self.right + LEADER - GAP / 2.0;
            marks.push(Mark::Leader((x + 5.0, y), (start - 2.0, place), color));
            marks.push(Mark::text((start, place), "start", label));
        }
        marks
    }
}

/// The places nearest to those `wanted`, which are in order: at least `step` from each other, and
/// within `bounds` if there is room for all.
fn apart(wanted: &[f32], step: f32, bounds: (f32, f32)) -> Vec<f32> {
    // Without their own steps the places only have to be in order: neighbours in the wrong order
    // take their mean, which is nearest to all of them.
    let mut blocks: Vec<(f32, usize)> = Vec::new();
    for (at, wanted) in wanted.iter().enumerate() {
        let mut block = (wanted - count(at) * step, 1);
        while let Some(before) = blocks.pop_if(|before| before.0 > block.0) {
            let size = before.1 + block.1;
            let sum = before.0 * count(before.1) + block.0 * count(block.1);
            block = (sum / count(size), size);
        }
        blocks.push(block);
    }
    let last = bounds.1 - count(wanted.len().saturating_sub(1)) * step;
    let blocks = blocks.into_iter();
    let places = blocks.flat_map(|(place, size)| std::iter::repeat_n(place, size));
    let places = places.map(|place| place.min(last).max(bounds.0));
    places
        .enumerate()
        .map(|(at, place)| place + count(at) * step)
        .collect()
}

impl Document {
    /// The chart of a figure as an SVG file that needs nothing else, on white; `None` if it has
    /// none.
    pub(super) fn svg_file(&self, figure: &Figure) -> Option<askama::Result<String>> {
        let width = WIDTHS.into_iter().fold(0.0, f32::max);
        let (height, marks) = figure.drawing(width)?;
        let (title, note) = (figure.caption.to_string(), figure.note.to_string());
        let mut frame = Vec::new();
        let mut down = 0.0;
        for line in wrapped(&title, width, TITLE_SIZE) {
            down += TITLE_SIZE + 5.0;
            frame.push(Mark::Title((0.0, down), line));
        }
        down += GAP;
        for line in legend_lines(figure.legend(), width) {
            for (x, name, paint) in line {
                let size = (14.0, 12.0);
                frame.push(Mark::Bar((x, down + 3.0), size, paint, String::new()));
                let at = (x + size.0 + 6.0, down + LINE_HEIGHT / 2.0);
                frame.push(Mark::text(at, "start", name));
            }
            down += LINE_HEIGHT + 2.0;
        }
        let top = down;
        down += height;
        let source = format!(
            "{} Counted by abide {}.",
            self.about,
            env!("CARGO_PKG_VERSION")
        );
        for text in [&note, &source] {
            down += GAP / 2.0;
            for line in wrapped(text, width, SIZE) {
                frame.push(Mark::text((0.0, down + LINE_HEIGHT / 2.0), "start", line));
                down += LINE_HEIGHT;
            }
        }
        let alone = Alone {
            title,
            note,
            width: width + 2.0 * MARGIN,
            height: down + 2.0 * MARGIN,
            frame,
            down: top,
            marks,
        };
        Some(alone.render())
    }
}

/// The parts of a legend, in lines of this width: how far across each one is.
fn legend_lines(legend: Vec<(String, Paint)>, width: f32) -> Vec<Vec<(f32, String, Paint)>> {
    let mut lines: Vec<Vec<(f32, String, Paint)>> = Vec::new();
    let mut free = width;
    for (name, paint) in legend {
        let needed = 20.0 + width_of(&name) + 2.0 * GAP;
        if let Some(line) = lines.last_mut().filter(|_| free + needed <= width) {
            line.push((free, name, paint));
        } else {
            free = 0.0;
            lines.push(vec![(0.0, name, paint)]);
        }
        free += needed;
    }
    lines
}

/// A text in lines of at most this width; a word that is longer has a line of its own.
fn wrapped(text: &str, width: f32, size: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if width_of(&format!("{line} {word}")) * size / SIZE <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A share as charts write it: `31.2%`, `<0.1%`.
fn short_share((part, whole): (Sites, Sites)) -> String {
    let share = share(part, whole);
    share.replace("under ", "<").replace("over ", ">")
}

/// The end of an axis for values up to `longest`, which divides into five round steps.
fn round_max(longest: f32) -> f32 {
    let ends = [
        0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 80.0,
    ];
    ends.into_iter()
        .find(|end| longest <= *end)
        .unwrap_or(100.0)
}

/// The numbers of an axis.
fn ticks(max: f32, steps: u8) -> impl Iterator<Item = f32> {
    (0..=steps).map(move |step| max * f32::from(step) / f32::from(steps))
}

/// A chart has a few dozen rows, and a few hundred points.
fn count(number: usize) -> f32 {
    f32::from(u16::try_from(number).unwrap_or(u16::MAX))
}

/// The name of a row, cut to this width, with its number.
fn fitted(row: &RowLabel, width: f32) -> String {
    let RowLabel { name, number } = row;
    let number = format!(" {number}");
    let number = number.trim_end();
    let mut left = width - width_of(number);
    if width_of(name) <= left {
        return format!("{name}{number}");
    }
    left -= advance('…');
    let fits = |character: &char| {
        left -= advance(*character);
        left >= 0.0
    };
    let kept: String = name.chars().take_while(fits).collect();
    format!("{kept}…{number}")
}

/// About how wide a text is in the widest font that readers have.
fn width_of(text: &str) -> f32 {
    text.chars().map(advance).sum()
}

fn advance(character: char) -> f32 {
    SIZE * match character {
        '#' | '%' | '+' | '<'..='>' | '@' | 'M' | 'W' | 'm' | 'w' => 0.95,
        ' '..='/' | ':' | ';' | 'I' | 'f' | 'i' | 'j' | 'l' | 'r' | 't' => 0.4,
        'A'..='Z' => 0.72,
        '\0'..='\u{2ff}' => 0.64,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Names of lines do not overlap. They are inside the chart, in the order of the ends of
        /// their lines, and each is at the end of its line if no other name is in the way.
        #[test]
        fn names_of_lines_do_not_hide_each_other(
            mut wanted in prop::collection::vec(0.0_f32..=300.0, 0..=MAX_LINES),
            room in 0.0_f32..200.0,
        ) {
            wanted.sort_by(f32::total_cmp);
            let bounds = (19.0, 19.0 + LINE_HEIGHT * 7.0 + room);
            let places = apart(&wanted, LINE_HEIGHT, bounds);
            prop_assert_eq!(places.len(), wanted.len());
            for pair in places.windows(2) {
                prop_assert!(pair[1] - pair[0] >= LINE_HEIGHT - 0.01, "{:?}", places);
            }
            for place in &places {
                prop_assert!((bounds.0 - 0.01..=bounds.1 + 0.01).contains(place), "{:?}", places);
            }
            let is_free = wanted.windows(2).all(|pair| pair[1] - pair[0] >= LINE_HEIGHT);
            if is_free && wanted.iter().all(|one| (bounds.0..=bounds.1).contains(one)) {
                for (place, wanted) in places.iter().zip(&wanted) {
                    prop_assert!((place - wanted).abs() < 0.01, "{:?}", places);
                }
            }
        }

        /// Nothing of a drawn chart is outside it, and no name of a line is on another one.
        #[test]
        fn lines_are_inside_their_chart(
            ends in prop::collection::vec((0.0_f32..=100.0, 0..40_usize), 1..=MAX_LINES),
            width in prop::sample::select(&WIDTHS[..]),
        ) {
            let lines: Vec<LineEnds> = ends.iter().map(|(value, length)| LineEnds {
                values: vec![Some(*value), None],
                numbers: vec![String::new(); 2],
                label: fitted(&RowLabel::named("W".repeat(*length)), width * 0.36),
            }).collect();
            let names = lines.iter().map(|line| width_of(&line.label)).fold(0.0, f32::max);
            let plot = Plot {
                left: width_of("100%") + GAP,
                right: width - names - LEADER,
                bottom: 210.0,
                max: 100.0,
                points: 2.0,
            };
            let labels = plot.labels(&lines);
            let boxes = labels.iter().filter_map(|mark| match mark {
                Mark::Text(at, _, text) => Some((*at, at.0 + width_of(text))),
                _ => None,
            });
            let boxes: Vec<(Point, f32)> = boxes.collect();
            prop_assert_eq!(boxes.len(), lines.len());
            for ((at, end), next) in boxes.iter().zip(boxes.iter().skip(1).map(Some).chain([None])) {
                prop_assert!(at.0 >= plot.right && *end <= width + 0.01);
                prop_assert!(at.1 - BASELINE >= ABOVE && at.1 - BASELINE <= plot.bottom);
                if let Some((next, _)) = next {
                    prop_assert!(next.1 - at.1 >= LINE_HEIGHT - 0.01);
                }
            }
        }
    }

    #[test]
    fn the_colors_are_those_of_the_page() {
        let style = include_str!("../../templates/report.css");
        let parts = [
            Color::Closed,
            Color::Some,
            Color::Partly,
            Color::Open,
            Color::Unknown,
            Color::Silent,
        ];
        let lines = (0..=u8::try_from(MAX_LINES).unwrap()).map(Color::Line);
        let paints = parts.into_iter().chain(lines).map(Color::paint);
        for Paint { class, hex } in paints.chain([Paint::AXIS, Paint::GRID, Paint::BAR]) {
            assert!(style.contains(&format!("--{class}: {hex};")), "{class}");
        }
    }
}
