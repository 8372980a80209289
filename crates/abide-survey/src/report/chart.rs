//! Charts as SVG.
//!
//! Each color of a chart is written as an attribute, such as `fill="#B5382A"`. The style sheet of
//! the page finds these attributes and replaces them by colors of the theme of the reader; a chart
//! that is copied out of the page keeps the colors that it was drawn with.

use super::ReportError;
use super::document::{self, Chart, Color, RowLabel, Series};
use charts_rs::{
    HorizontalBarChart, LineChart, Series as Values, Symbol, YAxisConfig, measure_text_width_family,
};
use std::fmt::Write as _;

/// The widths that a chart is drawn for: that of a page, and that of a telephone.
pub(super) const WIDTHS: [f32; 2] = [880.0, 340.0];

/// The color of axes, and that of the lines between them.
const AXIS: &str = "#6B7280";
const GRID: &str = "#D8DCE2";
const LABEL: &str = "#374151";
/// The color of the names of rows, by which they are found again.
const NAME: &str = "#374152";
/// The color of the labels of bars, by which they are found again.
const VALUE: &str = "#374153";
/// The size of all text.
const SIZE: f32 = 13.0;
/// The color of bars that mean nothing but their length.
const BAR: &str = "#3566A8";

/// The height of a bar with its distance to the next one.
const ROW: f32 = 27.0;

