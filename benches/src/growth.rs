//! How the time of a decision grows with the number of rules: a table, and a plot of it.

use crate::contest::Timing;
use crate::corpus::Case;
use crate::generated;
use crate::workload::{Setting, time, warm};
use std::fmt::Write;

/// One kind of rules, in growing numbers.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The kind.
    pub title: &'static str,
    /// Number of rules, and everybody's time of a decision.
    pub points: Vec<(usize, Vec<Timing>)>,
}

/// Times decisions about files of both kinds.
#[must_use]
pub fn measure(setting: &Setting) -> [Growth; 2] {
    let prefixes: &[usize] = &[10, 100, 1_000, 10_000, 15_000];
    let wildcards: &[usize] = &[10, 30, 100, 300, 1_000, 3_000, 5_000];
    let grown = |title, numbers: &[usize], recipe: fn(usize) -> Vec<u8>| {
        let point = |&number: &usize| {
            let cases = [Case::new(title, &recipe(number), 1_000)];
            let everybody = setting.contestants.iter().map(AsRef::as_ref);
            (number, warm::contest(setting, &cases, everybody))
        };
        Growth {
            title,
            points: numbers.iter().map(point).collect(),
        }
    };
    [
        grown("prefix rules", prefixes, generated::prefixes),
        grown("wildcard rules", wildcards, generated::wildcards),
    ]
}

/// The tables, as Markdown.
#[must_use]
pub fn tables(growths: &[Growth]) -> String {
    let mut text = String::new();
    for growth in growths {
        let names: Vec<&str> = growth.points.first().map_or(Vec::new(), |(_, timings)| {
            timings.iter().map(|timing| timing.name).collect()
        });
        let _ = writeln!(text, "| {} | {} |", growth.title, names.join(" | "));
        let _ = writeln!(text, "|--:|{}", "--:|".repeat(names.len()));
        for (number, timings) in &growth.points {
            let times: Vec<String> = timings.iter().map(|one| time(one.nanoseconds)).collect();
            let _ = writeln!(text, "| {number} | {} |", times.join(" | "));
        }
        text.push('\n');
    }
    text
}

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 40.0;
/// Powers of ten that the axes show: rules, and nanoseconds.
const RULES: (i32, i32) = (1, 4);
const TIMES: (i32, i32) = (1, 8);
/// Rules go on a bit behind the last power of ten.
const RULES_END: f64 = 4.3;
/// Colours that are seen on white and on black; abide's is the first.
const COLOURS: [&str; 6] = [
    "#e5484d", "#3e82f7", "#2b9a66", "#ad7f00", "#8e62d9", "#5b8a94",
];

/// The plot: both axes logarithmic, one panel for each kind of rules.
#[must_use]
pub fn plot(growths: &[Growth]) -> String {
    let panels = crate::clock::ToF64::to_f64(growths.len());
    let (width, height) = (panels * (WIDTH + LEFT + 24.0) + 130.0, TOP + HEIGHT + 52.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n\
         <title>CPU time of a decision against the number of rules</title>\n\
         <style>text {{ fill: #57606a }} .grid {{ stroke: #8b949e; stroke-opacity: .3 }} @media (prefers-color-scheme: dark) {{ text {{ fill: #adbac7 }} }}</style>\n"
    );
    let mut left = LEFT;
    for growth in growths {
        panel(&mut svg, growth, left);
        left += WIDTH + LEFT + 24.0;
    }
    if let Some(last) = growths.last() {
        names(&mut svg, last, left - LEFT - 16.0);
    }
    svg.push_str("</svg>\n");
    svg
}

fn across(left: f64, rules: f64) -> f64 {
    let from = f64::from(RULES.0);
    left + (rules.log10() - from) / (RULES_END - from) * WIDTH
}

fn down(nanoseconds: f64) -> f64 {
    let (from, to) = (f64::from(TIMES.0), f64::from(TIMES.1));
    TOP + HEIGHT - (nanoseconds.log10() - from) / (to - from) * HEIGHT
}

fn panel(svg: &mut String, growth: &Growth, left: f64) {
    let right = left + WIDTH;
    for power in TIMES.0..=TIMES.1 {
        let (at, label) = (down(10_f64.powi(power)), time(10_f64.powi(power)));
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{left:.1}\" x2=\"{right:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            left - 6.0,
            at + 4.0
        );
    }
    let bottom = TOP + HEIGHT;
    for power in RULES.0..=RULES.1 {
        let (at, label) = (
            across(left, 10_f64.powi(power)),
            crate::workload::short(10_f64.powi(power)),
        );
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP:.1}\" y2=\"{bottom:.1}\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            bottom + 18.0
        );
    }
    let middle = left + WIDTH / 2.0;
    let _ = writeln!(
        svg,
        "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        bottom + 38.0,
        growth.title
    );
    let _ = writeln!(
        svg,
        "<text x=\"{left:.1}\" y=\"{:.1}\">CPU time of a decision</text>",
        TOP - 14.0
    );
    let lines = growth
        .points
        .first()
        .map_or(0, |(_, timings)| timings.len());
    for line in 0..lines {
        let colour = COLOURS[line % COLOURS.len()];
        let points: Vec<String> = growth
            .points
            .iter()
            .map(|(rules, timings)| {
                let rules = crate::clock::ToF64::to_f64(*rules);
                format!(
                    "{:.1},{:.1}",
                    across(left, rules),
                    down(timings[line].nanoseconds)
                )
            })
            .collect();
        let width = if line == 0 { 3.0 } else { 1.6 };
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" points=\"{}\"/>",
            points.join(" ")
        );
    }
}

/// Names at the ends of the lines of the last panel, apart from each other.
fn names(svg: &mut String, growth: &Growth, left: f64) {
    let Some((_, timings)) = growth.points.last() else {
        return;
    };
    let mut ends: Vec<(f64, usize, &str)> = timings
        .iter()
        .enumerate()
        .map(|(at, timing)| (down(timing.nanoseconds), at, timing.name))
        .collect();
    ends.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut free = 0.0_f64;
    for (at, line, name) in ends {
        let at = at.max(free);
        free = at + 15.0;
        let colour = COLOURS[line % COLOURS.len()];
        let _ = writeln!(
            svg,
            "<text x=\"{left:.1}\" y=\"{:.1}\" style=\"fill: {colour}\">{name}</text>",
            at + 4.0
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plot_is_made_of_numbers_and_stays_within_its_frame() {
        let timing = |name, nanoseconds| Timing {
            name,
            nanoseconds,
            first: 100.0,
            step: 1,
        };
        let points = vec![
            (10, vec![timing("abide", 100.0), timing("peer", 1e3)]),
            (15_000, vec![timing("abide", 120.0), timing("peer", 5e6)]),
        ];
        let growth = Growth {
            title: "prefix rules",
            points,
        };
        let svg = plot(&[growth]);
        assert!(svg.contains("polyline") && !svg.contains("NaN") && !svg.contains("inf"));
    }
}
