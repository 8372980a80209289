//! Charts as SVG.
//!
//! Each mark has a class and a color. The style sheet of the page gives the class a color of the
//! reader's theme; a chart that is copied out of the page keeps the color that it was drawn with.

use super::document::{self, Chart, Color, RowLabel, Series};
use askama::Template as _;

/// The widths that a chart is drawn for: that of a page, and that of a telephone.
pub(super) const WIDTHS: [f32; 2] = [880.0, 340.0];

/// The size of all text.
const SIZE: f32 = 13.0;
/// How far below its middle a text begins.
const BASELINE: f32 = 4.5;
/// The distance between marks and their text.
const GAP: f32 = 8.0;
/// The height of a bar with its distance to the next one.
const ROW: f32 = 27.0;
const BAR_HEIGHT: f32 = 19.0;
/// The room above the marks, and below them for the numbers of the axis.
const ABOVE: f32 = 10.0;
const BELOW: f32 = 30.0;
/// The most room for the names of rows.
const MAX_NAME: f32 = 310.0;

/// How a mark looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paint {
    /// Its class in the style sheet.
    pub(super) class: &'static str,
    hex: &'static str,
}

impl Paint {
    const AXIS: Self = Self::new("axis", "#6B7280");
    const GRID: Self = Self::new("grid", "#D8DCE2");
    /// Bars that mean nothing but their length.
    const BAR: Self = Self::new("bar", "#3566A8");

    const fn new(class: &'static str, hex: &'static str) -> Self {
        Self { class, hex }
    }
}

impl Color {
    /// How charts and their legends show it.
    pub(super) const fn paint(self) -> Paint {
        match self {
            Self::Closed => Paint::new("closed", "#B5382A"),
            Self::Some => Paint::new("some", "#D07A3A"),
            Self::Partly => Paint::new("partly", "#B98F10"),
            Self::Open => Paint::new("open", "#3E8E7E"),
            Self::Unknown => Paint::new("unknown", "#8A919C"),
            Self::Silent => Paint::new("silent", "#C3C9D2"),
            Self::Line(0) => Paint::new("line-0", "#0B6FB8"),
            Self::Line(1) => Paint::new("line-1", "#C1440E"),
            Self::Line(2) => Paint::new("line-2", "#1B8A5B"),
            Self::Line(3) => Paint::new("line-3", "#9B4F97"),
            Self::Line(4) => Paint::new("line-4", "#8C6D01"),
            Self::Line(_) => Paint::new("line-5", "#4D5561"),
        }
    }

    /// Whether it is that of a line.
    pub(super) const fn is_line(self) -> bool {
        matches!(self, Self::Line(_))
    }

    /// The dashes of a line, so that lines differ without their color.
    pub(super) const fn dashes(self) -> Option<&'static str> {
        match self {
            Self::Line(1) => Some("7,4"),
            Self::Line(2) => Some("2,3"),
            Self::Line(3) => Some("9,3,2,3"),
            Self::Line(4) => Some("12,5"),
            Self::Line(5) => Some("4,2"),
            _ => None,
        }
    }
}

/// A place or a size: across and down.
type Point = (f32, f32);

/// The marks of a chart. `chart.svg` escapes all text that it inserts.
#[derive(askama::Template)]
#[template(path = "chart.svg")]
struct Drawing<'a> {
    /// What the chart shows, for screen readers; they have the table for the numbers in it.
    label: &'a str,
    width: f32,
    height: f32,
    marks: Vec<Mark>,
}