impl Color {
    /// The color as charts are drawn.
    const fn hex(self) -> &'static str {
        match self {
            Self::Closed => "#B5382A",
            Self::Some => "#D07A3A",
            Self::Partly => "#B98F10",
            Self::Open => "#3E8E7E",
            Self::Unknown => "#8A919C",
            Self::Silent => "#C3C9D2",
            Self::Line(0) => "#0B6FB8",
            Self::Line(1) => "#C1440E",
            Self::Line(2) => "#1B8A5B",
            Self::Line(3) => "#9B4F97",
            Self::Line(4) => "#8C6D01",
            Self::Line(_) => "#4D5561",
        }
    }

    /// Its name in the style sheet.
    pub(super) fn class(self) -> String {
        match self {
            Self::Closed => "closed".to_owned(),
            Self::Some => "some".to_owned(),
            Self::Partly => "partly".to_owned(),
            Self::Open => "open".to_owned(),
            Self::Unknown => "unknown".to_owned(),
            Self::Silent => "silent".to_owned(),
            Self::Line(number) => format!("line-{number}"),
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
    pub(super) fn svg(&self, width: f32, label: &str) -> Result<String, ReportError> {
        let drawn = match self {
            Self::Stacked { rows, parts } => {
                let names = labels(rows, width);
                let drawn = stacked(&names, parts, width).svg();
                drawn.map(|svg| aligned(&svg, &names))
            }
            Self::Bars { rows, values } => {
                let names = labels(rows, width);
                let drawn = bars(&names, values, width).svg();
                drawn.map(|svg| labelled(&aligned(&svg, &names), values))
            }
            Self::Lines { points, lines } => lines_chart(points, lines, width).svg(),
        };
        let svg = drawn.map_err(|error| ReportError::Page(error.to_string()))?;
        let label = askama::filters::escape(label, askama::filters::Html);
        let label = label.map_err(|error| ReportError::Page(error.to_string()))?;
        // An image for screen readers, which have the table for the numbers in it.
        Ok(svg.replacen(
            "<svg ",
            &format!("<svg role=\"img\" aria-label=\"{label}\" "),
            1,
        ))
    }
}

fn is_narrow(width: f32) -> bool {
    width < 600.0
}

/// The names of rows, cut to what fits beside bars, with their numbers.
fn labels(rows: &[RowLabel], width: f32) -> Vec<String> {
    let label = |row: &RowLabel| {
        let longest = match (is_narrow(width), row.number.is_empty()) {
            (true, true) => 25,
            (true, false) => 18,
            (false, _) => 44,
        };
        let mut name = row.name.clone();
        if name.chars().count() > longest {
            name = name.chars().take(longest - 1).chain(['…']).collect();
        }
        format!("{name} {}", row.number).trim_end().to_owned()
    };
    rows.iter().map(label).collect()
}

/// How wide the library takes a text to be. It measures in one font, and readers have another.
fn measured(text: &str) -> f32 {
    let measured = measure_text_width_family(charts_rs::DEFAULT_FONT_FAMILY, SIZE, text);
    measured.map_or(0.0, |size| size.width())
}

/// The chart with names that end at the axis in every font. The library writes where they begin.
fn aligned(svg: &str, names: &[String]) -> String {
    let color = format!("fill=\"{NAME}\"");
    let mut names = names.iter();
    let mut out = String::with_capacity(svg.len());
    for line in svg.lines() {
        let begin = Some(line).filter(|line| line.starts_with("<text") && line.contains(&color));
        let parts = begin.and_then(|line| {
            let (before, rest) = line.split_once(" x=\"")?;
            let (x, after) = rest.split_once('"')?;
            Some((before, x.parse::<f32>().ok()?, after, names.next()?))
        });
        match parts {
            Some((before, x, after, name)) => {
                let end = x + measured(name);
                // Writing to a String cannot fail.
                let _ = write!(out, "{before} text-anchor=\"end\" x=\"{end:.1}\"{after}");
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// Replaces labels such as `0%` and `100%` by `<0.1%` and `>99.9%` where they are rounded. The
/// library writes the labels in the order of the bars, from below.
fn labelled(svg: &str, values: &[f32]) -> String {
    let color = format!("fill=\"{VALUE}\"");
    let mut values = values.iter().rev();
    let mut label = None;
    let mut out = String::with_capacity(svg.len());
    for line in svg.lines() {
        if line.starts_with("<text") && line.contains(&color) {
            label = values.next().and_then(|value| document::label(*value));
            out.push_str(line);
        } else if let Some(label) = label.take() {
            out.push_str(&label.replace('<', "&lt;").replace('>', "&gt;"));
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

fn from_below(values: &[Option<f32>]) -> Vec<Option<f32>> {
    values.iter().rev().copied().collect()
}

fn horizontal(names: &[String], series: Vec<Values>, width: f32) -> HorizontalBarChart {
    #[expect(clippy::cast_precision_loss, reason = "a chart has a few dozen rows")]
    let rows = names.len() as f32;
    // The library draws rows from below.
    let drawn = names.iter().rev().cloned().collect();
    let mut chart = HorizontalBarChart::new(series, drawn);
    // Fonts can be wider than the one that is measured.
    let widest = names.iter().map(|name| measured(name)).fold(0.0, f32::max);
    chart.width = width;
    chart.height = rows.mul_add(ROW, 40.0);
    chart.background_color = charts_rs::Color::transparent();
    chart.margin = charts_rs::Box {
        left: (widest * 0.14).ceil(),
        top: 4.0,
        right: 22.0,
        bottom: 2.0,
    };
    chart.legend.show = Some(false);
    chart.grid.stroke_color = GRID.into();
    chart.x_axis.font.size = SIZE;
    chart.x_axis.font.color = NAME.into();
    chart.x_axis.stroke_color = AXIS.into();
    chart.x_axis.name_gap = 8.0;
    if let Some(axis) = chart.y_axis_configs.first_mut() {
        percent_axis(axis, 100.0, width);
    }
    chart
}

/// An axis from 0 to `max` percent.
fn percent_axis(axis: &mut YAxisConfig, max: f32, width: f32) {
    axis.min = Some(0.0);
    axis.max = Some(max);
    axis.split_number = if is_narrow(width) { 2 } else { 5 };
    axis.formatter = Some("{c}%".to_owned());
    axis.font.size = SIZE;
    axis.font.color = LABEL.into();
    axis.stroke_color = AXIS.into();
}

fn stacked(names: &[String], parts: &[Series], width: f32) -> HorizontalBarChart {
    let series = parts.iter().map(|part| {
        let mut series = Values::new_nullable(part.name.clone(), from_below(&part.values));
        series.stack = Some("whole".to_owned());
        series
    });
    let mut chart = horizontal(names, series.collect(), width);
    chart.series.colors = parts.iter().map(|part| part.color.hex().into()).collect();
    chart
}

fn bars(names: &[String], values: &[f32], width: f32) -> HorizontalBarChart {
    let drawn: Vec<Option<f32>> = values.iter().copied().map(Some).collect();
    let mut series = Values::new_nullable("share".to_owned(), from_below(&drawn));
    series.label_show = true;
    let mut chart = horizontal(names, vec![series], width);
    chart.series.colors = vec![BAR.into()];
    "{c}%".clone_into(&mut chart.series.label.formatter);
    chart.series.label.font.size = SIZE;
    chart.series.label.font.color = VALUE.into();
    let longest = values.iter().copied().fold(0.0, f32::max);
    if let Some(axis) = chart.y_axis_configs.first_mut() {
        percent_axis(axis, round_max(longest), width);
    }
    // Room for the label of the longest bar.
    chart.margin.right = 52.0;
    chart
}

/// The end of an axis for values up to `longest`, which divides into five round steps.
fn round_max(longest: f32) -> f32 {
    let ends = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 25.0, 50.0];
    ends.into_iter()
        .find(|end| longest <= *end)
        .unwrap_or(100.0)
}

fn lines_chart(points: &[String], lines: &[Series], width: f32) -> LineChart {
    let series = lines.iter().map(|line| {
        let mut series = Values::new_nullable(line.name.clone(), line.values.clone());
        series.stroke_dash_array = line.color.dashes().map(str::to_owned);
        series
    });
    let mut chart = LineChart::new(series.collect(), points.to_vec());
    chart.width = width;
    chart.height = if is_narrow(width) { 240.0 } else { 320.0 };
    chart.background_color = charts_rs::Color::transparent();
    chart.legend.show = Some(false);
    chart.margin = charts_rs::Box {
        left: 2.0,
        top: 10.0,
        right: 22.0,
        bottom: 2.0,
    };
    chart.grid.stroke_color = GRID.into();
    chart.x_axis.font.size = SIZE;
    chart.x_axis.font.color = LABEL.into();
    chart.x_axis.stroke_color = AXIS.into();
    chart.series.stroke_width = 2.5;
    chart.series.symbol = Some(Symbol::Circle(3.0, None));
    chart.series.colors = lines.iter().map(|line| line.color.hex().into()).collect();
    let values = lines.iter().flat_map(|line| line.values.iter().flatten());
    let longest = values.copied().fold(0.0, f32::max);
    if let Some(axis) = chart.y_axis_configs.first_mut() {
        percent_axis(axis, round_max(longest), width);
        axis.split_number = 5;
    }
    chart
}