enum Mark {
    /// From, to.
    Line(Point, Point, Paint),
    /// Its upper left corner, its size.
    Bar(Point, Point, Paint),
    /// The commands of a pen.
    Path(String, Color),
    Dot(Point, Paint),
    /// Where `text-anchor` puts its start, middle or end, on the baseline.
    Text(Point, &'static str, String),
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

impl Chart {
    /// The names and colors of the series, for a legend.
    pub(super) fn legend(&self) -> &[Series] {
        match self {
            Self::Stacked { parts, .. } => parts,
            Self::Lines { lines, .. } => lines,
            Self::Bars { .. } => &[],
        }
    }

    /// The chart as an SVG element of this width. `label` says what it shows.
    pub(super) fn svg(&self, width: f32, label: &str) -> askama::Result<String> {
        let (height, marks) = match self {
            Self::Stacked { rows, parts } => bars(rows, 100.0, width, &|row| {
                let lengths = parts.iter().map(|part| (part, part.values.get(row)));
                let lengths = lengths.filter_map(|(part, length)| Some((part, (*length?)?)));
                let lengths = lengths.map(|(part, length)| (part.color.paint(), length));
                (lengths.collect(), None)
            }),
            Self::Bars { rows, values } => {
                let longest = values.iter().copied().fold(0.0, f32::max);
                bars(rows, round_max(longest), width, &|row| {
                    let length = values.get(row).copied().unwrap_or_default();
                    let written = document::label(length).map(str::to_owned);
                    let written = written.unwrap_or_else(|| format!("{length}%"));
                    (vec![(Paint::BAR, length)], Some(written))
                })
            }
            Self::Lines { points, lines } => lines_over(points, lines, width),
        };
        Drawing {
            label,
            width,
            height,
            marks,
        }
        .render()
    }
}

/// The lengths of the parts of a bar, in percent, and what is written at its end.
type Parts = (Vec<(Paint, f32)>, Option<String>);

/// The height of a chart, and its marks.
type Drawn = (f32, Vec<Mark>);

/// One bar for each row, beside its name. The axis ends at `max` percent.
fn bars(rows: &[RowLabel], max: f32, width: f32, parts: &dyn Fn(usize) -> Parts) -> Drawn {
    let names: Vec<String> = rows
        .iter()
        .map(|row| fitted(row, MAX_NAME.min(width / 2.0)))
        .collect();
    let left = names.iter().map(|name| width_of(name)).fold(0.0, f32::max) + GAP;
    // Room for the number at the end of the axis, or for what is written at the longest bar.
    let is_written = !rows.is_empty() && parts(0).1.is_some();
    let right = width - width_of(if is_written { "100.0%" } else { "00%" });
    let bottom = ABOVE + count(rows.len()) * ROW;
    let across = |percent: f32| left + (right - left) * percent / max;
    let mut marks = Vec::new();
    for percent in ticks(max, if width < 600.0 { 2 } else { 5 }) {
        let x = across(percent);
        marks.push(Mark::grid((x, ABOVE), (x, bottom), percent == 0.0));
        let at = (x, bottom + BELOW / 2.0);
        marks.push(Mark::text(at, "middle", format!("{percent}%")));
    }
    for (row, name) in names.into_iter().enumerate() {
        let middle = ABOVE + (count(row) + 0.5) * ROW;
        marks.push(Mark::text((left - GAP, middle), "end", name));
        let (parts, written) = parts(row);
        let mut from = 0.0;
        for (paint, length) in parts.into_iter().filter(|(_, length)| *length > 0.0) {
            let at = (across(from), middle - BAR_HEIGHT / 2.0);
            let size = (across(length) - left, BAR_HEIGHT);
            marks.push(Mark::Bar(at, size, paint));
            from += length;
        }
        let at = (across(from) + GAP / 2.0, middle);
        marks.extend(written.map(|written| Mark::text(at, "start", written)));
    }
    (bottom + BELOW, marks)
}

/// One line for each series, over points in time.
fn lines_over(points: &[String], lines: &[Series], width: f32) -> Drawn {
    let values = lines.iter().flat_map(|line| line.values.iter().flatten());
    let max = round_max(values.copied().fold(0.0, f32::max));
    let height = if width < 600.0 { 240.0 } else { 320.0 };
    let widest = points
        .iter()
        .map(|point| width_of(point))
        .fold(0.0, f32::max);
    let (left, right) = (width_of("100%") + GAP, width - widest / 2.0);
    let bottom = height - BELOW;
    let step = (right - left) / count(points.len()).max(1.0);
    let across = |at: usize| left + (count(at) + 0.5) * step;
    let down = |percent: f32| bottom - (bottom - ABOVE) * percent / max;
    let mut marks = Vec::new();
    for percent in ticks(max, 5) {
        let y = down(percent);
        marks.push(Mark::grid((left, y), (right, y), percent == 0.0));
        marks.push(Mark::text((left - GAP, y), "end", format!("{percent}%")));
    }
    let mut free = 0.0;
    for (at, point) in points.iter().enumerate() {
        let x = across(at);
        // Only as many names as have room.
        if x - widest / 2.0 >= free {
            let at = (x, bottom + BELOW / 2.0);
            marks.push(Mark::text(at, "middle", point));
            free = x + widest / 2.0 + GAP;
        }
    }
    for line in lines {
        let (color, paint) = (line.color, line.color.paint());
        let mut path = Vec::new();
        let mut dots = Vec::new();
        let mut pen = 'M';
        for (at, value) in line.values.iter().enumerate() {
            let Some(value) = value else {
                pen = 'M';
                continue;
            };
            let (x, y) = (across(at), down(*value));
            path.push(format!("{pen}{x:.1} {y:.1}"));
            dots.push(Mark::Dot((x, y), paint));
            pen = 'L';
        }
        marks.push(Mark::Path(path.concat(), color));
        marks.append(&mut dots);
    }
    (height, marks)
}

/// The end of an axis for values up to `longest`, which divides into five round steps.
fn round_max(longest: f32) -> f32 {
    let ends = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 25.0, 50.0];
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
